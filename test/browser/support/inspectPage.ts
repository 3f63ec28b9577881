import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axeCore from 'axe-core';
import type { Page } from 'playwright-core';
import { desk, phone } from './openBrowser.ts';

const folder = fileURLToPath(new URL('../../../coverage/browser/', import.meta.url));

/** No one sees pictures made in CI, and they take a third of the processor time of an inspection. */
const keepsPictures = process.env['CI'] === undefined;

/** Maximum pixels of a page shown in a picture. */
const tallest = 4000;

/** Impacts of findings that no page may have. */
const serious = ['serious', 'critical'];

/** Findings of axe with these impacts, a line each; of all impacts for null. */
export async function findingsOf(page: Page, impacts: string[] | null = serious) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeCore.source);
  const { violations } = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    // A colour in transition has a contrast that no one reads.
    const transitions = document.getAnimations().filter((each) => each instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
    return axe.run(document, { resultTypes: ['violations'] });
  });
  return violations
    .filter(({ impact }) => impacts === null || impacts.includes(impact ?? ''))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** Pixels by which the page is wider than the window; parts that scroll by themselves do not count. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}

/** Widths that every page must fit: a small phone, a tablet, a laptop. */
const widths = [320, 768, 1280];

/** Inspects a page at three widths, light and dark. @returns Its problems. */
export async function inspectEverywhere(page: Page, name: string): Promise<string[]> {
  const problems: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 860 });
      problems.push(...(await inspectNow(page, `${name}-${String(width)}-${colorScheme}`)));
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(desk);
  return problems;
}

/** Inspects a page light and dark, on a desktop and on a phone. @returns Its problems. */
export async function inspectPage(page: Page, name: string): Promise<string[]> {
  const problems: string[] = [];
  for (const [scheme, size, label] of [
    ['light', desk, 'light'],
    ['dark', desk, 'dark'],
    ['light', phone, 'phone'],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize(size);
    problems.push(...(await inspectNow(page, `${name}-${label}`)));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(desk);
  return problems;
}

/** Inspects a page in its current state, and keeps a picture of it outside CI. */
async function inspectNow(page: Page, name: string): Promise<string[]> {
  const found = await findingsOf(page);
  const wide = await overflow(page);
  if (keepsPictures) await takePicture(page, name);
  return [
    ...found.map((each) => `${name}: ${each}`),
    ...(wide > 0 ? [`${name}: ${String(wide)} pixels too wide`] : []),
  ];
}

/** Keeps a small picture of the page for people to look at. */
async function takePicture(page: Page, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { width, height } = await page.evaluate(() => ({
    width: window.innerWidth,
    height: document.documentElement.scrollHeight,
  }));
  const clip = { x: 0, y: 0, width, height: Math.min(height, tallest) };
  const path = join(folder, `${name}.jpg`);
  await page.screenshot({ fullPage: true, clip, path, type: 'jpeg', quality: 70 });
}
