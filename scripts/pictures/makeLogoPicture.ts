import { join } from 'node:path';
import sharp from 'sharp';
import { writeChanged } from './writeChanged.ts';

const logo = join(import.meta.dirname, '../../gateway/src/http/pages/assets/icon.svg');

/** Side length in pixels; Zapier requires at least 256. */
const size = 512;

/** Renders the logo as PNG, for directories without SVG support. */
export async function makeLogoPicture(file: string): Promise<void> {
  const drawn = sharp(logo, { density: (72 * size) / 64 }).resize(size, size);
  // Zapier's check M004 requires RGBA and rejects palettes, even transparent ones.
  await writeChanged(file, await drawn.png({ compressionLevel: 9 }).toBuffer());
}
