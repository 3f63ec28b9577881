import { type FileHandle, open } from 'node:fs/promises';
import {
  type MediaFormat,
  mediaFormatOf,
  mediaFormats,
  mediaHeadBytes,
} from '@framegate/contract/mediaFormats';
import { cluster, elementsOf, isMaster } from './ebml.ts';
import { type ReadAt, readInBlocks } from './fileWindow.ts';

/** The type of an ISO media file without a video track. */
export const audioOnlyMp4: MediaFormat = mediaFormats.m4a;

/**
 * Detects a file's type by its first bytes, never by its name or a server's claim. Null for everything except
 * the accepted JPEG, PNG, WebP; MP4, MOV, WebM; MP3, WAV, M4A, AAC.
 */
export async function sniffFile(path: string): Promise<MediaFormat | null> {
  const file = await open(path);
  try {
    return mediaFormatOf(await readHead(file, 0)) ?? (await sniffBoxes(file));
  } finally {
    await file.close();
  }
}

/** The bytes at an offset that identify a format, as Latin-1. */
async function readHead(file: FileHandle, offset: number): Promise<string> {
  const { buffer } = await file.read(Buffer.alloc(mediaHeadBytes), 0, mediaHeadBytes, offset);
  return buffer.toString('latin1');
}

/** Boxes that may come before `ftyp`. */
const leading = ['free', 'skip', 'wide', 'uuid', 'pnot'];
const maxLeadingBoxes = 16;

/** The format of an ISO media file whose `ftyp` is not its first box. */
async function sniffBoxes(file: FileHandle): Promise<MediaFormat | null> {
  for (let [boxes, offset] = [0, 0]; boxes < maxLeadingBoxes; boxes += 1) {
    const head = await readHead(file, offset);
    const type = head.slice(4, 8);
    if (type === 'ftyp') return mediaFormatOf(head);
    // QuickTime wrote files without one.
    if (type === 'moov' || type === 'mdat') return mediaFormats.mov;
    const size = Buffer.from(head, 'latin1').readUInt32BE(0);
    if (!leading.includes(type) || size < 8) return null;
    offset += size;
  }
  return null;
}

/** Whether it is an ISO media file or one of QuickTime, whose boxes are the same. */
export const isIsoMedia = ({ mediaType }: Pick<MediaFormat, 'mediaType'>): boolean =>
  scans[mediaType] === scanBoxes;

/**
 * Maximum parts of a container. A quarter of a minute at 60 frames a second, each in its own fragment, has
 * 10,000 boxes or 1,000 clusters; uncompressed sound of 192 kHz has 3 million samples, which are counted but
 * not listed.
 */
const maxParts = {
  boxes: 20_000,
  sampleEntries: 50,
  samples: 4_000_000,
  clusters: 5_000,
  blocks: 100_000,
  elements: 300_000,
};
type ContainerPart = keyof typeof maxParts;

/**
 * Counts the parts of a container by their heads before any library reads it. Other or damaged files are left
 * to the library.
 * @throws Error for more parts than any valid input has: reading them would be too expensive.
 */
export function requireFewParts(path: string, { mediaType }: Pick<MediaFormat, 'mediaType'>): void {
  const scan = scans[mediaType];
  if (!scan) return;
  const counts = new Map<ContainerPart, number>();
  const count: CountParts = (part, by = 1) => {
    const sum = (counts.get(part) ?? 0) + by;
    counts.set(part, sum);
    if (sum > maxParts[part]) throw new Error(`more than ${maxParts[part]} ${part}`);
  };
  readInBlocks(path, (bytesAt) => {
    scan(bytesAt, count);
  });
}

type CountParts = (part: ContainerPart, by?: number) => void;

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

/** Visits all boxes that may matter. @param see Receives the type of each, also of sample entries. */
export function scanBoxes(bytesAt: ReadAt, count: CountParts, see?: (type: string) => void): void {
  for (let offset = 0; ;) {
    const head = bytesAt(offset, 8);
    if (!head) return;
    const type = head.toString('latin1', 4, 8);
    let [size, headBytes] = [head.readUInt32BE(0), 8];
    if (size === 1) {
      const long = bytesAt(offset, 16);
      if (!long) return;
      [size, headBytes] = [Number(long.readBigUInt64BE(8)), 16];
    }
    see?.(type);
    count('boxes');
    const field = counted.get(type);
    const number = field === undefined ? null : bytesAt(offset + headBytes + field, 4);
    if (number) count('samples', number.readUInt32BE(0));
    const entries = type === 'stsd' ? bytesAt(offset + headBytes + 4, 4) : null;
    if (entries) count('sampleEntries', entries.readUInt32BE(0));
    const within = parents.get(type);
    if (within === undefined && size < headBytes) return;
    offset += within === undefined ? size : headBytes + within;
  }
}

const simpleBlock = 0xa3;
const blockGroup = 0xa0;

function scanElements(bytesAt: ReadAt, count: CountParts): void {
  for (const { id } of elementsOf(bytesAt, isMaster)) {
    count('elements');
    if (id === cluster) count('clusters');
    if (id === simpleBlock || id === blockGroup) count('blocks');
  }
}

const scans: Partial<Record<string, (bytesAt: ReadAt, count: CountParts) => void>> = {
  'video/mp4': scanBoxes,
  'video/quicktime': scanBoxes,
  'audio/mp4': scanBoxes,
  'video/webm': scanElements,
};
