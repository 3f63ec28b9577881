/** Minimum rate of a body, in and out, within each `paceMs`. A slower peer would hold a slot that others need. */
export interface Pace {
  bytesPerSecond: number;
  paceMs: number;
}

/**
 * The rate of a poor mobile connection. Over ten seconds, a short pause costs nothing, and a peer that sends or reads a
 * byte now and then holds a slot for ten seconds instead of hours.
 */
export const defaultPace: Pace = { bytesPerSecond: 64_000, paceMs: 10_000 };

/** Minimum bytes of one `paceMs`. */
export const minBytes = ({ bytesPerSecond, paceMs }: Pace): number =>
  (bytesPerSecond * paceMs) / 1000;

/** A sender is slower than the minimum rate. */
export class ArrivesTooSlowly extends Error {}

/**
 * Receives data at no less than the minimum rate.
 * @param receive Reads the data to its end; aborted by the signal, and if the data comes too slowly.
 * @throws ArrivesTooSlowly; the signal's reason; errors of `receive`.
 */
export async function receiveAtPace<T>(
  pace: Pace,
  data: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  receive: (data: AsyncIterable<Uint8Array>, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const slow = new AbortController();
  let bytes = 0;
  async function* counted() {
    for await (const piece of data) {
      bytes += piece.byteLength;
      yield piece;
    }
  }
  const watch = setInterval(() => {
    if (bytes < minBytes(pace)) {
      slow.abort(new ArrivesTooSlowly(`${bytes} bytes in ${pace.paceMs} ms`));
    }
    bytes = 0;
  }, pace.paceMs);
  try {
    return await receive(counted(), AbortSignal.any([signal, slow.signal]));
  } finally {
    clearInterval(watch);
  }
}
