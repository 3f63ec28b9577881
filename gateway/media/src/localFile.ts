import * as fs from 'node:fs';
import type { LocalFile } from './mediaStore.ts';
import { StoreStalledError } from './stallLimit.ts';

/**
 * Opens a file for reads into the caller's memory. A call that takes `stallMs` is no longer awaited: a late opening is
 * closed, and a late read may still write into its memory.
 * @returns Null if there is no such file.
 * @throws StoreStalledError; errors of the file system.
 */
export async function openLocalFile(path: string, stallMs: number): Promise<LocalFile | null> {
  const fd = await readWithin<number | null>(
    stallMs,
    (callback) => {
      fs.open(path, 'r', (error, descriptor) => {
        if (error?.code === 'ENOENT') callback(null, null);
        else callback(error, descriptor);
      });
    },
    (late) => {
      if (late !== null) close(late);
    },
  );
  return fd === null ? null : fileOf(fd, stallMs);
}

/** Closes the descriptor once, after any running read. */
function fileOf(fd: number, stallMs: number): LocalFile {
  let isReading = false;
  let isClosed = false;
  return {
    read: (into, offset) =>
      readWithin<number>(stallMs, (callback) => {
        isReading = true;
        fs.read(fd, into, 0, into.length, offset, (error, count) => {
          isReading = false;
          if (isClosed) close(fd);
          callback(error, count);
        });
      }),
    close() {
      if (!isReading && !isClosed) close(fd);
      isClosed = true;
    },
  };
}

function close(fd: number): void {
  fs.close(fd, () => undefined);
}

/**
 * Awaits one file system call for a limited time, with a single timer, because each range requested by a player makes
 * such calls.
 */
const readWithin = <T>(
  stallMs: number,
  call: (callback: (error: Error | null, value: T) => void) => void,
  late: (value: T) => void = () => undefined,
): Promise<T> =>
  new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new StoreStalledError(`the media store did nothing for ${stallMs} ms`));
    }, stallMs);
    call((error, value) => {
      clearTimeout(timer);
      if (error) reject(error);
      else if (isLate) late(value);
      else resolve(value);
    });
  });
