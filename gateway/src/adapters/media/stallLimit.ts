import { pipeline, type Readable, Transform } from 'node:stream';
import { untilAborted } from '../../application/ports/concurrency.ts';

/** A media store did nothing for as long as it may. */
export class StoreStalled extends Error {}

/** What work under a stall limit gets. */
export interface StallLimit {
  /** Aborted with the caller's signal, or when the work stalls. */
  signal: AbortSignal;
  /** Something has moved: the time begins anew. */
  progress: () => void;
}

/**
 * Runs work that may take any time but not stall: without progress for `stallMs` it is aborted and no
 * longer waited for, also where it takes no signal, such as a call of the file system.
 * @throws StoreStalled; the signal's reason; the work's own errors.
 */
export async function withinStall<T>(
  stallMs: number,
  signal: AbortSignal | undefined,
  work: (limit: StallLimit) => Promise<T>,
): Promise<T> {
  const stalled = new AbortController();
  const limit = signal ? AbortSignal.any([signal, stalled.signal]) : stalled.signal;
  const timer = setTimeout(() => {
    stalled.abort(new StoreStalled(`the media store did nothing for ${stallMs} ms`));
  }, stallMs);
  try {
    const done = work({ signal: limit, progress: () => timer.refresh() });
    // Where the caller has aborted already, the work ends by itself and clears up first.
    return await untilAborted(done, signal?.aborted ? stalled.signal : limit);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The same stream, destroyed when nothing passes for `stallMs`: its source is silent, or its reader has
 * stopped reading and would keep the source's connection for itself.
 */
export function untilStalled(source: Readable, stallMs: number): Readable {
  const passing = new Transform({
    transform(piece: Uint8Array, _, done) {
      timer.refresh();
      done(null, piece);
    },
  });
  const timer = setTimeout(() => {
    passing.destroy(new StoreStalled(`a stored file was not read for ${stallMs} ms`));
  }, stallMs).unref();
  pipeline(source, passing, () => {
    clearTimeout(timer);
  });
  // Its reader hears of it; one that has not begun to listen must not end the process.
  return passing.on('error', () => undefined);
}
