import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@framegate/contract';
import { prepareBrowser } from '../test/browser/support/prepareBrowser.ts';
import { makeLogoPicture } from './pictures/makeLogoPicture.ts';
import { makePreviewPicture } from './pictures/makePreviewPicture.ts';

/**
 * `npm run pictures`: renews all pictures of the documentation and the logo for Zapier. Files are written only if
 * their pixels change. Pages are those of a real gateway in Chromium, as in the browser acceptance suite;
 * test/browser provides the driver and the types.
 */
const images = join(import.meta.dirname, '../docs/images');

/** Maximum size of a picture in bytes; a page has several. */
const maxBytes = 150_000;

/** Maximum total size in bytes; every clone of the repository contains them. */
const maxTotalBytes = 1_500_000;

/** Exports of test/browser/pictures/takePictures.ts, loaded late because it needs the driver. */
interface Pages {
  takePictures: (folder: string) => Promise<void>;
}

await makeLogoPicture(join(import.meta.dirname, '../integrations/zapier/logo.png'));
await makePreviewPicture(join(images, 'preview.webp'));
try {
  await prepareBrowser();
} catch (error) {
  process.stderr.write(`Only preview.webp was made. ${messageOf(error)}\n`);
  process.exit(1);
}
const module = new URL('../test/browser/pictures/takePictures.ts', import.meta.url).href;
const { takePictures } = (await import(module)) as Pages;
await takePictures(images);
let sum = 0;
for (const name of await readdir(images, { recursive: true })) {
  if (!name.endsWith('.webp')) continue;
  const { size } = await stat(join(images, name));
  sum += size;
  console.log(`${name}: ${size} bytes${size > maxBytes ? `, more than ${maxBytes}` : ''}`);
}
console.log(`All: ${sum} bytes${sum > maxTotalBytes ? `, more than ${maxTotalBytes}` : ''}`);
