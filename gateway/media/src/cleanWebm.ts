import { masters, readVint, type ReadAt } from './sniffMedia.ts';

/** Elements that become empty space: tags, attached files, chapters; titles, times, ids and names of files. */
const removed = [
  ...[0x1254c367, 0x1941a469, 0x1043a770],
  ...[0x7ba9, 0x4461, 0x73a4, 0x7384, 0x3cb923, 0x3c83ab, 0x3eb923, 0x3e83bb, 0x536e],
];
/** Names of the programs that made the file, which every file must have: they become empty. */
const emptied = [0x4d80, 0x5741];

/** A change of a file: `bytes` at an offset. */
export interface Patch {
  offset: number;
  bytes: Buffer;
}

/**
 * Lists the changes that remove all from a WebM that playback does not need, without moving anything: elements become
 * `Void` of the same size (RFC 8794).
 */
export function* cleanWebm(bytesAt: ReadAt): Generator<Patch> {
  for (let place = 0; ;) {
    const id = readVint(bytesAt, place, true);
    const size = id && readVint(bytesAt, place + id.bytes, false);
    if (!id || !size) return;
    const body = place + id.bytes + size.bytes;
    const end = body + size.value;
    if (masters.includes(id.value)) place = body;
    else {
      const isNamed = removed.includes(id.value);
      if (isNamed || emptied.includes(id.value)) {
        // Cut short: the size may be anything.
        if (!bytesAt(end - 1, 1)) return;
        if (isNamed) yield { offset: place, bytes: voidOf(end - place) };
        else yield { offset: body, bytes: Buffer.alloc(size.value) };
      }
      place = end;
    }
  }
}

/** A `Void` element of this many bytes in all, at least two. */
function voidOf(bytes: number): Buffer {
  const made = Buffer.alloc(bytes);
  made[0] = 0xec;
  if (bytes - 2 < 127) made[1] = 0x80 | (bytes - 2);
  else {
    made.writeBigUInt64BE(BigInt(bytes - 9) | (1n << 56n), 1);
  }
  return made;
}
