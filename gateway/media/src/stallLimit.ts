import type { ReadStream } from 'node:fs';
import { pipeline, type Readable, Transform } from 'node:stream';
import { waitUnlessAborted } from '@framegate/limits';

/** A media store made no progress within its limit. */
export class StoreStalledError extends Error {
  override readonly name = 'StoreStalledError';
}

/** The tools of work under a stall limit. */
export interface StallLimit {
  /** Aborted with the caller's signal or when the work stalls. */
  signal: AbortSignal;
  /** Reports progress, which restarts the timer. */
  recordProgress: () => void;
}

/**
 * Runs work of any duration that must not stall: without progress for `stallMs` it is aborted and no longer
 * awaited, even if it takes no signal, such as a file system call.
 * @throws StoreStalledError; the signal's reason; the work's own errors.
 */
export async function withStallLimit<T>(
  stallMs: number,
  signal: AbortSignal | undefined,
  work: (limit: StallLimit) => Promise<T>,
): Promise<T> {
  const stalled = new AbortController();
  const limit = signal ? AbortSignal.any([signal, stalled.signal]) : stalled.signal;
  const timer = setTimeout(() => {
    stalled.abort(new StoreStalledError(`the media store did nothing for ${stallMs} ms`));
  }, stallMs);
  try {
    const result = work({ signal: limit, recordProgress: () => timer.refresh() });
    // If the caller has already aborted, the work ends and cleans up by itself first.
    return await waitUnlessAborted(result, signal?.aborted ? stalled.signal : limit);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Destroys a local file's stream after it has read nothing for `stallMs` to twice that. It passes through no second
 * stream.
 */
export function watchStall(source: ReadStream, stallMs: number): ReadStream {
  let seen = source.bytesRead;
  const timer = setInterval(() => {
    if (source.bytesRead === seen) {
      source.destroy(new StoreStalledError(`a stored file was not read for ${stallMs} ms`));
    }
    seen = source.bytesRead;
  }, stallMs).unref();
  source.once('close', () => {
    clearInterval(timer);
  });
  return source.on('error', () => undefined);
}

/**
 * Passes a stream on and destroys it if nothing passes for `stallMs`: its source is silent, or its reader has stopped
 * reading and would occupy the source's connection.
 */
export function untilStalled(source: Readable, stallMs: number): Readable {
  const monitor = new Transform({
    transform(piece: Uint8Array, _, callback) {
      timer.refresh();
      callback(null, piece);
    },
  });
  const timer = setTimeout(() => {
    monitor.destroy(new StoreStalledError(`a stored file was not read for ${stallMs} ms`));
  }, stallMs).unref();
  pipeline(source, monitor, () => {
    clearTimeout(timer);
  });
  // The reader receives the error; a reader not listening yet must not end the process.
  return monitor.on('error', () => undefined);
}
