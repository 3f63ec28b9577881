import { appendRange } from './appendRange.ts';

/**
 * The frames of an MP3 or AAC file, without the tags around them (ID3, APE), which can contain images, names
 * and locations.
 * @returns The same bytes if there are none.
 */
export function stripTags(bytes: Buffer): Buffer {
  let [start, end] = [0, bytes.length];
  while (bytes.toString('latin1', start, start + 3) === 'ID3' && start + 10 <= end) {
    start = Math.min(end, start + sizeOfId3(bytes, start));
    // Padding that the tag does not count.
    while (start < end && bytes[start] === 0) start += 1;
  }
  for (let isTag = true; isTag;) {
    const before = end;
    if (end - start >= 128 && bytes.toString('latin1', end - 128, end - 125) === 'TAG') {
      end -= 128;
    } else if (end - start >= 32 && bytes.toString('latin1', end - 32, end - 24) === 'APETAGEX') {
      end = Math.max(start, end - sizeOfApe(bytes, end - 32));
    } else if (end - start >= 10 && bytes.toString('latin1', end - 10, end - 7) === '3DI') {
      end = Math.max(start, end - sizeOfId3(bytes, end - 10) - 10);
    }
    isTag = end < before;
  }
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
}

/** Size of an ID3v2 tag from its header or footer (seven bits per byte). */
function sizeOfId3(bytes: Buffer, offset: number): number {
  let size = 0;
  for (let each = 6; each < 10; each += 1) size = size * 128 + ((bytes[offset + each] ?? 0) & 127);
  const hasFooter = ((bytes[offset + 5] ?? 0) & 0x10) !== 0 && bytes[offset] === 0x49;
  return size + (hasFooter ? 20 : 10);
}

function sizeOfApe(bytes: Buffer, footer: number): number {
  const hasHeader = (bytes.readUInt32LE(footer + 20) & 0x80000000) !== 0;
  return bytes.readUInt32LE(footer + 12) + (hasHeader ? 32 : 0);
}

/** Chunks of a WAV that are needed to play it. */
const wavChunks = ['fmt ', 'fact', 'data'];

/**
 * A WAV file without its metadata chunks (`LIST`, `id3 `, `bext`, `iXML` and all others).
 * @returns The same bytes if there is nothing to remove.
 */
export function stripWav(bytes: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.from(bytes.subarray(0, 12))];
  let sum = 12;
  for (let offset = 12; offset + 8 <= bytes.length;) {
    const size = bytes.readUInt32LE(offset + 4);
    // Interrupted recorders leave the size of their data open.
    const end = Math.min(bytes.length, offset + 8 + size + (size & 1));
    const type = bytes.toString('latin1', offset, offset + 4);
    if (wavChunks.includes(type)) {
      appendRange(parts, bytes, offset, end);
      sum += end - offset;
    }
    offset = end;
  }
  if (sum !== bytes.length) parts[0]?.writeUInt32LE(sum - 8, 4);
  const stripped = Buffer.concat(parts);
  return stripped.equals(bytes) ? bytes : stripped;
}
