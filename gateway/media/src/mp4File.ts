import type { FileHandle } from 'node:fs/promises';
import { InvalidMp4Error } from './mp4Boxes.ts';

/** Bytes that are copied or zeroed at once. */
export const stepBytes = 1_048_576;

/** Reads exactly these bytes. @throws InvalidMp4Error if the file ends before. */
export async function readAt(file: FileHandle, offset: number, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  await readInto(file, offset, bytes);
  return bytes;
}

/** Fills a buffer from a place of the file. @throws InvalidMp4Error if the file ends before. */
export async function readInto(file: FileHandle, offset: number, bytes: Buffer): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, offset + done);
    if (bytesRead === 0) throw new InvalidMp4Error('the file is cut short');
    done += bytesRead;
  }
}

/** Writes all bytes at a place of the file. */
export async function writeAt(file: FileHandle, bytes: Buffer, offset: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, offset + done);
    done += bytesWritten;
  }
}

/** Zeroes a range of the file. */
export async function zeroAt(file: FileHandle, from: number, to: number): Promise<void> {
  const zeros = Buffer.alloc(Math.min(stepBytes, to - from));
  for (let place = from; place < to; place += stepBytes) {
    await writeAt(file, zeros.subarray(0, Math.min(stepBytes, to - place)), place);
  }
}
