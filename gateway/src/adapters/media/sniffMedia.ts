import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { InputType } from '@framegate/contract';
import type { inputExtensions } from '../../domain/mediaFiles.ts';

/** What a file's first bytes say it is; for ISO media files the tracks decide between video and audio. */
export interface SniffedMedia {
  type: 'image' | 'video' | 'audio' | 'video or audio';
  mediaType: string;
  /** Of the stored file, without a dot. */
  extension: (typeof inputExtensions)[InputType][number];
}

const kinds = {
  jpeg: { type: 'image', mediaType: 'image/jpeg', extension: 'jpg' },
  png: { type: 'image', mediaType: 'image/png', extension: 'png' },
  webp: { type: 'image', mediaType: 'image/webp', extension: 'webp' },
  mp4: { type: 'video or audio', mediaType: 'video/mp4', extension: 'mp4' },
  mov: { type: 'video', mediaType: 'video/quicktime', extension: 'mov' },
  webm: { type: 'video', mediaType: 'video/webm', extension: 'webm' },
  m4a: { type: 'audio', mediaType: 'audio/mp4', extension: 'm4a' },
  wav: { type: 'audio', mediaType: 'audio/wav', extension: 'wav' },
  mp3: { type: 'audio', mediaType: 'audio/mpeg', extension: 'mp3' },
  aac: { type: 'audio', mediaType: 'audio/aac', extension: 'aac' },
} as const satisfies Record<string, SniffedMedia>;

/** Brands of still pictures in ISO media files (HEIF, AVIF), which are not taken. */
const pictureBrands = ['avif', 'avis', 'heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1'];

/** What an ISO media file without a video track is. */
export const audioOnlyMp4: SniffedMedia = kinds.m4a;

const headBytes = 12;

/**
 * Tells a file's type by its first bytes, never by its name or by what a server says of it. Null for
 * everything that is not taken: JPEG, PNG, WebP; MP4, MOV, WebM; MP3, WAV, M4A, AAC.
 */
export async function sniffFile(path: string): Promise<SniffedMedia | null> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return sniffMedia(buffer);
  } finally {
    await file.close();
  }
}

function sniffMedia(head: Buffer): SniffedMedia | null {
  const text = head.toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return kinds.jpeg;
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return kinds.png;
  if (text.startsWith('RIFF')) {
    const form = text.slice(8);
    return form === 'WEBP' ? kinds.webp : form === 'WAVE' ? kinds.wav : null;
  }
  if (text.slice(4, 8) === 'ftyp') {
    const brand = text.slice(8);
    if (pictureBrands.includes(brand)) return null;
    return brand === 'qt  ' ? kinds.mov : brand.startsWith('M4A') ? kinds.m4a : kinds.mp4;
  }
  if (text.startsWith('\x1aE\xdf\xa3')) return kinds.webm;
  if (text.startsWith('ID3')) return kinds.mp3;
  return sniffFrames(head);
}

/** MPEG audio frames begin with eleven set bits, then version and layer: layer 0 is AAC in ADTS. */
function sniffFrames([first = 0, second = 0]: Uint8Array): SniffedMedia | null {
  if (first !== 0xff) return null;
  if ((second & 0xf6) === 0xf0) return kinds.aac;
  const [version, layer] = [(second >> 3) & 3, (second >> 1) & 3];
  return (second & 0xe0) === 0xe0 && version !== 1 && layer === 1 ? kinds.mp3 : null;
}

/**
 * The most parts of a container. A quarter of a minute at 60 frames a second, each in a fragment of its
 * own, comes to 10,000 boxes or 1,000 clusters; sound of 192 kHz that is not compressed to 3 million
 * samples, which are counted but not listed.
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
 * Counts the parts of a container by their heads, before any library reads it. What is no container
 * of this kind, or is damaged, is left to the library.
 * @throws Error for more parts than any valid input has: reading them would cost without end.
 */
export function requireFewParts(
  path: string,
  { mediaType }: Pick<SniffedMedia, 'mediaType'>,
): void {
  const scan = scans[mediaType];
  if (!scan) return;
  const counts = new Map<Part, number>();
  const count: Count = (part, by = 1) => {
    const sum = (counts.get(part) ?? 0) + by;
    counts.set(part, sum);
    if (sum > most[part]) throw new Error(`more than ${most[part]} ${part}`);
  };
  const fd = openSync(path, 'r');
  try {
    scan(createWindow(fd), count);
  } finally {
    closeSync(fd);
  }
}

type Count = (part: Part, by?: number) => void;

/** Bytes of the file from a place on: at least `want` of them, or null where the file ends before. */
type ReadAt = (place: number, want: number) => Buffer | null;

const windowBytes = 65_536;

/** Reads the file in pieces: heads that lie close together cost one read. */
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

/** Boxes that hold boxes, with the bytes between the head and the first of them. */
const parents = new Map([
  ...['moov', 'trak', 'mdia', 'minf', 'stbl', 'mvex', 'moof', 'traf'].map(
    (type) => [type, 0] as const,
  ),
  ['stsd', 8],
]);
/** Where a box says how many samples it is about, behind its head. */
const counted = new Map([
  ['stsz', 8],
  ['stz2', 8],
  ['trun', 4],
]);

function scanBoxes(bytesAt: ReadAt, count: Count): void {
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
/** Elements that hold elements, and may be of unknown size; read as if what they hold followed them. */
const masters = [segment, cluster, 0x1654ae6b, 0xae, 0x1c53bb6b, 0xbb, 0x114d9b74, 0x4dbb];

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

/** A number of EBML (RFC 8794): its leading zeros give its length; an id keeps the mark behind them. */
function readVint(
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
