import { randomUUID, createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { untilAborted } from '../../application/ports/concurrency.ts';
import { ByteLimit } from '../net/receiveBody.ts';

/**
 * Lends a path for a new file in the folder, which is made when missing, and removes the file when
 * `work` is over, however it ends. A killed process leaves its files to `removeStaleTempFiles`.
 */
export async function withTempFile<T>(
  folder: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  try {
    return await work(path);
  } finally {
    await rm(path, { force: true });
  }
}

/** Lends a new folder of mode 0700 in the same way. */
export async function withTempFolder<T>(
  parent: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(parent, 'work-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Removes what such work left in the folder when its process was killed: files and folders that were
 * last changed before `beforeMs`. @returns how many.
 */
export async function removeStaleTempFiles(folder: string, beforeMs: number): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder).catch(ifMissing([]))) {
    const path = join(folder, name);
    const found = await stat(path).catch(ifMissing(null));
    if (!found || found.mtimeMs >= beforeMs) continue;
    await rm(path, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}

/** For `catch`: answers `value` when there is no such file or folder, and throws everything else. */
export function ifMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if ((error as NodeJS.ErrnoException | null)?.code === 'ENOENT') return value;
    throw error;
  };
}

/** What was written: its size in bytes and its SHA-256 in hex. */
export interface ReceivedFile {
  bytes: number;
  sha256: string;
}

/**
 * Writes a stream into a new file of mode 0600 and syncs it to the disk. When it fails a part may be
 * left behind: the caller removes it.
 * @throws TransferFailure `too_large` beyond `maxBytes`; the errors of the source or the signal.
 */
export async function receiveFile(
  path: string,
  data: AsyncIterable<Uint8Array> | Uint8Array,
  options: {
    maxBytes: number;
    signal?: AbortSignal | undefined;
    /** Called for each piece. */
    progress?: () => void;
  },
): Promise<ReceivedFile> {
  const hash = createHash('sha256');
  const limit = new ByteLimit(options.maxBytes);
  async function* counted(source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      options.progress?.();
      limit.count(chunk);
      hash.update(chunk);
      yield chunk;
    }
  }
  try {
    const handle = await open(path, 'wx', 0o600);
    // The write stream closes the handle, also when the pipeline fails.
    const target = handle.createWriteStream({ flush: true });
    const source = data instanceof Uint8Array ? inOnePiece(data) : data;
    await pipeline(piecesUntilAborted(source, options.signal), counted, target);
  } catch (error) {
    // A stream that was never read would stay open.
    if (data instanceof Readable) data.destroy();
    throw error;
  }
  return { bytes: limit.bytes, sha256: hash.digest('hex') };
}

/** Gives a file's bytes, opening it only when they are read. */
export async function* lazyFileStream(path: string): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(path)) yield chunk as Uint8Array;
}

async function* inOnePiece(data: Uint8Array): AsyncGenerator<Uint8Array> {
  if (data.byteLength > 0) yield data;
}

/** Passes a source on, and leaves it at once when aborted, even while it gives neither data nor end. */
async function* piecesUntilAborted(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  signal?.throwIfAborted();
  const iterator = source[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const step = await untilAborted(iterator.next(), signal);
      if (step.done) {
        isOver = true;
        return;
      }
      yield step.value;
    }
  } finally {
    // A silent source does not answer this either: do not wait for it.
    if (!isOver) void iterator.return?.().catch(() => undefined);
  }
}
