/** Minimum rate of a body, in and out, in each `speedWindowMs`. A slower peer would hold a slot that others need. */
export interface MinSpeed {
  bytesPerSecond: number;
  speedWindowMs: number;
}

/**
 * The rate of a poor mobile connection. Over ten seconds, a short pause costs nothing, and a peer that sends or reads a
 * byte now and then holds a slot for ten seconds instead of hours.
 */
export const defaultMinSpeed: MinSpeed = { bytesPerSecond: 64_000, speedWindowMs: 10_000 };

/** Minimum bytes of one `speedWindowMs`. */
export const minBytes = ({ bytesPerSecond, speedWindowMs }: MinSpeed): number =>
  (bytesPerSecond * speedWindowMs) / 1000;

/** A sender is slower than the minimum rate. */
export class TooSlowError extends Error {
  override readonly name = 'TooSlowError';
}

/**
 * Receives data at no less than the minimum rate.
 * @param receive Reads the data to its end; aborted by the signal, and if the data comes too slowly.
 * @throws TooSlowError; the signal's reason; errors of `receive`.
 */
export async function receiveAtMinSpeed<T>(
  minSpeed: MinSpeed,
  data: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  receive: (data: AsyncIterable<Uint8Array>, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const slow = new AbortController();
  let bytes = 0;
  async function* countBytes() {
    for await (const piece of data) {
      bytes += piece.byteLength;
      yield piece;
    }
  }
  const watch = setInterval(() => {
    if (bytes < minBytes(minSpeed)) {
      slow.abort(new TooSlowError(`${bytes} bytes in ${minSpeed.speedWindowMs} ms`));
    }
    bytes = 0;
  }, minSpeed.speedWindowMs);
  try {
    return await receive(countBytes(), AbortSignal.any([signal, slow.signal]));
  } finally {
    clearInterval(watch);
  }
}
