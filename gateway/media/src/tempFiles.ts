import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCodeOf } from '@framegate/contract';
import { ByteLimit, waitUnlessAborted } from '@framegate/limits';
import type { StoreData } from './mediaStore.ts';

/**
 * Provides a path for a new file in the folder, created if missing, and removes the file when `work` ends.
 * Files of a killed process are left to `removeStaleTempFiles`.
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

/** Provides a new folder of mode 0700 in the same way. */
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
 * Removes files and folders left by killed processes: those last changed before `beforeMs`.
 * @returns Their number.
 */
export async function removeStaleTempFiles(folder: string, beforeMs: number): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder).catch(ifMissing([]))) {
    const path = join(folder, name);
    const stats = await stat(path).catch(ifMissing(null));
    if (!stats || stats.mtimeMs >= beforeMs) continue;
    await rm(path, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}

/** For `catch`: returns `value` if the file or folder does not exist, and rethrows other errors. */
export function ifMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (errorCodeOf(error) === 'ENOENT') return value;
    throw error;
  };
}

/** A received file: size in bytes and SHA-256 in hex. */
export interface ReceivedFile {
  bytes: number;
  sha256: string;
}

/** Measures a file made here. */
export async function measureFile(path: string): Promise<ReceivedFile> {
  const { count, receivedFile } = createMeter({ maxBytes: Infinity });
  for await (const chunk of readFileLazily(path)) count(chunk);
  return receivedFile();
}

/** Limits of a received file. */
interface ReceiveLimits {
  maxBytes: number;
  signal?: AbortSignal | undefined;
  /** Callback for each chunk. */
  recordProgress?: () => void;
}

/** Counts and hashes a file's chunks. */
function createMeter({ maxBytes, recordProgress: progress }: ReceiveLimits) {
  const hash = createHash('sha256');
  const limit = new ByteLimit(maxBytes);
  return {
    count: (chunk: Uint8Array): void => {
      progress?.();
      limit.count(chunk);
      hash.update(chunk);
    },
    receivedFile: (): ReceivedFile => ({ bytes: limit.bytes, sha256: hash.digest('hex') }),
  };
}

/**
 * Writes a stream to a new file of mode 0600 and syncs it to disk. After a failure a part may remain, which the
 * caller removes.
 * @throws TransferError `too_large` beyond `maxBytes`; errors of the source or the signal.
 */
export async function receiveFile(
  path: string,
  data: AsyncIterable<Uint8Array> | Uint8Array,
  options: ReceiveLimits,
): Promise<ReceivedFile> {
  const { count, receivedFile } = createMeter(options);
  async function* countBytes(source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      count(chunk);
      yield chunk;
    }
  }
  try {
    const handle = await open(path, 'wx', 0o600);
    // The write stream closes the handle, even if the pipeline fails.
    const target = handle.createWriteStream({ flush: true });
    const source = data instanceof Uint8Array ? readInOnePiece(data) : data;
    await pipeline(readUntilAborted(source, options.signal), countBytes, target);
  } catch (error) {
    // An unread stream would stay open.
    if (data instanceof Readable) data.destroy();
    throw error;
  }
  return receivedFile();
}

/**
 * Writes any kind of data that a store accepts to a new file. For a finished file the new one is a second name and the
 * bytes are only read; if the file system does not support that, they are copied.
 */
export async function receiveData(
  path: string,
  data: StoreData,
  options: ReceiveLimits,
): Promise<ReceivedFile> {
  if (!('finished' in data)) return receiveFile(path, data, options);
  const { finished } = data;
  const isShared = await link(finished, path).then(
    () => true,
    () => false,
  );
  if (!isShared) return receiveFile(path, readFileLazily(finished), options);
  const { count, receivedFile } = createMeter(options);
  const handle = await open(path, 'r+');
  try {
    await handle.chmod(0o600);
    for await (const chunk of handle.createReadStream({ autoClose: false, start: 0 })) {
      options.signal?.throwIfAborted();
      count(chunk as Uint8Array);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return receivedFile();
}

/** A file's bytes; the file is opened on the first read. */
export async function* readFileLazily(path: string): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(path)) yield chunk as Uint8Array;
}

async function* readInOnePiece(data: Uint8Array): AsyncGenerator<Uint8Array> {
  if (data.byteLength > 0) yield data;
}

/** Passes on a source and leaves it immediately when aborted, even if it yields neither data nor end. */
async function* readUntilAborted(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  signal?.throwIfAborted();
  const iterator = source[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const step = await waitUnlessAborted(iterator.next(), signal);
      if (step.done) {
        isOver = true;
        return;
      }
      yield step.value;
    }
  } finally {
    // A silent source does not answer this either, so do not wait.
    if (!isOver) void iterator.return?.().catch(() => undefined);
  }
}
