import type { FileHandle } from 'node:fs/promises';
import { cleanBoxes, type NoteOddity } from './cleanBoxes.ts';
import { type Box, type BoxHead, findBox, InvalidMp4Error, parseBoxHead } from './mp4Boxes.ts';
import { readAt } from './mp4File.ts';
import {
  listFragmentSamples,
  listSamples,
  maxSamples,
  parseTracks,
  type Sample,
  type Track,
} from './mp4Tracks.ts';

/** A top-level box at its offset in the file. */
export interface FileBox extends BoxHead {
  offset: number;
  /** The cleaned bytes of a `moov` or `moof`, to be written back. */
  head?: Head;
}

/** A box with its children in memory. */
export interface Head {
  bytes: Buffer;
  root: Box;
}

/** The parts of an MP4 or QuickTime file, and its oddities. */
export interface Mp4Survey {
  /** The boxes up to `size`, in the order of the file. */
  boxes: FileBox[];
  /** End of the last whole box; later bytes belong to none. */
  size: number;
  moov: Head;
  tracks: Track[];
  /** All samples, by their offset; each lies within the file. */
  samples: Sample[];
  isFragmented: boolean;
  /** Corrections, made or still needed, in words for logs. */
  oddities: string[];
}

/** Maximum bytes of all `moov` and `moof` boxes; valid ones of an hour have far fewer. */
const maxHeadBytes = 64_000_000;
/** Maximum bytes of one picture, which is read into memory: a valid one in 4K has about 10 MB at most. */
const maxSampleBytes = 32_000_000;
const maxOddities = 10;
/** Maximum top-level boxes: a fragment has two, and a valid file has at most some ten thousand fragments. */
const maxBoxes = 100_000;

/**
 * Finds all samples of an MP4 or QuickTime file, without changing it. Whatever else is wrong with the file is noted:
 * only missing samples, encryption and data in other files make it invalid.
 * @throws InvalidMp4Error if samples are missing, or their tables cannot be read.
 */
export async function surveyMp4(file: FileHandle): Promise<Mp4Survey> {
  const { size: fileSize } = await file.stat();
  const oddities = new Set<string>();
  const record: NoteOddity = (oddity) => {
    if (oddities.size < maxOddities) oddities.add(oddity);
  };
  const { boxes, size, cut } = await readFileBoxes(file, fileSize, record);
  const moovBox = boxes.find(({ type }) => type === 'moov');
  if (!moovBox) throw new InvalidMp4Error(cut === null ? 'no moov box' : 'cut short, no moov box');
  let room = maxHeadBytes;
  const cleanHead = async (box: FileBox): Promise<Head> => {
    room -= box.size;
    if (room < 0) throw new InvalidMp4Error(`box ${box.type} is too large`);
    const bytes = await readAt(file, box.offset, box.size);
    const root = { type: box.type, start: 0, body: box.headBytes, end: box.size };
    cleanBoxes(bytes, root, record);
    return (box.head = { bytes, root });
  };
  const moov = await cleanHead(moovBox);
  const tracks = parseTracks(moov.bytes, moov.root);
  const isFragmented = findBox(moov.bytes, moov.root, 'mvex') !== null;
  // More fragments would follow; without them, the tables tell whether all samples are there.
  if (cut !== null && isFragmented) throw new InvalidMp4Error(`box ${cut} is cut short`);
  const samples: Sample[] = [];
  for (const track of tracks) addSamples(samples, listSamples(moov.bytes, track), fileSize);
  for (const box of boxes) {
    if (box.type === 'moov' && box !== moovBox) record('a second moov');
    if (box.type !== 'moof') continue;
    const { bytes, root } = await cleanHead(box);
    addSamples(samples, listFragmentSamples(bytes, root, box.offset, tracks), fileSize);
  }
  samples.sort((a, b) => a.offset - b.offset);
  return { boxes, size, moov, tracks, samples, isFragmented, oddities: [...oddities] };
}

/**
 * Reads the top-level boxes up to the first that cannot be one. An `mdat` may claim more than there is: its samples
 * decide whether something is missing.
 */
async function readFileBoxes(file: FileHandle, fileSize: number, note: NoteOddity) {
  const boxes: FileBox[] = [];
  let offset = 0;
  let cut: string | null = null;
  while (fileSize - offset >= 8) {
    const rest = fileSize - offset;
    const head = parseBoxHead(await readAt(file, offset, Math.min(16, rest)));
    const isLong = head.size > rest;
    if (head.size !== 0 && head.size < head.headBytes) break;
    if (isLong && head.type !== 'mdat') {
      // An index of fragments comes last, and playback does not need it.
      if (/^[\w -]{4}$/.test(head.type) && head.type !== 'mfra') cut = head.type;
      break;
    }
    if (isLong) note('mdat is longer than the file');
    const size = head.size === 0 || isLong ? rest : head.size;
    boxes.push({ ...head, size, offset });
    offset += size;
    if (boxes.length > maxBoxes) throw new InvalidMp4Error('too many boxes');
  }
  if (offset < fileSize) note(`${fileSize - offset} bytes after the last box`);
  return { boxes, size: offset, cut };
}

/** Collects samples, which must lie within the file and the limits on reading them. */
function addSamples(samples: Sample[], added: Iterable<Sample>, fileSize: number): void {
  let bytes = 0;
  for (const sample of added) {
    bytes += sample.size;
    if (sample.units && sample.size > maxSampleBytes) {
      throw new InvalidMp4Error('a sample is too large');
    }
    if (sample.offset + sample.size > fileSize) throw new InvalidMp4Error('a sample is cut short');
    if (samples.length >= maxSamples || bytes > fileSize) {
      throw new InvalidMp4Error('too many samples');
    }
    samples.push(sample);
  }
}
