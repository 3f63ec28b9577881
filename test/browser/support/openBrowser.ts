import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from './findChromium.ts';

/** Sizes at which pages are inspected. */
export const desk = { width: 1280, height: 860 };
export const phone = { width: 360, height: 740 };

/** Starts Chromium. In a container it runs as root, where its own sandbox cannot. */
export function openBrowser(...flags: string[]): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: findChromium(),
    args: [
      ...(isRoot ? ['--no-sandbox'] : []),
      '--disable-dev-shm-usage',
      '--lang=en-US',
      ...flags,
    ],
  });
}

/** A page of a new person, which collects its failures: scripts, CSP, failed loads. */
export async function newPerson(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ context: BrowserContext; page: Page; trouble: string[] }> {
  const context = await browser.newContext({
    viewport: desk,
    locale: 'en-US',
    reducedMotion: 'reduce',
    ...options,
  });
  // A hanging step ends by the limit of its test.
  context.setDefaultTimeout(110_000);
  const page = await context.newPage();
  const trouble: string[] = [];
  page.on('pageerror', (error) => trouble.push(`script: ${error.message}`));
  page.on('console', (message) => {
    // Chromium reports a response of 4xx here as well; tests assert the intended ones.
    const text = message.text();
    if (message.type() === 'error' && !/status of 4\d\d/.test(text)) trouble.push(text);
  });
  return { context, page, trouble };
}
