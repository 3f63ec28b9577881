import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { writeChanged } from './writeChanged.ts';

/** Width and maximum height of each half, and the gap between them, in pixels. */
const half = { width: 600, height: 780, gap: 12 };

/**
 * Combines each stored picture of a former page with the current one.
 * @param images Folder of the pictures; the pairs are in its folder `before-after`.
 */
export async function makePairs(images: string): Promise<void> {
  const pairs = join(images, 'before-after');
  for (const name of await readdir(join(pairs, 'before'))) {
    const sides = [join(pairs, 'before', name), join(images, name)];
    const [left, right] = await Promise.all(sides.map(halfOf));
    if (left === undefined || right === undefined) throw new Error(`${name} has two sides`);
    const pair = sharp({
      create: {
        width: 2 * half.width + half.gap,
        height: Math.max(left.info.height, right.info.height),
        channels: 3,
        background: '#8a9294',
      },
    }).composite([
      { input: left.data, left: 0, top: 0 },
      { input: right.data, left: half.width + half.gap, top: 0 },
    ]);
    const picture = await pair.webp({ quality: 54, smartSubsample: true, effort: 6 }).toBuffer();
    await writeChanged(join(pairs, name), picture);
  }
}

/** Upper part of a picture, scaled to the width of a half. */
async function halfOf(file: string) {
  const scaled = await sharp(file).resize({ width: half.width }).png().toBuffer();
  const { height } = await sharp(scaled).metadata();
  const part = { left: 0, top: 0, width: half.width, height: Math.min(height, half.height) };
  return sharp(scaled).extract(part).png().toBuffer({ resolveWithObject: true });
}
