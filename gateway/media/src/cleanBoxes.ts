import {
  type Box,
  boxesIn,
  clearBox,
  clearSpace,
  findBox,
  InvalidMp4Error,
  mendBoxes,
} from './mp4Boxes.ts';
import { handlerOf, type TrackHandler } from './mp4Tracks.ts';
import { rewriteSei } from './rewriteSei.ts';

/** The children of each container box that playback needs; everything else becomes free space. */
const neededWithin: Record<string, readonly string[]> = {
  moov: ['mvhd', 'trak', 'mvex'],
  trak: ['tkhd', 'edts', 'mdia'],
  edts: ['elst'],
  mdia: ['mdhd', 'hdlr', 'minf', 'elng'],
  minf: ['vmhd', 'smhd', 'dinf', 'stbl'],
  dinf: ['dref'],
  stbl: [
    ...['stsd', 'stts', 'stss', 'ctts', 'cslg', 'stsc', 'stsz', 'stz2', 'stco', 'co64'],
    ...['sgpd', 'sbgp', 'sdtp', 'padb', 'stdp'],
  ],
  mvex: ['mehd', 'trex'],
  moof: ['mfhd', 'traf'],
  traf: ['tfhd', 'tfdt', 'trun', 'sgpd', 'sbgp', 'sdtp'],
};

/**
 * Cleans a `moov` or `moof` box in place: unknown boxes and metadata become free space; free space, names and
 * creation times are zeroed. Only video and sound tracks stay: chapters, subtitles, time codes and timed
 * metadata are removed. No box moves or changes its size.
 */
export function cleanBoxes(bytes: Buffer, parent: Box, note: NoteOddity): void {
  if (mendBoxes(bytes, parent, Object.keys(neededWithin))) note(`an end of ${parent.type}`);
  cleanChildren(bytes, parent, note, null);
}

/** Records a correction in a few words. */
export type NoteOddity = (oddity: string) => void;

function cleanChildren(
  bytes: Buffer,
  parent: Box,
  note: NoteOddity,
  handler: TrackHandler | null,
): void {
  const needed = neededWithin[parent.type] ?? [];
  let end = parent.body;
  for (const box of boxesIn(bytes, parent.body, parent.end)) {
    end = box.end;
    const within = box.type === 'trak' ? handlerOf(bytes, box) : handler;
    if (!needed.includes(box.type) || (box.type === 'trak' && !within)) clearBox(bytes, box);
    else if (neededWithin[box.type]) cleanChildren(bytes, box, note, within);
    else cleanLeaf(bytes, box, note, within);
  }
  bytes.fill(0, end, parent.end);
}

function cleanLeaf(bytes: Buffer, box: Box, note: NoteOddity, handler: TrackHandler | null): void {
  switch (box.type) {
    case 'mvhd':
    case 'tkhd':
    case 'mdhd':
      // Creation and modification times, after version and flags; 64 bits each in version 1.
      clearBytes(bytes, box, 4, bytes[box.body] === 1 ? 20 : 12);
      return;
    case 'hdlr':
      // QuickTime's manufacturer and flags, then the name.
      clearBytes(bytes, box, 4, 8);
      clearBytes(bytes, box, 12, box.end - box.body);
      return;
    case 'dref':
      requireOwnData(bytes, box);
      return;
    case 'stsd':
      cleanSampleDescriptions(bytes, box, handler === 'vide', note);
  }
}

/** Requires all data to be in this file: a reference to another would reveal an address. */
function requireOwnData(bytes: Buffer, box: Box): void {
  for (const reference of boxesIn(bytes, box.body + 8, box.end)) {
    if (reference.end - reference.body < 4 || ((bytes[reference.body + 3] ?? 0) & 1) === 0) {
      throw new InvalidMp4Error('its data are in another file');
    }
    bytes.write('url ', reference.start + 4, 'latin1');
    clearBytes(bytes, reference, 4, reference.end - reference.body);
  }
}

function clearBytes(bytes: Buffer, { body, end }: Box, from: number, to: number): void {
  bytes.fill(0, Math.min(body + from, end), Math.min(body + to, end));
}

/** Boxes after the fixed fields of a sample entry without which nothing can be decoded. */
const needed = [
  ...['avcC', 'hvcC', 'lhvC', 'vvcC', 'av1C', 'vpcC', 'dvcC', 'dvvC', 'sinf'],
  ...['esds', 'dOps', 'dfLa', 'dac3', 'dec3', 'dac4', 'alac', 'pcmC', 'wave'],
];

/**
 * Boxes that describe how to show the pictures and play the sound, with the least size of each. A shorter one makes
 * readers fail on a file that plays without it.
 */
const optionalMinBytes: Readonly<Record<string, number>> = {
  colr: 18,
  pasp: 16,
  clap: 40,
  fiel: 10,
  btrt: 20,
  mdcv: 32,
  clli: 12,
  amve: 16,
  SmDm: 36,
  CoLL: 16,
  chnl: 14,
  srat: 16,
  chan: 24,
};

