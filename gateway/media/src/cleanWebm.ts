import { elementsOf, isMaster, segment } from './ebml.ts';
import type { ReadAt } from './fileWindow.ts';

/** Elements that playback needs, besides those whose children are examined. */
const needed = [
  // The head of the file; scale of the times and duration; places and times of the index.
  ...[0x1a45dfa3, 0x2ad7b1, 0x4489, 0x53ab, 0x53ac, 0xb3, 0xb7],
  // Of clusters: their time, place and size, and the frames.
  ...[0xe7, 0xa7, 0xab, 0xa3, 0xa0],
  // Of tracks: number, id, kind, use, rates, language, codec, delays, pictures, sound, encodings and mappings.
  ...[0xd7, 0x73c5, 0x83, 0xb9, 0x88, 0x55aa, 0x9c, 0x6de7, 0x6df8, 0x23e383, 0x234e7a, 0x23314f],
  ...[0x22b59c, 0x22b59d, 0x86, 0x63a2, 0xaa, 0x56aa, 0x56bb, 0xe0, 0xe1, 0x6d80, 0x55ee, 0x41e4],
];
/** Names of the programs that made the file, which every file must have: they become empty. */
const emptied = [0x4d80, 0x5741];

/** A change of a file: `bytes` at an offset. */
export interface Patch {
  offset: number;
  bytes: Buffer;
}

/**
 * Lists the changes that remove everything from a WebM that playback does not need, such as tags, titles, dates and
 * attached files, without moving anything: each becomes `Void` of the same size (RFC 8794), as do bytes after the
 * last element.
 */
export function* cleanWebm(bytesAt: ReadAt, fileSize: number): Generator<Patch> {
  let [reached, end] = [0, fileSize];
  for (const element of elementsOf(bytesAt, isMaster)) {
    const { id, start, body } = element;
    if (start >= end) break;
    if (id === segment) end = Math.min(end, element.end);
    const to = Math.min(element.end, fileSize);
    if (emptied.includes(id)) yield { offset: body, bytes: Buffer.alloc(to - body) };
    else if (!isMaster(element) && !needed.includes(id)) yield voidOf(start, to);
    reached = isMaster(element) ? body : to;
  }
  if (fileSize - reached >= 2) yield voidOf(reached, fileSize);
}

/** Makes a range of at least two bytes a `Void` element. */
function voidOf(offset: number, end: number): Patch {
  const size = end - offset;
  const bytes = Buffer.alloc(size);
  bytes[0] = 0xec;
  if (size - 2 < 127) bytes[1] = 0x80 | (size - 2);
  else bytes.writeBigUInt64BE(BigInt(size - 9) | (1n << 56n), 1);
  return { offset, bytes };
}
