import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeLogoPicture } from './pictures/makeLogoPicture.ts';
import { makePairs } from './pictures/makePairs.ts';
import { makePreviewPicture } from './pictures/makePreviewPicture.ts';
import { prepareBrowser } from '../test/browser/support/prepareBrowser.ts';

/**
 * `npm run pictures`: makes every picture of the documentation anew, and the logo for Zapier, so
 * that each shows what a stranger gets; a file is written only when its pixels change. The pages are
 * those of a real gateway in Chromium, which the browser's acceptance suite needs, too; test/browser brings
 * the driver and the types of both.
 */
const images = join(import.meta.dirname, '../docs/images');

/** Bytes that a picture should not exceed: a page of the documentation has several. */
const mostBytes = 150_000;

/** Bytes of all together: everyone who clones the repository gets them. */
const mostOfAll = 1_500_000;

/** What test/browser/pictures/takePictures.ts exports. It needs the driver, so it is loaded late. */
interface Pages {
  takePictures: (folder: string) => Promise<void>;
}

await makeLogoPicture(join(import.meta.dirname, '../integrations/zapier/logo.png'));
await makePreviewPicture(join(images, 'preview.webp'));
try {
  prepareBrowser();
} catch (error) {
  const why = error instanceof Error ? error.message : String(error);
  process.stderr.write(`Only preview.webp was made. ${why}\n`);
  process.exit(1);
}
const module = new URL('../test/browser/pictures/takePictures.ts', import.meta.url).href;
const { takePictures } = (await import(module)) as Pages;
await takePictures(images);
await makePairs(images);
let sum = 0;
for (const name of await readdir(images, { recursive: true })) {
  if (!name.endsWith('.webp')) continue;
  const { size } = await stat(join(images, name));
  sum += size;
  console.log(`${name}: ${size} bytes${size > mostBytes ? `, more than ${mostBytes}` : ''}`);
}
console.log(`All: ${sum} bytes${sum > mostOfAll ? `, more than ${mostOfAll}` : ''}`);