/** Possible offsets of the boxes in a sample entry: video; audio; audio of QuickTime's versions 1 and 2. */
const videoBoxes = [86];
const audioBoxes = [36, 52, 72];

/**
 * Cleans the sample descriptions (`stsd`) of a track in place: vendor and compressor name, unneeded boxes, and
 * information that an H.265 encoder writes about itself next to the parameter sets.
 */
function cleanSampleDescriptions(
  bytes: Buffer,
  stsd: Box,
  isVideo: boolean,
  note: NoteOddity,
): void {
  for (const entry of boxesIn(bytes, stsd.body + 8, stsd.end)) {
    const { start, end, type } = entry;
    if (type === 'encv' || type === 'enca') throw new InvalidMp4Error('encrypted');
    const offsets = isVideo ? videoBoxes : audioBoxes;
    const from = offsets.find((each) => hasBoxesAt(bytes, entry, each));
    if (from === undefined) throw new InvalidMp4Error(`sample entry ${type} cannot be read`);
    // Vendor and, for video, two quality fields: reserved in MP4. Then the compressor's name.
    bytes.fill(0, start + 20, start + (isVideo ? 32 : 24));
    if (isVideo) bytes.fill(0, start + 50, start + 82);
    let last = start + from;
    for (const box of boxesIn(bytes, start + from, end)) {
      last = box.end;
      if (isKept(bytes, box, note)) {
        if (box.type === 'hvcC') cleanHevcConfiguration(bytes, box);
      } else {
        clearBox(bytes, box);
      }
    }
    bytes.fill(0, last, end);
    if (type === 'mp4a' && from > 36) makePlainSound(bytes, entry, from);
  }
}

/** Whether a box of a sample entry stays. A description of colours without its last byte becomes QuickTime's form. */
function isKept(bytes: Buffer, box: Box, note: NoteOddity): boolean {
  if (needed.includes(box.type)) return true;
  const min = optionalMinBytes[box.type];
  if (min === undefined) return false;
  const size = box.end - box.start;
  const isShort = size < min || (box.type === 'pasp' && !isRatio(bytes, box));
  if (isShort) note(`${box.type} of ${size} bytes`);
  if (size === 18 && bytes.toString('latin1', box.start + 4, box.body + 4) === 'colrnclx') {
    note('colr without its range');
    bytes.write('nclc', box.body, 'latin1');
  }
  return !isShort;
}

const isRatio = (bytes: Buffer, box: Box) =>
  bytes.readUInt32BE(box.body) > 0 && bytes.readUInt32BE(box.body + 4) > 0;

/** Turns QuickTime's description of AAC, with its `wave` box, into MP4's, within the same bytes. */
function makePlainSound(bytes: Buffer, entry: Box, from: number): void {
  const within = { ...entry, body: entry.start + from };
  const esds = findBox(bytes, within, 'esds') ?? findBox(bytes, within, 'wave', 'esds');
  if (!esds) return;
  const { start, end } = entry;
  if (from === 72) {
    const [hertz, channels] = [bytes.readDoubleBE(start + 40), bytes.readUInt32BE(start + 48)];
    if (!(hertz < 65_536 && channels < 65_536)) return;
    bytes.writeUInt16BE(channels, start + 24);
    bytes.writeUInt32BE(Math.max(0, hertz) * 65_536, start + 32);
  }
  // Version and revision, the kind of compression and the size of its packets.
  bytes.fill(0, start + 16, start + 20);
  bytes.fill(0, start + 28, start + 32);
  const description = Buffer.from(bytes.subarray(esds.start, esds.end));
  description.copy(bytes, start + 36);
  clearSpace(bytes, start + 36 + description.length, end);
}

/** Whether boxes with plain names fill the entry from this offset on. */
function hasBoxesAt(bytes: Buffer, { start, end }: Box, from: number): boolean {
  if (start + from > end) return false;
  try {
    return [...boxesIn(bytes, start + from, end)].every(({ type }) => /^[\w -]{4}$/.test(type));
  } catch (error) {
    if (error instanceof InvalidMp4Error) return false;
    throw error;
  }
}

/** The unit arrays of an `hvcC` box (ISO/IEC 14496-15): parameter sets, and SEI (types 39 and 40). */
function cleanHevcConfiguration(bytes: Buffer, { body, end }: Box): void {
  let offset = body + 23;
  for (let arrays = bytes[body + 22] ?? 0; arrays > 0; arrays -= 1) {
    if (offset + 3 > end) throw new InvalidMp4Error('hvcC is cut short');
    const type = (bytes[offset] ?? 0) & 0x3f;
    let units = bytes.readUInt16BE(offset + 1);
    offset += 3;
    for (; units > 0; units -= 1) {
      if (offset + 2 > end) throw new InvalidMp4Error('hvcC is cut short');
      const size = bytes.readUInt16BE(offset);
      offset += 2;
      if (offset + size > end) throw new InvalidMp4Error('hvcC is cut short');
      if (type === 39 || type === 40) rewriteSei(bytes.subarray(offset, offset + size), 2);
      offset += size;
    }
  }
}
