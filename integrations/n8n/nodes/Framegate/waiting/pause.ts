import { sleep } from 'n8n-workflow';

/** Thrown when the user stops the workflow. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
  constructor() {
    super('The workflow was stopped');
  }
}

/** No timer outlives a stop by more than this, in ms. */
const sliceMs = 1000;

/**
 * Waits, and ends immediately if the workflow is stopped.
 * @param seconds How long; 0 still checks the signal.
 * @throws StoppedError if the workflow is stopped; RangeError for NaN, Infinity or a negative time, because a loop that
 * pauses for NaN seconds would never rest.
 */
export async function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  if (!Number.isFinite(seconds) || seconds < 0) throw new RangeError(`a pause of ${seconds} s`);
  requireRunning(signal);
  const until = Date.now() + seconds * 1000;
  for (let left = seconds * 1000; left > 0; left = until - Date.now()) {
    await Promise.race([sleep(Math.min(left, sliceMs)), ...stopOf(signal)]);
    requireRunning(signal);
  }
}

/** @throws StoppedError if the workflow is stopped. */
export function requireRunning(signal?: AbortSignal): void {
  if (signal?.aborted) throw new StoppedError();
}

/** One promise per signal, so that a long wait leaves no listeners behind. */
const stops = new WeakMap<AbortSignal, Promise<void>>();

function stopOf(signal?: AbortSignal): Promise<void>[] {
  if (!signal) return [];
  const promise = stops.get(signal);
  if (promise) return [promise];
  const stop = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  stops.set(signal, stop);
  return [stop];
}
