import { type AudioPackets, audioPackets } from './audioPackets.ts';
import {
  type Box,
  boxesIn,
  fieldOffset,
  findBox,
  InvalidMp4Error,
  readInt,
  requireBox,
} from './mp4Boxes.ts';

/** Position of a sample in the file, in bytes, and the framing of its units. */
export interface Sample {
  offset: number;
  size: number;
  units: UnitFraming | null;
}

/** Framing of H.264 or H.265 units within samples: each follows its length in `lengthBytes` bytes. */
export interface UnitFraming {
  codec: 'h264' | 'h265';
  lengthBytes: number;
}

/** The parts of a track needed to find its samples. */
export interface Track {
  id: number;
  box: Box;
  handler: TrackHandler;
  /** The track's sample descriptions, such as `avc1`. */
  entries: Box[];
  units: UnitFraming | null;
  /** Packets of uncompressed or QuickTime sound, whose table of sizes may count something else. */
  packets: AudioPackets | null;
  /** Size of a fragment's samples unless the fragment states it (`trex`). */
  defaultSize: number;
}

/** The handler of a kept track. */
export type TrackHandler = 'vide' | 'soun';

/** Whether a track has pictures or sound; null for any other. */
export function handlerOf(bytes: Buffer, track: Box): TrackHandler | null {
  const handler = findBox(bytes, track, 'mdia', 'hdlr');
  if (!handler || handler.end - handler.body < 12) return null;
  const type = bytes.toString('latin1', handler.body + 8, handler.body + 12);
  return type === 'vide' || type === 'soun' ? type : null;
}

/** More samples than any valid output has: 4 hours at 60 frames per second. */
export const maxSamples = 1_000_000;

/** The tracks of a cleaned `moov`: video and sound. */
export function parseTracks(moov: Buffer, root: Box): Track[] {
  const fragments = findBox(moov, root, 'mvex');
  const defaults = fragments ? [...boxesIn(moov, fragments.body, fragments.end)] : [];
  return [...boxesIn(moov, root.body, root.end)]
    .filter((box) => box.type === 'trak')
    .map((box) => {
      const head = requireBox(moov, box, 'tkhd');
      const id = readInt(moov, head, moov[head.body] === 1 ? 20 : 12);
      const trex = defaults.find((each) => each.type === 'trex' && readInt(moov, each, 4) === id);
      const defaultSize = trex ? readInt(moov, trex, 16) : 0;
      const handler = handlerOf(moov, box) ?? 'vide';
      const stsd = requireBox(moov, box, 'mdia', 'minf', 'stbl', 'stsd');
      const entries = [...boxesIn(moov, stsd.body + 8, stsd.end)];
      const units = parseFraming(moov, entries);
      const [entry] = entries;
      const packets = handler === 'soun' && entry ? audioPackets(moov, entry) : null;
      return { id, box, handler, entries, units, packets, defaultSize };
    });
}

/**
 * The samples listed in a track's table; none for a fragmented file. Of samples of one size, as in uncompressed sound,
 * a chunk counts as one.
 */
export function* listSamples(moov: Buffer, track: Track): Generator<Sample> {
  const table = requireBox(moov, track.box, 'mdia', 'minf', 'stbl');
  const { count, sizeOf, fixed } = sampleSizes(moov, table);
  const chunkOf = requireBox(moov, table, 'stsc');
  const chunks = chunkOffsets(moov, table);
  const runs = requireCount(readInt(moov, chunkOf, 4));
  let sample = 0;
  let run = 0;
  for (let chunk = 0; chunk < chunks.count && sample < count; chunk += 1) {
    // Runs name the first chunk, counted from 1, to which they apply.
    while (run + 1 < runs && readInt(moov, chunkOf, 8 + (run + 1) * 12) <= chunk + 1) run += 1;
    let offset = chunks.read(chunk);
    const inChunk = Math.min(readInt(moov, chunkOf, 8 + run * 12 + 4), count - sample);
    if (fixed > 0 && !track.units) {
      const { samples, bytes } = track.packets ?? { samples: 1, bytes: fixed };
      yield {
        offset,
        size: Math.max(fixed * inChunk, Math.ceil(inChunk / samples) * bytes),
        units: null,
      };
      sample += inChunk;
      continue;
    }
    for (const end = sample + inChunk; sample < end; sample += 1) {
      const size = sizeOf(sample);
      yield { offset, size, units: track.units };
      offset += size;
    }
  }
}

