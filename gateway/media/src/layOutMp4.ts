import type { FileHandle } from 'node:fs/promises';
import { requireBox } from './mp4Boxes.ts';
import { readAt, readInto, stepBytes, writeAt } from './mp4File.ts';
import { chunkOffsets, type Sample } from './mp4Tracks.ts';
import type { FileBox, Mp4Survey } from './surveyMp4.ts';

/** The first box of a file that has none: ISO media, version 2. */
const plainFtyp = Buffer.from('0000001466747970' + '69736f6d00000200' + '69736f6d', 'hex');

/** Adjacent bytes of the source, and their offset in the target. */
interface SampleRange {
  start: number;
  end: number;
  target: number;
}

/**
 * Rewrites an unfragmented file: `ftyp`, then `moov`, so playback starts immediately, then one `mdat` with nothing but
 * the samples, in their order. No sample is changed. Memory does not grow with the size.
 * @param target Empty, open for writing.
 * @returns The survey of the new file.
 */
export async function layOutMp4(
  file: FileHandle,
  survey: Mp4Survey,
  target: FileHandle,
): Promise<Mp4Survey> {
  const old = survey.boxes.find(({ type }) => type === 'ftyp');
  const ftyp = old ? await readAt(file, old.offset, old.size) : plainFtyp;
  const { bytes, root } = survey.moov;
  if (root.body === 8) bytes.writeUInt32BE(bytes.length, 0);
  const ranges = joinSamples(survey.samples);
  const total = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  const headBytes = 8 + total > 0xffffffff ? 16 : 8;
  let targetOffset = ftyp.length + bytes.length + headBytes;
  for (const range of ranges) {
    range.target = targetOffset;
    targetOffset += range.end - range.start;
  }
  for (const { box } of survey.tracks) {
    const chunks = chunkOffsets(bytes, requireBox(bytes, box, 'mdia', 'minf', 'stbl'));
    for (let chunk = 0; chunk < chunks.count; chunk += 1) {
      chunks.write(chunk, newOffset(ranges, chunks.read(chunk)));
    }
  }
  const mdat = Buffer.alloc(headBytes);
  mdat.writeUInt32BE(headBytes === 16 ? 1 : headBytes + total, 0);
  mdat.write('mdat', 4, 'latin1');
  if (headBytes === 16) mdat.writeBigUInt64BE(BigInt(headBytes + total), 8);
  const start = Buffer.concat([ftyp, bytes, mdat]);
  await writeAt(target, start, 0);
  await copyRanges(file, ranges, target, start.length);
  const boxes: FileBox[] = [
    { type: 'ftyp', offset: 0, size: ftyp.length, headBytes: 8 },
    {
      type: 'moov',
      offset: ftyp.length,
      size: bytes.length,
      head: survey.moov,
      headBytes: root.body === 16 ? 16 : 8,
    },
    { type: 'mdat', offset: ftyp.length + bytes.length, size: headBytes + total, headBytes },
  ];
  const samples = survey.samples.map((sample) => ({
    ...sample,
    offset: newOffset(ranges, sample.offset),
  }));
  return { ...survey, boxes, samples, size: targetOffset };
}

/** Joins adjacent samples, which are in the order of their offsets. */
function joinSamples(samples: readonly Sample[]): SampleRange[] {
  const ranges: SampleRange[] = [];
  let last: SampleRange | undefined;
  for (const { offset, size } of samples) {
    if (last && offset <= last.end) last.end = Math.max(last.end, offset + size);
    else ranges.push((last = { start: offset, end: offset + size, target: 0 }));
  }
  return ranges;
}

/** The new offset of a byte. A chunk without samples, whose offset does not matter, goes to the end of a range. */
function newOffset(ranges: readonly SampleRange[], offset: number): number {
  let [low, high] = [0, ranges.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.start ?? Infinity) <= offset) low = middle;
    else high = middle;
  }
  const { start = 0, end = 0, target = 0 } = ranges[low] ?? {};
  return target + Math.min(Math.max(offset, start), end) - start;
}

/** Copies the ranges one after another; small ones share a step. */
async function copyRanges(
  file: FileHandle,
  ranges: readonly SampleRange[],
  target: FileHandle,
  from: number,
): Promise<void> {
  const step = Buffer.alloc(stepBytes);
  let [filled, targetOffset] = [0, from];
  for (const { start, end } of ranges) {
    for (let offset = start; offset < end;) {
      const size = Math.min(end - offset, stepBytes - filled);
      await readInto(file, offset, step.subarray(filled, filled + size));
      offset += size;
      filled += size;
      if (filled < stepBytes) continue;
      await writeAt(target, step, targetOffset);
      targetOffset += filled;
      filled = 0;
    }
  }
  await writeAt(target, step.subarray(0, filled), targetOffset);
}
