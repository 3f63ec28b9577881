/** A malformed MP4 (ISO/IEC 14496-12). */
export class InvalidMp4Error extends Error {
  override readonly name = 'InvalidMp4Error';
}

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
  if (bytes.length < 8) throw new InvalidMp4Error('a box is cut short');
  const type = bytes.toString('latin1', 4, 8);
  const size = bytes.readUInt32BE(0);
  if (size !== 1) return { type, size, headBytes: 8 };
  // For a truncated one, an impossible size.
  if (bytes.length < 16) return { type, size: 1, headBytes: 16 };
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
      throw new InvalidMp4Error(`box ${head.type} does not fit into its offset`);
    }
    yield { type: head.type, start, body: start + head.headBytes, end };
    start = end;
  }
}

/** The first descendant box along a path of types, or null. */
export function findBox(bytes: Buffer, parent: Box, ...path: string[]): Box | null {
  let box: Box | null = parent;
  for (const type of path) {
    if (!box) return null;
    const children: Box[] = [...boxesIn(bytes, box.body, box.end)];
    box = children.find((child) => child.type === type) ?? null;
  }
  return box;
}

/** Turns a box into free space of the same size, so that nothing moves. */
export function clearBox(bytes: Buffer, box: Box): void {
  bytes.write('free', box.start + 4, 'latin1');
  bytes.fill(0, box.body, box.end);
}

/** Turns a range of a container into free space; up to 7 bytes are zeroed. */
export function clearSpace(bytes: Buffer, from: number, to: number): void {
  bytes.fill(0, from, to);
  if (to - from < 8) return;
  bytes.writeUInt32BE(to - from, from);
  bytes.write('free', from + 4, 'latin1');
}

/**
 * Turns everything after the last whole child of a container into free space: all that playback needs may come
 * before it.
 * @param containers Types of the children that are mended as well.
 * @returns Whether there was anything.
 */
export function mendBoxes(bytes: Buffer, parent: Box, containers: readonly string[]): boolean {
  let isMended = false;
  let offset = parent.body;
  while (parent.end - offset >= 8) {
    const { type, size, headBytes } = parseBoxHead(bytes.subarray(offset, parent.end));
    const end = size === 0 ? parent.end : offset + size;
    if (end > parent.end || end < offset + headBytes) {
      clearSpace(bytes, offset, parent.end);
      return true;
    }
    const box = { type, start: offset, body: offset + headBytes, end };
    if (containers.includes(type)) isMended = mendBoxes(bytes, box, containers) || isMended;
    offset = end;
  }
  return isMended;
}

/** @throws InvalidMp4Error if there is no such descendant. */
export function requireBox(bytes: Buffer, parent: Box, ...path: string[]): Box {
  const box = findBox(bytes, parent, ...path);
  if (!box) throw new InvalidMp4Error(`no ${path.join('/')} in ${parent.type}`);
  return box;
}

/** The offset of a field of a box in the buffer; it must be inside the box. */
export function fieldOffset({ type, body, end }: Box, offset: number, bytes: number): number {
  if (body + offset + bytes > end) throw new InvalidMp4Error(`box ${type} is cut short`);
  return body + offset;
}

/** An unsigned number of 32 bits at an offset in a box. */
export const readInt = (bytes: Buffer, box: Box, offset: number) =>
  bytes.readUInt32BE(fieldOffset(box, offset, 4));
