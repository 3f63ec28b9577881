import { cleanSampleDescriptions } from './cleanSampleDescriptions.ts';
import { blankBox, boxesIn, findBox, InvalidMp4, type Box } from './mp4Boxes.ts';

/** What playing needs of each box that holds boxes; everything else becomes free space. */
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
 * Cleans a `moov` or `moof` box in place: unknown boxes and metadata become free space, free space and
 * names are zeroed, times of creation too. Only video and sound tracks stay: chapters, subtitles, time
 * codes and timed metadata go. No box changes its place or size.
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

/** What a track that stays is. */
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
      // Times of creation and modification, after version and flags; 64 bits each in version 1.
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

/** All data are in this file: a reference to another would hand out an address. */
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