/** The sizes of a track's samples, from `stsz` or the compact `stz2`. */
function sampleSizes(moov: Buffer, table: Box) {
  const compact = findBox(moov, table, 'stz2');
  const box = compact ?? requireBox(moov, table, 'stsz');
  const count = readInt(moov, box, 8);
  const bits = compact ? readInt(moov, compact, 4) & 0xff : 32;
  const fixed = compact ? 0 : readInt(moov, box, 4);
  if (fixed === 0) requireCount(count);
  const sizeOf = (sample: number) => {
    if (fixed > 0) return fixed;
    if (bits === 32) return readInt(moov, box, 12 + sample * 4);
    if (bits === 4) {
      const both = moov[fieldOffset(box, 12 + (sample >> 1), 1)] ?? 0;
      return sample % 2 === 0 ? both >> 4 : both & 15;
    }
    return moov.readUIntBE(fieldOffset(box, 12 + (sample * bits) / 8, bits / 8), bits / 8);
  };
  return { count, fixed, sizeOf };
}

/** The offsets of a track's chunks in the file, to be read and changed. */
export function chunkOffsets(moov: Buffer, table: Box) {
  const long = findBox(moov, table, 'co64');
  const box = long ?? requireBox(moov, table, 'stco');
  const bytes = long ? 8 : 4;
  const offsetOf = (chunk: number) => fieldOffset(box, 8 + chunk * bytes, bytes);
  return {
    count: requireCount(readInt(moov, box, 4)),
    read: (chunk: number) =>
      long ? Number(moov.readBigUInt64BE(offsetOf(chunk))) : moov.readUInt32BE(offsetOf(chunk)),
    write: (chunk: number, offset: number) =>
      long
        ? moov.writeBigUInt64BE(BigInt(offset), offsetOf(chunk))
        : moov.writeUInt32BE(offset, offsetOf(chunk)),
  };
}

/** The samples of one `moof` at `moofOffset` of the file. */
export function* listFragmentSamples(
  moof: Buffer,
  root: Box,
  moofOffset: number,
  tracks: readonly Track[],
): Generator<Sample> {
  let endOfPrevious = moofOffset;
  for (const traf of boxesIn(moof, root.body, root.end)) {
    if (traf.type !== 'traf') continue;
    const head = requireBox(moof, traf, 'tfhd');
    const flags = readInt(moof, head, 0) & 0xffffff;
    const track = tracks.find(({ id }) => id === readInt(moof, head, 4));
    let offset = 8;
    const optional = (flag: number, bytes: number) => {
      if ((flags & flag) === 0) return null;
      offset += bytes;
      return fieldOffset(head, offset - bytes, bytes);
    };
    const base = optional(0x1, 8);
    optional(0x2, 4);
    optional(0x8, 4);
    const size = optional(0x10, 4);
    const start =
      base !== null
        ? Number(moof.readBigUInt64BE(base))
        : (flags & 0x20000) !== 0
          ? moofOffset
          : endOfPrevious;
    const defaultSize = size !== null ? moof.readUInt32BE(size) : (track?.defaultSize ?? 0);
    endOfPrevious = start;
    for (const run of boxesIn(moof, traf.body, traf.end)) {
      if (run.type !== 'trun') continue;
      for (const sample of listRun(moof, run, { start, next: endOfPrevious, defaultSize })) {
        endOfPrevious = sample.offset + sample.size;
        if (track) yield { ...sample, units: track.units };
      }
    }
  }
}

function* listRun(
  moof: Buffer,
  run: Box,
  from: { start: number; next: number; defaultSize: number },
): Generator<{ offset: number; size: number }> {
  const flags = readInt(moof, run, 0) & 0xffffff;
  const count = requireCount(readInt(moof, run, 4));
  const has = (flag: number) => Number((flags & flag) !== 0);
  let offset = has(0x1) === 1 ? from.start + moof.readInt32BE(fieldOffset(run, 8, 4)) : from.next;
  const first = 8 + 4 * (has(0x1) + has(0x4));
  const row = 4 * (has(0x100) + has(0x200) + has(0x400) + has(0x800));
  for (let each = 0; each < count; each += 1) {
    const size =
      has(0x200) === 1 ? readInt(moof, run, first + each * row + 4 * has(0x100)) : from.defaultSize;
    yield { offset, size };
    offset += size;
  }
}

function parseFraming(moov: Buffer, entries: readonly Box[]): UnitFraming | null {
  for (const entry of entries) {
    if (/^(avc1|avc3)$/.test(entry.type)) {
      return { codec: 'h264', lengthBytes: (configurationByte(moov, entry, 'avcC', 4) & 3) + 1 };
    }
    if (/^(hvc1|hev1|dvh1|dvhe)$/.test(entry.type)) {
      return { codec: 'h265', lengthBytes: (configurationByte(moov, entry, 'hvcC', 21) & 3) + 1 };
    }
  }
  return null;
}

/** One byte of the decoder configuration in a video sample entry. */
function configurationByte(moov: Buffer, entry: Box, type: string, offset: number): number {
  const within = { ...entry, body: entry.start + 86 };
  const box = requireBox(moov, within, type);
  return moov[fieldOffset(box, offset, 1)] ?? 0;
}

function requireCount(count: number): number {
  if (count > maxSamples) throw new InvalidMp4Error('too many samples');
  return count;
}
