import { writeFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import type { TestGateway } from '../../support/gateway.ts';
import { newPerson } from '../support/openBrowser.ts';

/** What the makers of pictures work with. */
export interface Shown {
  browser: Browser;
  /** Where the gateway is for the browser. */
  origin: string;
  /** Starts a gateway in place of the last one. */
  start: (env: Record<string, string>) => Promise<TestGateway>;
  fileOf: (name: string) => string;
}

/** CSS pixels: about the column of a documentation page, so that words keep their size. */
const width = 960;

/** Pixels of the picture per CSS pixel: words stay sharp on a dense screen. */
const scale = 1.5;

/** CSS pixels below the last element. */
const margin = 24;

/** Opens a page of that width. */
export async function openPage({ browser }: Shown): Promise<Page> {
  const size = { viewport: { width, height: 800 }, deviceScaleFactor: scale };
  return (await newPerson(browser, { ...size, colorScheme: 'light' })).page;
}

/** Keeps the page from its top to below the first element of a selector. */
export async function takePicture(page: Page, file: string, to: string): Promise<void> {
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.scrollTo(0, 0);
  });
  await page.mouse.move(0, 0);
  const box = await page.locator(to).first().boundingBox();
  if (box === null) throw new Error(`${page.url()} shows no ${to}`);
  const height = Math.ceil(box.y + box.height) + margin;
  const picture = await page.screenshot({ fullPage: true, clip: { x: 0, y: 0, width, height } });
  await writeFile(file, await smallWebp(picture));
}

/** Words alone are small with sharp edges; with photographs among them the usual way is smaller. */
async function smallWebp(picture: Buffer): Promise<Buffer> {
  const sharpEdged = await sharp(picture)
    .webp({ nearLossless: true, quality: 20, effort: 6 })
    .toBuffer();
  const usual = await sharp(picture)
    .webp({ quality: 60, smartSubsample: true, effort: 6 })
    .toBuffer();
  return sharpEdged.length < usual.length ? sharpEdged : usual;
}
