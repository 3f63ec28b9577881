import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';

/** Writes a picture only if its pixels differ from those of the existing file. */
export async function writeChanged(file: string, picture: Uint8Array): Promise<void> {
  const [before, after] = await Promise.all([
    readPixels(file).catch(() => null),
    readPixels(picture),
  ]);
  if (before === null || !before.equals(after)) await writeFile(file, picture);
}

async function readPixels(picture: string | Uint8Array): Promise<Buffer> {
  const { data, info } = await sharp(picture)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.concat([Buffer.from(`${info.width}x${info.height} `), data]);
}
