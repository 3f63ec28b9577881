import { join } from 'node:path';
import sharp from 'sharp';
import { writeChanged } from './writeChanged.ts';

const logo = join(import.meta.dirname, '../../gateway/src/http/pages/assets/icon.svg');

/** Pixels of the square; Zapier asks for 256 or more. */
const size = 512;

/** Draws the logo as a picture, for directories that take no SVG. */
export async function makeLogoPicture(file: string): Promise<void> {
  const drawn = sharp(logo, { density: (72 * size) / 64 }).resize(size, size);
  // Zapier's check M004 wants RGBA: a palette is sent back, though it can be transparent as well.
  await writeChanged(file, await drawn.png({ compressionLevel: 9 }).toBuffer());
}
