import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { untilAborted } from '../../application/ports/timing.ts';
import { ByteLimit } from '../net/receiveBody.ts';

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
