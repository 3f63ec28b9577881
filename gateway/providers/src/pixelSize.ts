import type { PixelSize } from './route.ts';

/** Longest side that H.264 level 5.2 and common hardware decoders support, in pixels. */
const maxSidePixels = 4096;

/** Long side of a video whose short side must shrink: UHD's, in pixels. */
const uhdLongSidePixels = 3840;

/** Side of the square with the area of an image resolution, in pixels. */
const squareSides: Readonly<Record<string, number>> = { '1k': 1024, '2k': 2048, '4k': 4096 };

/** Both sides of an image are multiples of this, as in most image models, in pixels. */
const defaultStepPixels = 8;

/**
 * The frame size of a video resolution at an aspect ratio: the short side is the resolution's number and both
 * sides are even, as 4:2:0 chroma requires. 16:9 gives 854x480, 1280x720, 1920x1080 and 3840x2160. Only 21:9 at
 * 2160p would exceed 4,096 pixels, which many decoders refuse: its long side is 3840 instead.
 * @throws RangeError for anything except `<number>p` and `<w>:<h>` with numbers from 1.
 */
export function videoSize(resolution: string, aspectRatio: string): PixelSize {
  const short = Number(/^([1-9]\d{1,3})p$/.exec(resolution)?.[1] ?? NaN);
  if (Number.isNaN(short)) throw new RangeError(`not a video resolution: ${resolution}`);
  const { across, down } = parseAspectRatio(aspectRatio);
  const long = nearestEven((short * Math.max(across, down)) / Math.min(across, down));
  const [longSide, shortSide] =
    long <= maxSidePixels
      ? [long, nearestEven(short)]
      : [
          uhdLongSidePixels,
          nearestEven((uhdLongSidePixels * Math.min(across, down)) / Math.max(across, down)),
        ];
  return across >= down
    ? { width: longSide, height: shortSide }
    : { width: shortSide, height: longSide };
}

/**
 * The size of an image resolution at an aspect ratio. The ratio is exact, both sides are multiples of 8, and
 * the area is the nearest possible to that of the resolution's square: 1024, 2048 or 4096 pixels a side for
 * `1k`, `2k`, `4k`. So 1k is 1024x1024 at 1:1, 1408x792 at 16:9 and 1248x832 at 3:2.
 * @param step Both sides are multiples of this, in pixels.
 * @throws RangeError for an unknown resolution, or a ratio that is not `<w>:<h>`.
 */
export function imageSize(
  resolution: string,
  aspectRatio: string,
  step = defaultStepPixels,
): PixelSize {
  const side = squareSides[resolution];
  if (side === undefined) throw new RangeError(`not an image resolution: ${resolution}`);
  const { across, down } = parseAspectRatio(aspectRatio);
  const divisor = greatestCommonDivisor(across, down);
  const unit = { width: (across / divisor) * step, height: (down / divisor) * step };
  const exact = side / Math.sqrt(unit.width * unit.height);
  const below = Math.max(1, Math.floor(exact));
  // Compared by area: the factor whose square is nearest to the wanted one.
  const factor = exact ** 2 - below ** 2 <= (below + 1) ** 2 - exact ** 2 ? below : below + 1;
  return { width: unit.width * factor, height: unit.height * factor };
}

/**
 * Parses an aspect ratio written `<w>:<h>`.
 * @throws RangeError for any other text.
 */
function parseAspectRatio(aspectRatio: string): { across: number; down: number } {
  const match = /^([1-9]\d{0,2}):([1-9]\d{0,2})$/.exec(aspectRatio);
  if (!match) throw new RangeError(`not an aspect ratio: ${aspectRatio}`);
  return { across: Number(match[1]), down: Number(match[2]) };
}

function nearestEven(pixels: number): number {
  return Math.round(pixels / 2) * 2;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
