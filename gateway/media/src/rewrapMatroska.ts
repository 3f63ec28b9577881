import { closeSync, openSync, fstatSync } from 'node:fs';
import {
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  FilePathTarget,
  Input,
  MATROSKA,
  Mp4OutputFormat,
  Output,
  WEBM,
  type AudioCodec,
  type EncodedPacket,
  type InputAudioTrack,
  type InputTrack,
  type InputVideoTrack,
  type VideoCodec,
} from 'mediabunny';
import { codecName } from './codecNames.ts';
import { createWindow, readVint, type ReadAt } from './sniffMedia.ts';

/** A Matroska or WebM file of which no MP4 can be made. */
export class NotRewrapped extends Error {}

/** A track of the source, and the one in the target to which its packets go. */
interface Lane {
  packets: AsyncIterator<EncodedPacket, void>;
  next: EncodedPacket | null;
  add(packet: EncodedPacket): Promise<void>;
}

/**
 * Puts the pictures and the sound of a Matroska or WebM file into an MP4, in the child process, without decoding: each
 * frame as it is, at its time, with size, turn and colours. Only the parts that are being copied are in memory.
 * @param target The path of the MP4, whose `moov` comes last.
 * @returns The former container, for logs.
 * @throws NotRewrapped if it is cut short, or a codec cannot be in MP4.
 */
export async function rewrapMatroska(path: string, target: string): Promise<string> {
  const delays = readDelays(path);
  using input = new Input({ formats: [MATROSKA, WEBM], source: new FilePathSource(path) });
  if (!(await input.canRead())) throw new NotRewrapped('Matroska that cannot be read');
  const name = (await input.getFormat()) === WEBM ? 'WebM' : 'Matroska';
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: false }),
    target: new FilePathTarget(target),
  });
  const lanes: Lane[] = [];
  const delayOf = ({ id }: InputTrack) => delays.get(id) ?? 0;
  for (const track of await input.getVideoTracks()) lanes.push(await addVideo(output, track));
  if (lanes.length === 0) throw new NotRewrapped('no video track');
  for (const track of await input.getAudioTracks())
    lanes.push(await addAudio(output, track, delayOf(track)));
  await output.start();
  for (const lane of lanes) lane.next = (await lane.packets.next()).value ?? null;
  for (;;) {
    const lane = earliest(lanes);
    if (!lane?.next) break;
    await lane.add(lane.next);
    lane.next = (await lane.packets.next()).value ?? null;
  }
  await output.finalize();
  return name;
}

/** The track whose next packet comes first, so that those of one time stand together in the file. */
function earliest(lanes: readonly Lane[]): Lane | undefined {
  return lanes
    .filter(({ next }) => next)
    .sort((a, b) => (a.next?.timestamp ?? 0) - (b.next?.timestamp ?? 0))[0];
}

async function addVideo(output: Output, track: InputVideoTrack): Promise<Lane> {
  const source = new EncodedVideoPacketSource((await codecOf(output, track)) as VideoCodec);
  const decoderConfig = (await track.getDecoderConfig()) ?? undefined;
  output.addVideoTrack(source, { rotation: await track.getRotation() });
  const packets = new EncodedPacketSink(track).packets();
  const add = (packet: EncodedPacket) => source.add(packet, decoderConfig && { decoderConfig });
  return { packets, next: null, add };
}

/** @param delay Seconds at the start that nobody hears: they come before the beginning. */
async function addAudio(output: Output, track: InputAudioTrack, delay: number): Promise<Lane> {
  const source = new EncodedAudioPacketSource((await codecOf(output, track)) as AudioCodec);
  const decoderConfig = (await track.getDecoderConfig()) ?? undefined;
  output.addAudioTrack(source);
  const packets = new EncodedPacketSink(track).packets();
  const add = (packet: EncodedPacket) => {
    const timestamp = packet.timestamp - delay;
    return source.add(packet.clone({ timestamp }), decoderConfig && { decoderConfig });
  };
  return { packets, next: null, add };
}

/** @throws NotRewrapped with the name of a codec that MP4 has no place for. */
async function codecOf(output: Output, track: InputVideoTrack | InputAudioTrack): Promise<string> {
  const codec = await track.getCodec();
  if (codec !== null && output.format.getSupportedCodecs().includes(codec)) return codec;
  const kind = track.isVideoTrack() ? 'video' : 'audio';
  throw new NotRewrapped(`${kind} in ${codecName(codec ?? (await track.getInternalCodecId()))}`);
}

const segment = 0x18538067;
const cluster = 0x1f43b675;
/** Elements with the tracks, whose children are read. */
const trackLists = [0x1654ae6b, 0xae];
const trackNumber = 0xd7;
const codecDelay = 0x56aa;

/**
 * Reads how long the sound is that the decoder of each track makes first and nobody hears, in seconds by the track's
 * number: the library does not know it. Requires every element to end within the file: the library would leave out
 * what is missing. A live recording has elements of unknown size, whose children are read instead.
 */
function readDelays(path: string): Map<number, number> {
  const delays = new Map<number, number>();
  const fd = openSync(path, 'r');
  try {
    const { size: fileSize } = fstatSync(fd);
    const bytesAt = createWindow(fd);
    let [track, end] = [0, fileSize];
    for (let place = 0; place < end;) {
      const id = readVint(bytesAt, place, true);
      const size = id && readVint(bytesAt, place + id.bytes, false);
      if (!id || !size) throw new NotRewrapped('cut short');
      place += id.bytes + size.bytes;
      const isOpen = size.value === 2 ** (7 * size.bytes) - 1;
      if (!isOpen && place + size.value > fileSize) throw new NotRewrapped('cut short');
      if (id.value === segment && !isOpen) end = place + size.value;
      if (id.value === trackNumber) track = numberAt(bytesAt, place, size.value);
      if (id.value === codecDelay) delays.set(track, numberAt(bytesAt, place, size.value) / 1e9);
      const isOpened = id.value === segment || trackLists.includes(id.value);
      if (!isOpened && !(isOpen && id.value === cluster)) place += size.value;
    }
    return delays;
  } finally {
    closeSync(fd);
  }
}

function numberAt(bytesAt: ReadAt, place: number, size: number): number {
  const bytes = bytesAt(place, size);
  return bytes && size > 0 && size <= 8 ? Number(BigInt(`0x${bytes.toString('hex', 0, size)}`)) : 0;
}
