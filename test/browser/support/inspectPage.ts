import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { desk, phone } from './openBrowser.ts';

const folder = fileURLToPath(new URL('../../../coverage/browser/', import.meta.url));

/** Pixels of a page that a picture shows at most. */
const tallest = 4000;

/** What axe finds to be serious or critical, in one line each. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    return axe.run(document, { resultTypes: ['violations'] });
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** Pixels by which the page is wider than the window; what scrolls by itself does not count. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}

/** Looks at a page light and dark, at a desk and on a phone. @returns what is wrong with it. */
export async function inspectPage(page: Page, name: string): Promise<string[]> {
  const problems: string[] = [];
  for (const [scheme, size, label] of [
    ['light', desk, 'light'],
    ['dark', desk, 'dark'],
    ['light', phone, 'phone'],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize(size);
    const found = await seriousFindings(page);
    problems.push(...found.map((each) => `${name}, ${label}: ${each}`));
    const wide = await overflow(page);
    if (wide > 0) problems.push(`${name}, ${label}: ${String(wide)} pixels too wide`);
    await takePicture(page, `${name}-${label}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(desk);
  return problems;
}

/** Keeps a small picture of the page for people to look at. */
async function takePicture(page: Page, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { width, height } = await page.evaluate(() => ({
    width: window.innerWidth,
    height: document.documentElement.scrollHeight,
  }));
  const clip = { x: 0, y: 0, width, height: Math.min(height, tallest) };
  const picture = await page.screenshot({ fullPage: true, clip });
  await sharp(picture)
    .webp({ quality: 70 })
    .toFile(join(folder, `${name}.webp`));
}
