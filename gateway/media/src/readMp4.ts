/** A malformed MP4 (ISO/IEC 14496-12). */
export class InvalidMp4 extends Error {}

/** One box within a buffer, from `start` to `end`, with its payload from `body`. */
export interface Box {
  type: string;
  start: number;
  body: number;
  end: number;
}

/** The head of a box, 8 or 16 bytes; a `size` of 0 means up to the end of its container. */
export interface BoxHead {
  type: string;
  size: number;
  headBytes: 8 | 16;
}

/** Parses the head of a box from at least 8 bytes, or 16 for the long form. */
export function parseBoxHead(bytes: Buffer): BoxHead {
  if (bytes.length < 8) throw new InvalidMp4('a box is cut short');
  const type = bytes.toString('latin1', 4, 8);
  const size = bytes.readUInt32BE(0);
  if (size !== 1) return { type, size, headBytes: 8 };
  if (bytes.length < 16) throw new InvalidMp4(`box ${type} is cut short`);
  return { type, size: Number(bytes.readBigUInt64BE(8)), headBytes: 16 };
}

/**
 * Iterates over the boxes between two offsets of a buffer. They must fill the range except for fewer than 8
 * bytes at the end, with which QuickTime ends some lists.
 */
export function* boxesIn(bytes: Buffer, from: number, to: number): Generator<Box> {
  let start = from;
  while (to - start >= 8) {
    const head = parseBoxHead(bytes.subarray(start, to));
    const end = head.size === 0 ? to : start + head.size;
    if (end > to || end < start + head.headBytes) {
      throw new InvalidMp4(`box ${head.type} does not fit into its place`);
    }
    yield { type: head.type, start, body: start + head.headBytes, end };
    start = end;
  }
}

/** The first descendant box along a path of types, or null. */
export function findBox(bytes: Buffer, parent: Box, ...path: string[]): Box | null {
  let found: Box | null = parent;
  for (const type of path) {
    if (!found) return null;
    const children: Box[] = [...boxesIn(bytes, found.body, found.end)];
    found = children.find((box) => box.type === type) ?? null;
  }
  return found;
}

/** Turns a box into free space of the same size, so that nothing moves. */
export function blankBox(bytes: Buffer, box: Box): void {
  bytes.write('free', box.start + 4, 'latin1');
  bytes.fill(0, box.body, box.end);
}

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
  units: UnitFraming | null;
  /** Size of a fragment's samples unless the fragment states it (`trex`). */
  defaultSize: number;
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
      return { id, box, units: parseFraming(moov, box), defaultSize };
    });
}

/** The samples listed in a track's table; none for a fragmented file. */
export function* listSamples(moov: Buffer, track: Track): Generator<Sample> {
  const table = requireBox(moov, track.box, 'mdia', 'minf', 'stbl');
  const sizes = requireBox(moov, table, 'stsz');
  const chunkOf = requireBox(moov, table, 'stsc');
  const long = findBox(moov, table, 'co64');
  const chunks = long ?? requireBox(moov, table, 'stco');
  const fixed = readInt(moov, sizes, 4);
  const count = requireCount(readInt(moov, sizes, 8));
  const chunkCount = requireCount(readInt(moov, chunks, 4));
  const runs = requireCount(readInt(moov, chunkOf, 4));
  let sample = 0;
  let run = 0;
  for (let chunk = 0; chunk < chunkCount && sample < count; chunk += 1) {
    // Runs name the first chunk, counted from 1, to which they apply.
    while (run + 1 < runs && readInt(moov, chunkOf, 8 + (run + 1) * 12) <= chunk + 1) run += 1;
    let offset = long
      ? Number(moov.readBigUInt64BE(requireRoom(chunks, 8 + chunk * 8, 8)))
      : readInt(moov, chunks, 8 + chunk * 4);
    const inChunk = readInt(moov, chunkOf, 8 + run * 12 + 4);
    for (let each = 0; each < inChunk && sample < count; each += 1, sample += 1) {
      const size = fixed === 0 ? readInt(moov, sizes, 12 + sample * 4) : fixed;
      yield { offset, size, units: track.units };
      offset += size;
    }
  }
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
    let place = 8;
    const optional = (flag: number, bytes: number) => {
      if ((flags & flag) === 0) return null;
      place += bytes;
      return requireRoom(head, place - bytes, bytes);
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
  let offset = has(0x1) === 1 ? from.start + moof.readInt32BE(requireRoom(run, 8, 4)) : from.next;
  const first = 8 + 4 * (has(0x1) + has(0x4));
  const row = 4 * (has(0x100) + has(0x200) + has(0x400) + has(0x800));
  for (let each = 0; each < count; each += 1) {
    const size =
      has(0x200) === 1 ? readInt(moof, run, first + each * row + 4 * has(0x100)) : from.defaultSize;
    yield { offset, size };
    offset += size;
  }
}

function parseFraming(moov: Buffer, track: Box): UnitFraming | null {
  const stsd = requireBox(moov, track, 'mdia', 'minf', 'stbl', 'stsd');
  for (const entry of boxesIn(moov, stsd.body + 8, stsd.end)) {
    if (/^(avc1|avc3)$/.test(entry.type)) {
      return { codec: 'h264', lengthBytes: (configured(moov, entry, 'avcC', 4) & 3) + 1 };
    }
    if (/^(hvc1|hev1|dvh1|dvhe)$/.test(entry.type)) {
      return { codec: 'h265', lengthBytes: (configured(moov, entry, 'hvcC', 21) & 3) + 1 };
    }
  }
  return null;
}

/** One byte of the decoder configuration in a video sample entry. */
function configured(moov: Buffer, entry: Box, type: string, place: number): number {
  const within = { ...entry, body: entry.start + 86 };
  const box = requireBox(moov, within, type);
  return moov[requireRoom(box, place, 1)] ?? 0;
}

function requireBox(bytes: Buffer, parent: Box, ...path: string[]): Box {
  const box = findBox(bytes, parent, ...path);
  if (!box) throw new InvalidMp4(`no ${path.join('/')} in ${parent.type}`);
  return box;
}

/** The offset of a field of a box in the buffer; it must be inside the box. */
function requireRoom({ type, body, end }: Box, place: number, bytes: number): number {
  if (body + place + bytes > end) throw new InvalidMp4(`box ${type} is cut short`);
  return body + place;
}

const readInt = (bytes: Buffer, box: Box, place: number) =>
  bytes.readUInt32BE(requireRoom(box, place, 4));

function requireCount(count: number): number {
  if (count > maxSamples) throw new InvalidMp4('too many samples');
  return count;
}
