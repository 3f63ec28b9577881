import { parseAspectRatio, type PixelSize } from './videoSize.ts';

/** Side of the square that has a resolution's area, pixels. */
const SQUARE_SIDE: Readonly<Record<string, number>> = { '1k': 1024, '2k': 2048, '4k': 4096 };

/** Both sides of an image are multiples of this, as most image models make them, pixels. */
const usualStep = 8;

/**
 * The size of an image resolution at an aspect ratio (catalogue, design section 5). The ratio is kept
 * exactly, both sides are multiples of 8, and the area is the nearest possible to that of the
 * resolution's square: 1024, 2048 or 4096 pixels a side for `1k`, `2k`, `4k`. So 1k is 1024x1024 at
 * 1:1, 1408x792 at 16:9 and 1248x832 at 3:2.
 *
 * @param step What both sides are multiples of instead, pixels.
 * @throws RangeError for an unknown resolution, or a ratio that is not `<w>:<h>`
 */
export function imageSize(resolution: string, aspectRatio: string, step = usualStep): PixelSize {
  const side = SQUARE_SIDE[resolution];
  if (side === undefined) throw new RangeError(`not an image resolution: ${resolution}`);
  const { across, down } = parseAspectRatio(aspectRatio);
  const divisor = greatestCommonDivisor(across, down);
  const unit = { width: (across / divisor) * step, height: (down / divisor) * step };
  const exact = side / Math.sqrt(unit.width * unit.height);
  const below = Math.max(1, Math.floor(exact));
  // Compared by area: the factor whose square lies nearest to the wanted one.
  const factor = exact ** 2 - below ** 2 <= (below + 1) ** 2 - exact ** 2 ? below : below + 1;
  return { width: unit.width * factor, height: unit.height * factor };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
