import type { FileHandle } from 'node:fs/promises';
import { InvalidMp4Error } from './mp4Boxes.ts';

/** Bytes that are copied or zeroed at a time. */
export const stepBytes = 1_048_576;

/** Reads exactly these bytes. @throws InvalidMp4Error if the file ends before. */
export async function readAt(file: FileHandle, offset: number, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  await readInto(file, offset, bytes);
  return bytes;
}

/** Fills a buffer from an offset in the file. @throws InvalidMp4Error if the file ends before. */
export async function readInto(file: FileHandle, offset: number, bytes: Buffer): Promise<void> {
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, offset + filled);
    if (bytesRead === 0) throw new InvalidMp4Error('the file is cut short');
    filled += bytesRead;
  }
}

/** Writes all bytes at an offset in the file. */
export async function writeAt(file: FileHandle, bytes: Buffer, offset: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await file.write(
      bytes,
      written,
      bytes.length - written,
      offset + written,
    );
    written += bytesWritten;
  }
}

/** Zeroes a range of the file. */
export async function clearAt(file: FileHandle, from: number, to: number): Promise<void> {
  const zeros = Buffer.alloc(Math.min(stepBytes, to - from));
  for (let offset = from; offset < to; offset += stepBytes) {
    await writeAt(file, zeros.subarray(0, Math.min(stepBytes, to - offset)), offset);
  }
}
