/** A file is not the MP4 that its boxes claim (ISO/IEC 14496-12). */
export class InvalidMp4 extends Error {}

/** One box within a buffer: from `start` to `end`, its payload from `body`. */
export interface Box {
  type: string;
  start: number;
  body: number;
  end: number;
}

/** What a box's first 8 or 16 bytes say; a `size` of 0 means to the end of what surrounds it. */
export interface BoxHead {
  type: string;
  size: number;
  headBytes: 8 | 16;
}

/** Reads the head of a box from at least 8 bytes; 16 are needed for the long form. */
export function parseBoxHead(bytes: Buffer): BoxHead {
  if (bytes.length < 8) throw new InvalidMp4('a box is cut short');
  const type = bytes.toString('latin1', 4, 8);
  const size = bytes.readUInt32BE(0);
  if (size !== 1) return { type, size, headBytes: 8 };
  if (bytes.length < 16) throw new InvalidMp4(`box ${type} is cut short`);
  return { type, size: Number(bytes.readBigUInt64BE(8)), headBytes: 16 };
}

/**
 * Walks the boxes between two places of a buffer. They must fill it, but for fewer than 8 bytes at the
 * end: QuickTime ends some lists so.
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

/** The first box of a type among the children of a box, or null. */
export function findBox(bytes: Buffer, parent: Box, ...path: string[]): Box | null {
  let found: Box | null = parent;
  for (const type of path) {
    if (!found) return null;
    const children: Box[] = [...boxesIn(bytes, found.body, found.end)];
    found = children.find((box) => box.type === type) ?? null;
  }
  return found;
}

/** Turns a box into free space of the same size, so that nothing else moves. */
export function blankBox(bytes: Buffer, box: Box): void {
  bytes.write('free', box.start + 4, 'latin1');
  bytes.fill(0, box.body, box.end);
}
