import { FilePathSource, Input, MP4, QTFF } from 'mediabunny';
import sharp, { type Sharp } from 'sharp';
import { decodeFrame } from './decodeFrame.ts';
import type { DecodedFrame } from './h264/decodePicture.ts';

/**
 * Decodes the first or last frame of an MP4 or QuickTime file, in the child process. The last one requires all frames
 * from the key frame before it.
 * @throws Error if it is not H.264, or cannot be decoded.
 */
export async function readVideoFrame(path: string, which: 'first' | 'last'): Promise<Sharp> {
  using input = new Input({ formats: [MP4, QTFF], source: new FilePathSource(path) });
  const track = await input.getPrimaryVideoTrack();
  if (!track) throw new Error('not H.264');
  const { frame, colorSpace } = await decodeFrame(track, which);
  const { width, height } = frame;
  const isHd = colorSpace?.matrix ? colorSpace.matrix === 'bt709' : height >= 720;
  const isFull = colorSpace?.fullRange === true;
  const pixels = toRgb(frame, weights[isHd ? 'bt709' : 'bt601'][isFull ? 'full' : 'limited']);
  const picture = sharp(pixels, { raw: { width, height, channels: 3 } });
  // The displayed size: pixels may not be square.
  const displayed = {
    width: await track.getDisplayWidth(),
    height: await track.getDisplayHeight(),
  };
  const rotation = await track.getRotation();
  if (rotation !== 0) return picture.rotate(rotation);
  return displayed.width * height === displayed.height * width
    ? picture
    : picture.resize({ ...displayed, fit: 'fill' });
}

/** Weights of a colour conversion, in 256ths: of luma, then V for red, U and V for green, U for blue. */
type Weights = readonly [
  luma: number,
  black: number,
  rv: number,
  gu: number,
  gv: number,
  bu: number,
];

const weights: Record<'bt709' | 'bt601', Record<'limited' | 'full', Weights>> = {
  bt709: { limited: [298, 16, 459, 55, 136, 541], full: [256, 0, 403, 48, 120, 475] },
  bt601: { limited: [298, 16, 409, 100, 208, 516], full: [256, 0, 359, 88, 183, 454] },
};

function toRgb({ width, height, planes, strides }: DecodedFrame, own: Weights): Buffer {
  const [luma, black, rv, gu, gv, bu] = own;
  const [ys, us, vs] = planes;
  // Clamped, because the sums exceed a byte.
  const rgb = new Uint8ClampedArray(width * height * 3);
  let to = 0;
  for (let row = 0; row < height; row += 1) {
    const chroma = (row >> 1) * strides[1];
    for (let column = 0; column < width; column += 1) {
      const y = ((ys[row * strides[0] + column] ?? 0) - black) * luma;
      const u = (us[chroma + (column >> 1)] ?? 0) - 128;
      const v = (vs[chroma + (column >> 1)] ?? 0) - 128;
      rgb[to] = (y + rv * v) >> 8;
      rgb[to + 1] = (y - gu * u - gv * v) >> 8;
      rgb[to + 2] = (y + bu * u) >> 8;
      to += 3;
    }
  }
  return Buffer.from(rgb.buffer);
}
