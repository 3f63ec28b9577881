import { EncodedPacketSink, FilePathSource, Input, MP4 } from 'mediabunny';
import sharp, { type Sharp } from 'sharp';
import { decodeKeyFrame, type DecodedFrame } from './h264/decodeKeyFrame.ts';

/** The most pixels of a video's picture: 4096 x 2304. */
const maxPixels = 9_437_184;

/** What is used of WebCodecs' VideoDecoderConfig. */
interface DecoderConfig {
  codedWidth?: number;
  codedHeight?: number;
  /** The contents of the avcC box; absent where the stream is Annex B. */
  description?: ArrayBuffer | ArrayBufferView;
  colorSpace?: { matrix?: string | null; fullRange?: boolean | null };
}

/**
 * Decodes the first picture of an MP4, in the child process.
 * @throws Error when it is not H.264, or cannot be decoded.
 */
export async function firstFrame(path: string): Promise<Sharp> {
  using input = new Input({ formats: [MP4], source: new FilePathSource(path) });
  const track = await input.getPrimaryVideoTrack();
  const config = (await track?.getDecoderConfig()) as DecoderConfig | null | undefined;
  if (!track || (await track.getCodec()) !== 'avc' || !config) throw new Error('not H.264');
  const { codedWidth = 0, codedHeight = 0, description, colorSpace } = config;
  if (codedWidth * codedHeight > maxPixels) throw new Error('too many pixels');
  const packet = await new EncodedPacketSink(track).getFirstPacket();
  if (packet?.type !== 'key') throw new Error('does not begin with a key frame');
  const stream = description ? annexB(bytesOf(description), packet.data) : packet.data;
  const frame = await decodeKeyFrame(stream);
  const { width, height } = frame;
  const isHd = colorSpace?.matrix ? colorSpace.matrix === 'bt709' : height >= 720;
  const isFull = colorSpace?.fullRange === true;
  const pixels = toRgb(frame, weights[isHd ? 'bt709' : 'bt601'][isFull ? 'full' : 'limited']);
  const picture = sharp(pixels, { raw: { width, height, channels: 3 } });
  // As it is shown: pixels need not be square.
  const shown = { width: await track.getDisplayWidth(), height: await track.getDisplayHeight() };
  const rotation = await track.getRotation();
  if (rotation !== 0) return picture.rotate(rotation);
  return shown.width * height === shown.height * width
    ? picture
    : picture.resize({ ...shown, fit: 'fill' });
}

const bytesOf = (source: ArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);

const startCode = Uint8Array.of(0, 0, 0, 1);

/** The parameter sets of an avcC box and the units of a sample, each behind a start code. */
function annexB(avcC: Uint8Array, sample: Uint8Array): Uint8Array {
  const units: Uint8Array[] = [];
  const config = Buffer.from(avcC.buffer, avcC.byteOffset, avcC.byteLength);
  let at = 5;
  // Sequence parameter sets, their number in five bits; then picture parameter sets.
  for (const mask of [0x1f, 0xff]) {
    const count = config.readUInt8(at) & mask;
    at += 1;
    for (let set = 0; set < count; set += 1) {
      const length = config.readUInt16BE(at);
      units.push(startCode, config.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
  }
  const data = Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength);
  const prefix = (config.readUInt8(4) & 3) + 1;
  for (let unit = 0; unit + prefix <= data.length;) {
    const length = data.readUIntBE(unit, prefix);
    units.push(startCode, data.subarray(unit + prefix, unit + prefix + length));
    unit += prefix + length;
  }
  return Buffer.concat(units);
}

/** How a colour is computed, in 256ths: of luma, then V for red, U and V for green, U for blue. */
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

function toRgb({ width, height, planes, strides }: DecodedFrame, weights: Weights): Buffer {
  const [luma, black, rv, gu, gv, bu] = weights;
  const [ys, us, vs] = planes;
  // Clamped: the sums leave the range of a byte.
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
