import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Reads at least `want` bytes from an offset, or null if the file ends before. */
export type ReadAt = (offset: number, want: number) => Buffer | null;

const windowBytes = 65_536;

/** Opens a file for reading heads here and there, in blocks, so that neighbours cost one read. */
export function readInBlocks<T>(path: string, read: (bytesAt: ReadAt, size: number) => T): T {
  const fd = openSync(path, 'r');
  try {
    const { size } = fstatSync(fd);
    return read(createWindow(fd, size), size);
  } finally {
    closeSync(fd);
  }
}

function createWindow(fd: number, size: number): ReadAt {
  const held = Buffer.alloc(windowBytes);
  let from = 0;
  let length = 0;
  return (offset, want) => {
    if (offset + want > size) return null;
    if (offset < from || offset + want > from + length) {
      from = offset;
      length = readSync(fd, held, 0, windowBytes, offset);
      if (length < want) return null;
    }
    return held.subarray(offset - from, length);
  };
}
