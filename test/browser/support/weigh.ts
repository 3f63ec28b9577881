import type { Page } from 'playwright-core';
import { until } from '../../support/until.ts';

/** Parts of a page, by purpose. */
export const kinds = ['html', 'css', 'js', 'font', 'pictures'] as const;
export type Kind = (typeof kinds)[number];

/** A page as transferred. */
export interface Weight {
  /** Kilobytes (1,000 bytes) that were transferred with nothing in the cache, compressed, with headers. */
  kilobytes: Record<Kind, number>;
  /** How far its parts moved while it was loaded (cumulative layout shift). */
  shift: number;
  /** How many pictures came. */
  pictures: number;
}

const kindOf: Readonly<Record<string, Kind>> = {
  Document: 'html',
  Stylesheet: 'css',
  Script: 'js',
  Font: 'font',
  Image: 'pictures',
};

/** Loads a page with an empty cache, pictures further down as well. Videos are not counted: they play on demand. */
export async function weigh(page: Page, address: string): Promise<Weight> {
  const line = await page.context().newCDPSession(page);
  const sent = new Map<string, Kind>();
  const bytes: Record<Kind, number> = { html: 0, css: 0, js: 0, font: 0, pictures: 0 };
  const finished = new Set<string>();
  let pictures = 0;
  line.on('Network.responseReceived', ({ requestId, type, response }) => {
    const kind = kindOf[type];
    if (kind !== undefined && !response.url.startsWith('data:')) sent.set(requestId, kind);
  });
  line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = sent.get(requestId);
    finished.add(requestId);
    if (kind === undefined) return;
    bytes[kind] += encodedDataLength;
    if (kind === 'pictures') pictures += 1;
  });
  line.on('Network.loadingFailed', ({ requestId }) => finished.add(requestId));
  await line.send('Network.enable');
  await line.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(address);
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager';
    await document.fonts.ready;
  });
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  const shown = await page.evaluate(
    () =>
      new Set(
        [...document.images]
          .map(({ currentSrc }) => currentSrc)
          .filter((each) => each.startsWith('http')),
      ).size,
  );
  // The browser reports a load a moment after the page has it.
  await until(
    () => pictures >= shown && [...sent.keys()].every((id) => finished.has(id)),
    'all that was loaded is told',
    60_000,
  );
  const shift = await page.evaluate(async () => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
    // Buffered entries arrive in a separate task.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return sum;
  });
  await line.detach();
  const kilobytes = Object.fromEntries(kinds.map((kind) => [kind, bytes[kind] / 1000])) as Record<
    Kind,
    number
  >;
  return { kilobytes, shift, pictures };
}
