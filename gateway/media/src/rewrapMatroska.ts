import {
  type AudioCodec,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  FilePathTarget,
  Input,
  type InputAudioTrack,
  type InputTrack,
  type InputVideoTrack,
  MATROSKA,
  Mp4OutputFormat,
  Output,
  type VideoCodec,
  WEBM,
} from 'mediabunny';
import { codecName } from './codecNames.ts';
import { cluster, type Element, elementsOf, segment } from './ebml.ts';
import { type ReadAt, readInBlocks } from './fileWindow.ts';

/** A Matroska or WebM file of which no MP4 can be made. */
export class RewrapError extends Error {
  override readonly name = 'RewrapError';
}

/** A track of the source, and the one in the target to which its packets go. */
interface TrackCopy {
  packets: AsyncIterator<EncodedPacket, void>;
  next: EncodedPacket | null;
  add(packet: EncodedPacket): Promise<void>;
}

/**
 * Remuxes a Matroska or WebM file into an MP4, in the child process, without decoding: frames keep their times, size,
 * rotation and colours. Only the parts being copied are in memory.
 * @param target The path of the MP4, whose `moov` comes last.
 * @returns The former container, for logs.
 * @throws RewrapError if it is cut short, or a codec cannot be in MP4.
 */
export async function rewrapMatroska(path: string, target: string): Promise<string> {
  const delays = readDelays(path);
  using input = new Input({ formats: [MATROSKA, WEBM], source: new FilePathSource(path) });
  if (!(await input.canRead())) throw new RewrapError('Matroska that cannot be read');
  const name = (await input.getFormat()) === WEBM ? 'WebM' : 'Matroska';
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: false }),
    target: new FilePathTarget(target),
  });
  const copies: TrackCopy[] = [];
  const delayOf = ({ id }: InputTrack) => delays.get(id) ?? 0;
  for (const track of await input.getVideoTracks()) copies.push(await addVideo(output, track));
  if (copies.length === 0) throw new RewrapError('no video track');
  for (const track of await input.getAudioTracks()) {
    copies.push(await addAudio(output, track, delayOf(track)));
  }
  await output.start();
  for (const copy of copies) copy.next = (await copy.packets.next()).value ?? null;
  for (;;) {
    const copy = earliest(copies);
    if (!copy?.next) break;
    await copy.add(copy.next);
    copy.next = (await copy.packets.next()).value ?? null;
  }
  await output.finalize();
  return name;
}

/** The track whose next packet comes first, so that those of one time stand together in the file. */
function earliest(copies: readonly TrackCopy[]): TrackCopy | undefined {
  return copies
    .filter(({ next }) => next)
    .toSorted((a, b) => (a.next?.timestamp ?? 0) - (b.next?.timestamp ?? 0))[0];
}

async function addVideo(output: Output, track: InputVideoTrack): Promise<TrackCopy> {
  const source = new EncodedVideoPacketSource((await readCodec(output, track)) as VideoCodec);
  const decoderConfig = withoutGuesses((await track.getDecoderConfig()) ?? undefined);
  output.addVideoTrack(source, { rotation: await track.getRotation() });
  const packets = new EncodedPacketSink(track).packets();
  const add = (packet: EncodedPacket) => source.add(packet, decoderConfig && { decoderConfig });
  return { packets, next: null, add };
}

/** The colours of a decoder's configuration, as WebCodecs names them. */
interface Colours {
  primaries?: string | null;
  transfer?: string | null;
  matrix?: string | null;
  fullRange?: boolean | null;
}

/** Omits unknown colours: the library would otherwise state a range. */
function withoutGuesses<T extends object>(config: T | undefined): T | undefined {
  const { colorSpace = {} } = (config ?? {}) as { colorSpace?: Colours };
  const { primaries, transfer, matrix, fullRange } = colorSpace;
  const isKnown = (primaries ?? transfer ?? matrix ?? null) !== null || fullRange === true;
  return !config || isKnown ? config : { ...config, colorSpace: {} };
}

/** @param delaySeconds Inaudible seconds at the start, whose packets get times below zero. */
async function addAudio(
  output: Output,
  track: InputAudioTrack,
  delaySeconds: number,
): Promise<TrackCopy> {
  const source = new EncodedAudioPacketSource((await readCodec(output, track)) as AudioCodec);
  const decoderConfig = (await track.getDecoderConfig()) ?? undefined;
  output.addAudioTrack(source);
  const packets = new EncodedPacketSink(track).packets();
  const add = (packet: EncodedPacket) => {
    const timestamp = packet.timestamp - delaySeconds;
    return source.add(packet.clone({ timestamp }), decoderConfig && { decoderConfig });
  };
  return { packets, next: null, add };
}

/** @throws RewrapError with the name of a codec that MP4 cannot hold. */
async function readCodec(
  output: Output,
  track: InputVideoTrack | InputAudioTrack,
): Promise<string> {
  const codec = await track.getCodec();
  if (codec !== null && output.format.getSupportedCodecs().includes(codec)) return codec;
  const kind = track.isVideoTrack() ? 'video' : 'audio';
  throw new RewrapError(`${kind} in ${codecName(codec ?? (await track.getInternalCodecId()))}`);
}

/** Elements with the tracks, whose children are read. */
const trackLists = [0x1654ae6b, 0xae];
const trackNumber = 0xd7;
const codecDelay = 0x56aa;

/** Elements of unknown size, as in live recordings, are opened instead of skipped. */
const isOpened = ({ id, end }: Element) =>
  id === segment || trackLists.includes(id) || (id === cluster && end === Infinity);

/**
 * Reads each track's codec delay, in seconds by the track's number: sound at the start that players discard, which the
 * library does not report. Requires every element to end within the file, because the library would silently drop
 * missing parts.
 */
function readDelays(path: string): Map<number, number> {
  return readInBlocks(path, (bytesAt, fileSize) => {
    const delays = new Map<number, number>();
    let [track, reached, end] = [0, 0, fileSize];
    for (const element of elementsOf(bytesAt, isOpened)) {
      const { id, start, body } = element;
      if (start >= end) break;
      if (element.end !== Infinity && element.end > fileSize) throw new RewrapError('cut short');
      if (id === segment) end = Math.min(end, element.end);
      if (id === trackNumber) track = numberAt(bytesAt, element);
      if (id === codecDelay) delays.set(track, numberAt(bytesAt, element) / 1e9);
      reached = isOpened(element) ? body : element.end;
    }
    if (reached < end) throw new RewrapError('cut short');
    return delays;
  });
}

function numberAt(bytesAt: ReadAt, { body, end }: Element): number {
  const size = end - body;
  const bytes = bytesAt(body, size);
  return bytes && size > 0 && size <= 8 ? Number(BigInt(`0x${bytes.toString('hex', 0, size)}`)) : 0;
}
