import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import sharp from 'sharp';
import {
  sampleFolder,
  type samplePictures,
  samplePoster,
} from '../gateway/src/adapters/net/sampleHost.ts';
import { paintBalloons } from './samples/balloons.ts';
import { paintHarbour } from './samples/harbour.ts';
import { paintLake } from './samples/lake.ts';
import { type DrawFunction, height, width } from './samples/paint.ts';

/**
 * Draws the sample pictures of the first start (`npm exec -- node scripts/samplePictures.ts`). They are our own
 * work, under the licence of this repository, and reproducible.
 */
const pictures: Record<(typeof samplePictures)[number], DrawFunction> = {
  'harbour-at-dusk.jpg': paintHarbour,
  'mountain-lake.jpg': paintLake,
  'balloons.jpg': paintBalloons,
};

mkdirSync(dirname(samplePoster('any')), { recursive: true });
for (const [name, draw] of Object.entries(pictures)) {
  const canvas = createCanvas(width, height);
  draw(canvas.getContext('2d'));
  const drawn = sharp(canvas.toBuffer('image/png')).flatten();
  const picture = await drawn.jpeg({ quality: 84, mozjpeg: true }).toBuffer();
  writeFileSync(join(sampleFolder, name), picture);
  await sharp(picture).resize(320).webp({ quality: 72 }).toFile(samplePoster(name));
  console.log(`${name}: ${picture.length} bytes`);
}

// Picture of the start page, small enough for a web page.
await sharp(join(sampleFolder, 'harbour-at-dusk.jpg'))
  .resize(960)
  .webp({ quality: 72 })
  .toFile(join(sampleFolder, '../start.webp'));
