import { type EncodedPacket, EncodedPacketSink, type InputVideoTrack } from 'mediabunny';
import { type DecodedFrame, decodePicture, decodePictures } from './h264/decodePicture.ts';

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
 * Decodes the first or last frame of a track. The last one requires all frames from the key frame before it.
 * @throws Error if it is not H.264, or cannot be decoded.
 */
export async function decodeFrame(
  track: InputVideoTrack,
  which: 'first' | 'last',
): Promise<{ frame: DecodedFrame; colorSpace: DecoderConfig['colorSpace'] }> {
  const { description, colorSpace } = await readConfig(track);
  const sink = new EncodedPacketSink(track);
  const decode = (packets: AsyncIterable<EncodedPacket>) =>
    decodePicture(readAccessUnits(packets, description));
  const frame =
    which === 'first'
      ? await decode(readFirstPacket(sink))
      : // A frame marked as a key frame may need earlier pictures (an open group of pictures).
        await decode(readLastPackets(sink, 'lastKeyFrame')).catch(() =>
          decode(readLastPackets(sink, 'firstPacket')),
        );
  return { frame, colorSpace };
}

/** The frames of a track, as `decodePictures` gives them. @throws Like `decodeFrame`. */
export async function* decodeFrames(track: InputVideoTrack): AsyncGenerator<DecodedFrame> {
  const { description } = await readConfig(track);
  yield* decodePictures(readAccessUnits(new EncodedPacketSink(track).packets(), description));
}

async function readConfig(track: InputVideoTrack): Promise<DecoderConfig> {
  const config = (await track.getDecoderConfig()) as DecoderConfig | null;
  if ((await track.getCodec()) !== 'avc' || !config) throw new Error('not H.264');
  const { codedWidth = 0, codedHeight = 0 } = config;
  if (codedWidth * codedHeight > maxPixels) throw new Error('too many pixels');
  return config;
}

async function* readFirstPacket(sink: EncodedPacketSink): AsyncGenerator<EncodedPacket> {
  const packet = await sink.getFirstPacket();
  if (packet?.type !== 'key') throw new Error('does not begin with a key frame');
  yield packet;
}

/** Packets in decoding order from the last key frame, or the first packet, to the frame displayed last. */
async function* readLastPackets(
  sink: EncodedPacketSink,
  from: 'lastKeyFrame' | 'firstPacket',
): AsyncGenerator<EncodedPacket> {
  const last = await sink.getPacket(Infinity);
  const first =
    from === 'firstPacket'
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
async function* readAccessUnits(
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
  let offset = 5;
  // Sequence parameter sets, with their number in five bits; then picture parameter sets.
  for (const mask of [0x1f, 0xff]) {
    const count = config.readUInt8(offset) & mask;
    offset += 1;
    for (let set = 0; set < count; set += 1) {
      const length = config.readUInt16BE(offset);
      units.push(startCode, config.subarray(offset + 2, offset + 2 + length));
      offset += 2 + length;
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
