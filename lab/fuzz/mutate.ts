import type { Part } from './mediaParts.ts';

/** A number from 0 to below `below`. */
export type Dice = (below: number) => number;

/** Numbers that parsers mishandle. */
const edges = [0, 1, 7, 8, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffff8, 0xffffffff];
/** Limits of a mutated file, so that many of them take no time to write. */
const maxBytes = 2_000_000;

/** Mutates parts of a file, a few times. */
export function mutate(file: Buffer, partsOf: (file: Buffer) => Part[], dice: Dice): Buffer {
  let changed: Buffer = Buffer.from(file);
  for (let times = 1 + dice(4); times > 0; times -= 1) {
    const parts = partsOf(changed).filter(({ end }) => end <= changed.length);
    const part = parts[dice(Math.max(1, parts.length))];
    const other = parts[dice(Math.max(1, parts.length))];
    if (!part || !other) break;
    changed = mutateOnce(changed, part, other, dice);
  }
  return changed.subarray(0, maxBytes);
}

function mutateOnce(file: Buffer, part: Part, other: Part, dice: Dice): Buffer {
  const { start, body, end } = part;
  const bytes = file.subarray(start, end);
  const room = Math.max(1, end - body);
  switch (dice(9)) {
    case 0: // Left out.
      return Buffer.concat([file.subarray(0, start), file.subarray(end)]);
    case 1: {
      // Many times over.
      const max = Math.max(1, Math.floor(maxBytes / Math.max(1, bytes.length)));
      const times = 1 + dice(Math.min(max, 2_000));
      const copies = Array.from({ length: times }, () => bytes);
      return Buffer.concat([file.subarray(0, start), ...copies, file.subarray(start)]);
    }
    case 2: // Another part in its place.
      return Buffer.concat([
        file.subarray(0, start),
        file.subarray(other.start, other.end),
        file.subarray(end),
      ]);
    case 3: // Within another part.
      return Buffer.concat([file.subarray(0, other.body), bytes, file.subarray(other.body)]);
    case 4: // Of another size.
      writeEdge(file, part.sizeAt, part.sizeBytes, edges[dice(edges.length)] ?? 0);
      return file;
    case 5: // Of another type.
      file[start + dice(Math.max(1, body - start))] = dice(256);
      return file;
    case 6: // A field at an edge.
      writeEdge(file, body + dice(room), 4, edges[dice(edges.length)] ?? 0);
      return file;
    case 7: // Some bytes changed.
      for (let count = 1 + dice(8); count > 0; count -= 1) file[body + dice(room)] = dice(256);
      return file;
    default: // Cut off within.
      return file.subarray(0, start + dice(end - start + 1));
  }
}

/** Writes the low bytes of a number that fit. */
function writeEdge(file: Buffer, at: number, bytes: number, value: number): void {
  const all = Buffer.alloc(8);
  all.writeUInt32BE(value, 4);
  all.copy(file, at, 8 - Math.min(bytes, 4));
}
