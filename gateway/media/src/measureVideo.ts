import { createHash } from 'node:crypto';
import {
  EncodedPacketSink,
  FilePathSource,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  MP4,
} from 'mediabunny';
import { decodeFrames } from './decodeFrame.ts';
import type { DecodedFrame } from './h264/decodePicture.ts';
import { isFlat, type PictureMeasures } from './pictureMeasures.ts';

/** Measures a cleaned MP4, in the child process. @throws Error if the library cannot read it. */
export async function measureVideo(path: string): Promise<PictureMeasures> {
  using input = new Input({ formats: [MP4], source: new FilePathSource(path) });
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  const sound = audio && {
    isSilent: await isSilent(audio),
    soundSeconds: (await audio.computeDuration()) - Math.max(0, await audio.getFirstTimestamp()),
  };
  return { soundSeconds: 0, ...sound, ...(video && (await measureMotion(video))) };
}

/** Mean repetitions of a packet that no audible track reaches. */
const minRepetitions = 4;
/** Maximum distinct packets of a silent track: an encoder may need some until its bit rate is steady. */
const maxSilentPackets = 12;

/**
 * Whether a track is silent: it repeats the same packets over and over, as every encoder writes silence and none a
 * sound. Nothing is decoded, and the first moment of sound ends the search. Noise counts as sound, even if it
 * is inaudible.
 */
async function isSilent(track: InputAudioTrack): Promise<boolean> {
  const different = new Set<string>();
  let packets = 0;
  for await (const { data } of new EncodedPacketSink(track).packets()) {
    packets += 1;
    const [first = 0] = data;
    // Uncompressed samples come in packets of several sizes.
    const isOne = data.every((byte) => byte === first);
    different.add(isOne ? String(first) : createHash('sha256').update(data).digest('base64'));
    if (different.size > maxSilentPackets) return false;
  }
  return packets >= 2 * minRepetitions && packets >= minRepetitions * different.size;
}

/** Minimum mean bytes per 16 by 16 pixels of a changed frame; an unchanged one takes a tenth. */
const minBytesPerBlock = 0.15;
/** Maximum pixels of all frames of a video that is decoded to be sure: 20 s in 1080p. */
const maxPixels = 1_000_000_000;

/**
 * How a video moves. Frames without change take hardly any bytes; only a video of such frames is decoded to be sure, up
 * to the first frame that differs. So a video costs nothing unless it is frozen or nearly so. Videos that are not H.264
 * are never found to be flat or still.
 */
async function measureMotion(
  track: InputVideoTrack,
): Promise<Pick<PictureMeasures, 'framesPerSecond' | 'look'>> {
  let [frames, changes, bytes, start, end] = [0, 0, 0, Infinity, 0];
  const packets = new EncodedPacketSink(track).packets(undefined, undefined, {
    metadataOnly: true,
  });
  for await (const { timestamp, duration, byteLength, type } of packets) {
    frames += 1;
    start = Math.min(start, timestamp);
    end = Math.max(end, timestamp + duration);
    if (type === 'key') continue;
    changes += 1;
    bytes += byteLength;
  }
  const rate = end > start && { framesPerSecond: Math.round((frames / (end - start)) * 100) / 100 };
  const area = (await track.getCodedWidth()) * (await track.getCodedHeight());
  const mayBeStill = changes > 0 && bytes <= (changes * area * minBytesPerBlock) / 256;
  if (!mayBeStill || area * frames > maxPixels) return { ...rate };
  const look = await measureFrames(track).catch(() => undefined);
  return { ...rate, ...(look && { look }) };
}

/** Maximum difference, in levels of 256, between a block's means in frames that show the same. */
const maxBlockLevels = 3;

async function measureFrames(track: InputVideoTrack): Promise<PictureMeasures['look']> {
  let first: { blocks: number[]; isOneColour: boolean } | undefined;
  let luma = Buffer.alloc(0);
  for await (const frame of decodeFrames(track)) {
    const [plane] = frame.planes;
    // Most frames of a frozen video are the same, bit for bit.
    if (luma.equals(plane)) continue;
    luma = Buffer.from(plane);
    const blocks = blocksOf(frame);
    first ??= { blocks, isOneColour: isOneColour(frame) };
    const firstBlocks = first.blocks;
    if (blocks.some((mean, index) => Math.abs(mean - (firstBlocks[index] ?? 0)) > maxBlockLevels)) {
      return undefined;
    }
  }
  return first && (first.isOneColour ? 'flat' : 'still');
}

function isOneColour(frame: DecodedFrame): boolean {
  return frame.planes.every((plane, index) =>
    rowsOf(frame, index).every((row) => isFlat(row, 1, plane)),
  );
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

/** Side of a block, in pixels. */
const blockPixels = 16;

/** The mean brightness of each block of a frame. */
function blocksOf(frame: DecodedFrame): number[] {
  const across = Math.ceil(frame.width / blockPixels);
  const sums: number[] = [];
  const counts: number[] = [];
  for (const [row, pixels] of rowsOf(frame, 0).entries()) {
    const line = Math.floor(row / blockPixels) * across;
    for (let column = 0; column < pixels.length; column += 1) {
      const block = line + Math.floor(column / blockPixels);
      sums[block] = (sums[block] ?? 0) + (pixels[column] ?? 0);
      counts[block] = (counts[block] ?? 0) + 1;
    }
  }
  return sums.map((sum, block) => sum / (counts[block] ?? 1));
}
