import { sleep } from './generated/sleep.ts';

/** Seconds between two polls if the API gives no hint. */
export const defaultPauseSeconds = 5;
/** Maximum accepted hint, in seconds: a longer one would be a mistake. */
const maxPauseSeconds = 86_400;

interface AbortOptions {
  abortSignal?: AbortSignal | undefined;
}

/**
 * Waits unless the call is aborted.
 * @param seconds Limited to between a second and a day; the default pause replaces other values.
 * @throws The reason of the abort.
 */
export function pause(seconds: number, call: AbortOptions): Promise<void> {
  const finite = Number.isFinite(seconds) ? seconds : defaultPauseSeconds;
  return pauseMs(Math.min(maxPauseSeconds, Math.max(1, finite)) * 1000, call);
}

/** Waits for a number of milliseconds unless the call is aborted. @throws The reason of the abort. */
export async function pauseMs(ms: number, { abortSignal }: AbortOptions): Promise<void> {
  abortSignal?.throwIfAborted();
  await sleep(ms, abortSignal);
  abortSignal?.throwIfAborted();
}
