import { join } from 'node:path';
import sharp from 'sharp';
import { writeChanged } from './writeChanged.ts';

const logo = join(import.meta.dirname, '../../gateway/src/http/pages/assets/icon.svg');

/** Pixels of Zapier's square. */
const size = 256;

/** Draws the logo as a picture, for directories that take no SVG. */
export async function makeLogoPicture(file: string): Promise<void> {
  const drawn = sharp(logo, { density: (72 * size) / 64 }).resize(size, size);
  await writeChanged(file, await drawn.png({ palette: true, effort: 10 }).toBuffer());
}
