/** Width and height of a picture, pixels. */
export type PixelSize = { readonly width: number; readonly height: number };

/** The longest side that H.264 level 5.2 and common hardware decoders take, pixels. */
const LONGEST_SIDE = 4096;

/** The long side of a picture whose short side had to give way: UHD's, pixels. */
const UHD_LONG_SIDE = 3840;

/**
 * The frame size of a video resolution at an aspect ratio (catalogue, design section 5): the short
 * side is the resolution's number and both sides are even, as 4:2:0 chroma demands. 16:9 gives
 * 854x480, 1280x720, 1920x1080 and 3840x2160. Only 21:9 at 2160p would pass 4,096 pixels, which many
 * decoders refuse: its long side is 3840 instead.
 *
 * @throws RangeError for anything but `<number>p` and `<w>:<h>` with numbers from 1
 */
export function videoSize(resolution: string, aspectRatio: string): PixelSize {
  const short = Number(/^([1-9]\d{1,3})p$/.exec(resolution)?.[1] ?? Number.NaN);
  if (Number.isNaN(short)) throw new RangeError(`not a video resolution: ${resolution}`);
  const { across, down } = parseAspectRatio(aspectRatio);
  const long = evenly((short * Math.max(across, down)) / Math.min(across, down));
  const [longSide, shortSide] =
    long <= LONGEST_SIDE
      ? [long, evenly(short)]
      : [UHD_LONG_SIDE, evenly((UHD_LONG_SIDE * Math.min(across, down)) / Math.max(across, down))];
  return across >= down
    ? { width: longSide, height: shortSide }
    : { width: shortSide, height: longSide };
}

/**
 * The two numbers of an aspect ratio written `<w>:<h>`.
 *
 * @throws RangeError for any other text
 */
export function parseAspectRatio(aspectRatio: string): { across: number; down: number } {
  const found = /^([1-9]\d{0,2}):([1-9]\d{0,2})$/.exec(aspectRatio);
  if (!found) throw new RangeError(`not an aspect ratio: ${aspectRatio}`);
  return { across: Number(found[1]), down: Number(found[2]) };
}

/** The nearest even number. */
function evenly(pixels: number): number {
  return Math.round(pixels / 2) * 2;
}
