import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import {
  mediaFormatOf,
  mediaFormats,
  mediaHeadBytes,
  type MediaFormat,
} from '@framegate/contract/mediaFormats';

/** The type of an ISO media file without a video track. */
export const audioOnlyMp4: MediaFormat = mediaFormats.m4a;

/**
 * Detects a file's type by its first bytes, never by its name or a server's claim. Null for everything except
 * the accepted JPEG, PNG, WebP; MP4, MOV, WebM; MP3, WAV, M4A, AAC.
 */
export async function sniffFile(path: string): Promise<MediaFormat | null> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(mediaHeadBytes), 0, mediaHeadBytes, 0);
    return mediaFormatOf(buffer.toString('latin1'));
  } finally {
    await file.close();
  }
}

/**
 * Maximum parts of a container. A quarter of a minute at 60 frames a second, each in its own fragment, has
 * 10,000 boxes or 1,000 clusters; uncompressed sound of 192 kHz has 3 million samples, which are counted but
 * not listed.
 */
const most = {
  boxes: 20_000,
  sampleEntries: 50,
  samples: 4_000_000,
  clusters: 5_000,
  blocks: 100_000,
  elements: 300_000,
};
type Part = keyof typeof most;

/**
 * Counts the parts of a container by their heads before any library reads it. Other or damaged files are left
 * to the library.
 * @throws Error for more parts than any valid input has: reading them would be too expensive.
 */
export function requireFewParts(path: string, { mediaType }: Pick<MediaFormat, 'mediaType'>): void {
  const scan = scans[mediaType];
  if (!scan) return;
  const counts = new Map<Part, number>();
  const count: Count = (part, by = 1) => {
    const sum = (counts.get(part) ?? 0) + by;
    counts.set(part, sum);
    if (sum > most[part]) throw new Error(`more than ${most[part]} ${part}`);
  };
  readInBlocks(path, (bytesAt) => {
    scan(bytesAt, count);
  });
}

/** Opens a file for reading heads here and there. */
export function readInBlocks<T>(path: string, read: (bytesAt: ReadAt) => T): T {
  const fd = openSync(path, 'r');
  try {
    return read(createWindow(fd));
  } finally {
    closeSync(fd);
  }
}

type Count = (part: Part, by?: number) => void;

/** Reads at least `want` bytes from an offset, or null if the file ends before. */
export type ReadAt = (place: number, want: number) => Buffer | null;

const windowBytes = 65_536;

/** Reads the file in blocks, so that neighbouring heads cost one read. */
function createWindow(fd: number): ReadAt {
  const { size } = fstatSync(fd);
  const held = Buffer.alloc(windowBytes);
  let from = 0;
  let length = 0;
  return (place, want) => {
    if (place + want > size) return null;
    if (place < from || place + want > from + length) {
      from = place;
      length = readSync(fd, held, 0, windowBytes, place);
      if (length < want) return null;
    }
    return held.subarray(place - from, length);
  };
}

/** Container boxes, with the bytes between the head and the first child. */
const parents = new Map([
  ...['moov', 'trak', 'mdia', 'minf', 'stbl', 'mvex', 'moof', 'traf'].map(
    (type) => [type, 0] as const,
  ),
  ['stsd', 8],
]);
/** Offset of the sample count of a box, after its head. */
const counted = new Map([
  ['stsz', 8],
  ['stz2', 8],
  ['trun', 4],
]);

/** A box, or a sample entry, by its place in the file. */
export interface SeenBox {
  type: string;
  start: number;
  body: number;
  end: number;
}

/** Visits all boxes that may matter. @param see Receives each, also sample entries. */
export function scanBoxes(bytesAt: ReadAt, count: Count, see?: (box: SeenBox) => void): void {
  for (let place = 0; ;) {
    const head = bytesAt(place, 8);
    if (!head) return;
    const type = head.toString('latin1', 4, 8);
    let [size, headBytes] = [head.readUInt32BE(0), 8];
    if (size === 1) {
      const long = bytesAt(place, 16);
      if (!long) return;
      [size, headBytes] = [Number(long.readBigUInt64BE(8)), 16];
    }
    see?.({ type, start: place, body: place + headBytes, end: place + size });
    count('boxes');
    const field = counted.get(type);
    const number = field === undefined ? null : bytesAt(place + headBytes + field, 4);
    if (number) count('samples', number.readUInt32BE(0));
    const entries = type === 'stsd' ? bytesAt(place + headBytes + 4, 4) : null;
    if (entries) count('sampleEntries', entries.readUInt32BE(0));
    const within = parents.get(type);
    if (within === undefined && size < headBytes) return;
    place += within === undefined ? size : headBytes + within;
  }
}

const segment = 0x18538067;
const cluster = 0x1f43b675;
const simpleBlock = 0xa3;
const blockGroup = 0xa0;
/** Container elements, possibly of unknown size; read as if their children followed them. */
export const masters = [
  ...[segment, cluster, 0x1549a966, 0x1654ae6b, 0xae, 0x1c53bb6b, 0xbb, 0x114d9b74, 0x4dbb],
];

function scanElements(bytesAt: ReadAt, count: Count): void {
  for (let place = 0; ;) {
    const id = readVint(bytesAt, place, true);
    const size = id && readVint(bytesAt, place + id.bytes, false);
    if (!id || !size) return;
    count('elements');
    if (id.value === cluster) count('clusters');
    if (id.value === simpleBlock || id.value === blockGroup) count('blocks');
    place += id.bytes + size.bytes + (masters.includes(id.value) ? 0 : size.value);
  }
}

/** A number of EBML (RFC 8794): its leading zeros give its length; an id keeps the marker bit. */
export function readVint(
  bytesAt: ReadAt,
  place: number,
  keepsMark: boolean,
): { value: number; bytes: number } | null {
  const first = bytesAt(place, 1)?.[0] ?? 0;
  if (first === 0) return null;
  const bytes = Math.clz32(first) - 23;
  const all = bytesAt(place, bytes);
  if (!all) return null;
  let value = keepsMark ? first : first & (0xff >> bytes);
  for (let next = 1; next < bytes; next += 1) value = value * 256 + (all[next] ?? 0);
  return { value, bytes };
}

const scans: Partial<Record<string, (bytesAt: ReadAt, count: Count) => void>> = {
  'video/mp4': scanBoxes,
  'video/quicktime': scanBoxes,
  'audio/mp4': scanBoxes,
  'video/webm': scanElements,
};
