import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { writeChanged } from '../../../scripts/pictures/writeChanged.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { newPerson } from '../support/openBrowser.ts';

/** Tools of the makers of pictures. */
export interface Shown {
  browser: Browser;
  /** The gateway's origin for the browser. */
  origin: string;
  /** Starts a gateway in place of the last one. */
  start: (env: Record<string, string>) => Promise<TestGateway>;
  /**
   * Serves the works of a stopped gateway, without workers and with a clock that stands still.
   * @param from The time that becomes noon, in ms since the epoch.
   */
  hold: (gateway: TestGateway, from: number) => Promise<TestGateway>;
  fileOf: (name: string) => string;
}

/** CSS pixels: about the column of a documentation page, so that words keep their size. */
const width = 960;

/** Pixels of the picture per CSS pixel, so that text stays sharp on a dense screen. */
const scale = 1.5;

/** CSS pixels below the last element. */
const margin = 24;

/** CSS pixels of the tallest picture: a longer page is shown from its top. */
const tallest = 1900;

/** Opens a page of that width; its browser has the font already, which a first visit may be shown without. */
export async function openPage({ browser, origin }: Shown): Promise<Page> {
  const size = { viewport: { width, height: 800 }, deviceScaleFactor: scale };
  const looks = { colorScheme: 'light', timezoneId: 'UTC' } as const;
  const { page } = await newPerson(browser, { ...size, ...looks });
  await page.goto(origin);
  await page.evaluate(() => document.fonts.load('1em "Inter Variable"'));
  return page;
}

/** Keeps the page from its top to below the first element of a selector. */
export async function takePicture(page: Page, file: string, to: string): Promise<void> {
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.scrollTo(0, 0);
  });
  await page.evaluate(steady);
  await page.mouse.move(0, 0);
  const box = await page.locator(to).first().boundingBox();
  if (box === null) throw new Error(`${page.url()} shows no ${to}`);
  const height = Math.min(tallest, Math.ceil(box.y + box.height) + margin);
  const picture = await page.screenshot({ fullPage: true, clip: { x: 0, y: 0, width, height } });
  await writeChanged(file, await smallWebp(picture));
}

/** Replaces text that depends on chance or on this run with fixed text. */
function steady(): void {
  const one = '01kah2m8s4v6x0z3b5d7f9g1hj';
  const kept: readonly (readonly [RegExp, string])[] = [
    [/\b(gen|acct|key|req|lot)_[0-9a-z]{26}/g, `$1_${one}`],
    [/\bcgt-[\w-]+/g, 'cgt-20261122120000-7wq4k'],
    [/\bfg_live_[0-9A-Za-z]{6}/g, 'fg_live_Wn4tQz'],
    [/…[0-9A-Za-z]{4}\b/g, '…c0Rk'],
    // The gateway's clock is stopped in a later year; the work before it took some time.
    [/\b2030\b/g, '2026'],
    [/\b\d{3,} days\b/g, '4 min'],
    [/\b\d\d:\d\d(?= \(UTC\))/g, '11:56'],
    [/\b\d\d:\d\d:\d\d\.\d{3}\b/g, '12:00:00.000'],
    [/\b\d+\.\d s\b/g, '1.0 s'],
    [/^[\w.-]+ \d{3,}$/, 'worker-1 4711'],
  ];
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = words.nextNode(); node; node = words.nextNode()) {
    const text = node.nodeValue ?? '';
    node.nodeValue = kept.reduce((made, [from, to]) => made.replace(from, to), text);
  }
}

/** Text alone is smallest with lossless compression; with photographs, the default is smaller. */
async function smallWebp(picture: Buffer): Promise<Buffer> {
  const sharpEdged = await sharp(picture)
    .webp({ nearLossless: true, quality: 20, effort: 6 })
    .toBuffer();
  const usual = await sharp(picture)
    .webp({ quality: 60, smartSubsample: true, effort: 6 })
    .toBuffer();
  return sharpEdged.length < usual.length ? sharpEdged : usual;
}
