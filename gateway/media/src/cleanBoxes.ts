import { blankBox, boxesIn, findBox, InvalidMp4, type Box } from './readMp4.ts';
import { rewriteSei } from './rewriteSei.ts';

/** The children of each container box that playback needs; everything else becomes free space. */
const neededWithin: Record<string, readonly string[]> = {
  moov: ['mvhd', 'trak', 'mvex'],
  trak: ['tkhd', 'edts', 'mdia'],
  edts: ['elst'],
  mdia: ['mdhd', 'hdlr', 'minf', 'elng'],
  minf: ['vmhd', 'smhd', 'hdlr', 'dinf', 'stbl'],
  dinf: ['dref'],
  stbl: [
    ...['stsd', 'stts', 'stss', 'ctts', 'cslg', 'stsc', 'stsz', 'stco', 'co64'],
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
export function cleanBoxes(bytes: Buffer, parent: Box, handler: TrackHandler | null = null): void {
  const needed = neededWithin[parent.type] ?? [];
  let end = parent.body;
  for (const box of boxesIn(bytes, parent.body, parent.end)) {
    end = box.end;
    const within = box.type === 'trak' ? handlerOf(bytes, box) : handler;
    if (!needed.includes(box.type) || (box.type === 'trak' && !within)) blankBox(bytes, box);
    else if (neededWithin[box.type]) cleanBoxes(bytes, box, within);
    else cleanLeaf(bytes, box, within);
  }
  bytes.fill(0, end, parent.end);
}

/** The handler of a kept track. */
export type TrackHandler = 'vide' | 'soun';

function handlerOf(bytes: Buffer, track: Box): TrackHandler | null {
  const handler = findBox(bytes, track, 'mdia', 'hdlr');
  if (!handler || handler.end - handler.body < 12) return null;
  const type = bytes.toString('latin1', handler.body + 8, handler.body + 12);
  return type === 'vide' || type === 'soun' ? type : null;
}

function cleanLeaf(bytes: Buffer, box: Box, handler: TrackHandler | null): void {
  switch (box.type) {
    case 'mvhd':
    case 'tkhd':
    case 'mdhd':
      // Creation and modification times, after version and flags; 64 bits each in version 1.
      zero(bytes, box, 4, bytes[box.body] === 1 ? 20 : 12);
      return;
    case 'hdlr':
      // QuickTime's manufacturer and flags, then the name.
      zero(bytes, box, 4, 8);
      zero(bytes, box, 12, box.end - box.body);
      return;
    case 'dref':
      requireOwnData(bytes, box);
      return;
    case 'stsd':
      cleanSampleDescriptions(bytes, box, handler === 'vide');
      return;
  }
}

/** Requires all data to be in this file: a reference to another would reveal an address. */
function requireOwnData(bytes: Buffer, box: Box): void {
  for (const reference of boxesIn(bytes, box.body + 8, box.end)) {
    if (reference.end - reference.body < 4 || ((bytes[reference.body + 3] ?? 0) & 1) === 0) {
      throw new InvalidMp4('its data are in another file');
    }
    zero(bytes, reference, 4, reference.end - reference.body);
  }
}

function zero(bytes: Buffer, { body, end }: Box, from: number, to: number): void {
  bytes.fill(0, Math.min(body + from, end), Math.min(body + to, end));
}

/** Boxes after the fixed fields of a sample entry that decoders and players read. */
const needed = [
  ...['avcC', 'hvcC', 'lhvC', 'vvcC', 'av1C', 'vpcC', 'dvcC', 'dvvC'],
  ...['colr', 'pasp', 'clap', 'fiel', 'btrt', 'mdcv', 'clli', 'amve', 'SmDm', 'CoLL'],
  ...[
    'esds',
    'chnl',
    'srat',
    'dOps',
    'dfLa',
    'dac3',
    'dec3',
    'dac4',
    'alac',
    'pcmC',
    'wave',
    'chan',
  ],
];

/** Possible offsets of the boxes in a sample entry: video; audio; audio of QuickTime's version 1. */
const videoBoxes = [86];
const audioBoxes = [36, 52];

/**
 * Cleans the sample descriptions (`stsd`) of a track in place: vendor and compressor name, unneeded boxes, and
 * information that an H.265 encoder writes about itself next to the parameter sets.
 */
export function cleanSampleDescriptions(bytes: Buffer, stsd: Box, isVideo: boolean): void {
  for (const entry of boxesIn(bytes, stsd.body + 8, stsd.end)) {
    const { start, end } = entry;
    const places = isVideo ? videoBoxes : audioBoxes;
    const from = places.find((each) => hasBoxesAt(bytes, entry, each));
    if (from === undefined) throw new InvalidMp4(`sample entry ${entry.type} cannot be read`);
    // Vendor and, for video, two quality fields: reserved in MP4. Then the compressor's name.
    bytes.fill(0, start + 20, start + (isVideo ? 32 : 24));
    if (isVideo) bytes.fill(0, start + 50, start + 82);
    let last = start + from;
    for (const box of boxesIn(bytes, start + from, end)) {
      last = box.end;
      if (!needed.includes(box.type)) blankBox(bytes, box);
      else if (box.type === 'hvcC') cleanHevcConfiguration(bytes, box);
    }
    bytes.fill(0, last, end);
  }
}

/** Whether boxes with plain names fill the entry from this offset on. */
function hasBoxesAt(bytes: Buffer, { start, end }: Box, from: number): boolean {
  if (start + from > end) return false;
  try {
    return [...boxesIn(bytes, start + from, end)].every(({ type }) => /^[\w -]{4}$/.test(type));
  } catch (error) {
    if (error instanceof InvalidMp4) return false;
    throw error;
  }
}

/** The unit arrays of an `hvcC` box (ISO/IEC 14496-15): parameter sets, and SEI (types 39 and 40). */
function cleanHevcConfiguration(bytes: Buffer, { body, end }: Box): void {
  let place = body + 23;
  for (let arrays = bytes[body + 22] ?? 0; arrays > 0; arrays -= 1) {
    if (place + 3 > end) throw new InvalidMp4('hvcC is cut short');
    const type = (bytes[place] ?? 0) & 0x3f;
    let units = bytes.readUInt16BE(place + 1);
    place += 3;
    for (; units > 0; units -= 1) {
      if (place + 2 > end) throw new InvalidMp4('hvcC is cut short');
      const size = bytes.readUInt16BE(place);
      place += 2;
      if (place + size > end) throw new InvalidMp4('hvcC is cut short');
      if (type === 39 || type === 40) rewriteSei(bytes.subarray(place, place + size), 2);
      place += size;
    }
  }
}
