import { createHash } from 'node:crypto';
import {
  EncodedPacketSink,
  FilePathSource,
  Input,
  MP4,
  type InputAudioTrack,
  type InputVideoTrack,
} from 'mediabunny';
import { decodeFrame } from './decodeFrame.ts';
import type { DecodedFrame } from './h264/decodePicture.ts';
import { isFlat, type Looks } from './looks.ts';

/** Looks at a cleaned MP4, in the child process. @throws Error if the library cannot read it. */
export async function lookAtFilm(path: string): Promise<Looks> {
  using input = new Input({ formats: [MP4], source: new FilePathSource(path) });
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  const sound = audio && {
    isSilent: await isSilent(audio),
    soundSeconds: (await audio.computeDuration()) - Math.max(0, await audio.getFirstTimestamp()),
  };
  return { soundSeconds: 0, ...sound, ...(video && (await lookAtMotion(video))) };
}

/** Fewest packets that show whether a track changes. */
const fewestPackets = 8;
/** Different packets of a silent track: first ones, a padded last one, and two sizes of a constant bit rate. */
const mostSilent = 4;

/**
 * Whether a track is silent: its packets are one and the same, over and over, since every encoder writes silence so
 * and no sound. Nothing is decoded, and the first moment of sound ends the search. Noise counts as sound, also if it
 * cannot be heard.
 */
async function isSilent(track: InputAudioTrack): Promise<boolean> {
  const different = new Set<string>();
  let packets = 0;
  for await (const { data } of new EncodedPacketSink(track).packets()) {
    packets += 1;
    const [first = 0] = data;
    // Uncompressed samples come in packets of several sizes.
    const isOne = data.every((byte) => byte === first);
    different.add(isOne ? String(first) : createHash('sha1').update(data).digest('base64'));
    if (different.size > mostSilent) return false;
  }
  return packets >= fewestPackets;
}

/** Bytes for each 16 by 16 pixels that a changed frame needs on average at least; frozen films have a tenth. */
const bytesPerBlock = 0.15;
/** Frames with most bytes whose pictures are compared with the first, beside the last. */
const compared = 2;
/** Pixels of all frames together up to which a film is decoded to be sure: 10 s in 1080p. */
const mostPixels = 500_000_000;

/**
 * What a film looks like. Frames without change take hardly any bytes; only a film of such frames is decoded, at the
 * frames with most bytes, to be sure. So a film costs nothing unless it is frozen or nearly so. Films that are not
 * H.264 are never found to be flat or still.
 */
async function lookAtMotion(
  track: InputVideoTrack,
): Promise<Pick<Looks, 'framesPerSecond' | 'look'>> {
  const frames: { at: number; bytes: number; isKey: boolean }[] = [];
  let end = 0;
  const packets = new EncodedPacketSink(track).packets(undefined, undefined, {
    metadataOnly: true,
  });
  for await (const { timestamp, duration, byteLength, type } of packets) {
    frames.push({ at: timestamp, bytes: byteLength, isKey: type === 'key' });
    end = Math.max(end, timestamp + duration);
  }
  const start = frames.reduce((least, { at }) => Math.min(least, at), Infinity);
  const rate =
    end > start ? { framesPerSecond: Math.round((frames.length / (end - start)) * 100) / 100 } : {};
  const area = (await track.getCodedWidth()) * (await track.getCodedHeight());
  const changes = frames.filter(({ isKey }) => !isKey);
  const bytes = changes.reduce((sum, change) => sum + change.bytes, 0);
  const mayBeStill = bytes <= (changes.length * area * bytesPerBlock) / 256;
  if (changes.length === 0 || !mayBeStill || area * frames.length > mostPixels) return rate;
  const largest = changes.toSorted((a, b) => b.bytes - a.bytes).slice(0, compared);
  const last = frames.reduce((latest, { at }) => Math.max(latest, at), 0);
  const times = [...new Set([...largest.map(({ at }) => at), last])].toSorted((a, b) => a - b);
  const look = await lookAtFrames(track, times).catch(() => undefined);
  return { ...rate, ...(look && { look }) };
}

/** Levels, of 256, by which the mean of a block may differ between frames that show the same. */
const sameBlock = 3;

async function lookAtFrames(
  track: InputVideoTrack,
  times: readonly number[],
): Promise<Looks['look']> {
  const { frame } = await decodeFrame(track, 'first');
  const shown = blocksOf(frame);
  for (const time of times) {
    const blocks = blocksOf((await decodeFrame(track, time)).frame);
    if (blocks.some((mean, at) => Math.abs(mean - (shown[at] ?? 0)) > sameBlock)) return undefined;
  }
  const isOneColour = frame.planes.every((plane, at) =>
    rowsOf(frame, at).every((row) => isFlat(row, 1, plane)),
  );
  return isOneColour ? 'flat' : 'still';
}

/** The rows of a plane of a frame. */
function rowsOf({ width, height, planes, strides }: DecodedFrame, plane: number): Uint8Array[] {
  const [bytes = new Uint8Array(), stride, length] =
    plane === 0
      ? ([planes[0], strides[0], width] as const)
      : ([planes[plane], strides[1], width >> 1] as const);
  const rows = plane === 0 ? height : height >> 1;
  return Array.from({ length: rows }, (_, row) =>
    bytes.subarray(row * stride, row * stride + length),
  );
}

/** Pixels of a block's side. */
const side = 16;

/** The mean brightness of each block of a frame. */
function blocksOf(frame: DecodedFrame): number[] {
  const across = Math.ceil(frame.width / side);
  const sums: number[] = [];
  const counts: number[] = [];
  for (const [row, pixels] of rowsOf(frame, 0).entries()) {
    const line = Math.floor(row / side) * across;
    for (let column = 0; column < pixels.length; column += 1) {
      const block = line + Math.floor(column / side);
      sums[block] = (sums[block] ?? 0) + (pixels[column] ?? 0);
      counts[block] = (counts[block] ?? 0) + 1;
    }
  }
  return sums.map((sum, block) => sum / (counts[block] ?? 1));
}
