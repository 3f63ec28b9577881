import {
  EncodedPacketSink,
  FilePathSource,
  Input,
  MP4,
  QTFF,
  type EncodedPacket,
} from 'mediabunny';
import sharp, { type Sharp } from 'sharp';
import { decodePicture, type DecodedFrame } from './h264/decodePicture.ts';

/** Maximum pixels of a video frame: 4096 x 2304. */
const maxPixels = 9_437_184;

/** The used part of WebCodecs' VideoDecoderConfig. */
interface DecoderConfig {
  codedWidth?: number;
  codedHeight?: number;
  /** Contents of the avcC box; absent for an Annex B stream. */
  description?: ArrayBuffer | ArrayBufferView;
  colorSpace?: { matrix?: string | null; fullRange?: boolean | null };
}

/**
 * Decodes the first or last frame of an MP4 or QuickTime file, in the child process. The last one requires all frames
 * from the key frame before it.
 * @throws Error if it is not H.264, or cannot be decoded.
 */
export async function videoFrame(path: string, which: 'first' | 'last'): Promise<Sharp> {
  using input = new Input({ formats: [MP4, QTFF], source: new FilePathSource(path) });
  const track = await input.getPrimaryVideoTrack();
  const config = (await track?.getDecoderConfig()) as DecoderConfig | null | undefined;
  if (!track || (await track.getCodec()) !== 'avc' || !config) throw new Error('not H.264');
  const { codedWidth = 0, codedHeight = 0, description, colorSpace } = config;
  if (codedWidth * codedHeight > maxPixels) throw new Error('too many pixels');
  const sink = new EncodedPacketSink(track);
  const decode = (packets: AsyncIterable<EncodedPacket>) =>
    decodePicture(accessUnits(packets, description));
  const frame =
    which === 'first'
      ? await decode(firstPacket(sink))
      : // A frame marked as a key frame may need earlier pictures (an open group of pictures).
        await decode(lastPackets(sink)).catch(() =>
          decode(lastPackets(sink, 'from the beginning')),
        );
  const { width, height } = frame;
  const isHd = colorSpace?.matrix ? colorSpace.matrix === 'bt709' : height >= 720;
  const isFull = colorSpace?.fullRange === true;
  const pixels = toRgb(frame, weights[isHd ? 'bt709' : 'bt601'][isFull ? 'full' : 'limited']);
  const picture = sharp(pixels, { raw: { width, height, channels: 3 } });
  // The displayed size: pixels may not be square.
  const shown = { width: await track.getDisplayWidth(), height: await track.getDisplayHeight() };
  const rotation = await track.getRotation();
  if (rotation !== 0) return picture.rotate(rotation);
  return shown.width * height === shown.height * width
    ? picture
    : picture.resize({ ...shown, fit: 'fill' });
}

async function* firstPacket(sink: EncodedPacketSink): AsyncGenerator<EncodedPacket> {
  const packet = await sink.getFirstPacket();
  if (packet?.type !== 'key') throw new Error('does not begin with a key frame');
  yield packet;
}

/** Packets in decoding order from the last key frame, or the first packet, to the frame displayed last. */
async function* lastPackets(
  sink: EncodedPacketSink,
  from?: 'from the beginning',
): AsyncGenerator<EncodedPacket> {
  const last = await sink.getPacket(Infinity);
  const first = from
    ? await sink.getFirstPacket()
    : last && (await sink.getKeyPacket(last.timestamp));
  if (!last || !first) throw new Error('has no key frame');
  for await (const packet of sink.packets(first)) {
    // Frames displayed before the key frame depend on earlier ones.
    if (packet.timestamp >= first.timestamp) yield packet;
    if (packet.sequenceNumber >= last.sequenceNumber) return;
  }
}

/** The frames as an H.264 byte stream (Annex B), the first preceded by the parameter sets. */
async function* accessUnits(
  packets: AsyncIterable<EncodedPacket>,
  description: DecoderConfig['description'],
): AsyncGenerator<Uint8Array> {
  const config = description && bufferOf(description);
  let sets = config ? parameterSets(config) : [];
  for await (const { data } of packets) {
    yield config ? Buffer.concat([...sets, ...unitsOf(data, (config.readUInt8(4) & 3) + 1)]) : data;
    sets = [];
  }
}

const bufferOf = (source: ArrayBuffer | ArrayBufferView): Buffer =>
  ArrayBuffer.isView(source)
    ? Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    : Buffer.from(source);

const startCode = Uint8Array.of(0, 0, 0, 1);

/** The parameter sets of an avcC box, each after a start code. */
function parameterSets(config: Buffer): Uint8Array[] {
  const units: Uint8Array[] = [];
  let at = 5;
  // Sequence parameter sets, with their number in five bits; then picture parameter sets.
  for (const mask of [0x1f, 0xff]) {
    const count = config.readUInt8(at) & mask;
    at += 1;
    for (let set = 0; set < count; set += 1) {
      const length = config.readUInt16BE(at);
      units.push(startCode, config.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
  }
  return units;
}

/** The units of a sample, each after a start code. @param prefix Bytes of the length before each. */
function unitsOf(sample: Uint8Array, prefix: number): Uint8Array[] {
  const units: Uint8Array[] = [];
  const data = bufferOf(sample);
  for (let unit = 0; unit + prefix <= data.length;) {
    const length = data.readUIntBE(unit, prefix);
    units.push(startCode, data.subarray(unit + prefix, unit + prefix + length));
    unit += prefix + length;
  }
  return units;
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

function toRgb({ width, height, planes, strides }: DecodedFrame, weights: Weights): Buffer {
  const [luma, black, rv, gu, gv, bu] = weights;
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
