/** Between two looks where the API does not say, in seconds. */
export const usualPause = 5;
/** A hint is not taken for more than this, in seconds: it would be a mistake. */
const longestPause = 86_400;

interface Abortable {
  abortSignal?: AbortSignal | undefined;
}

/**
 * Waits, unless the call is aborted.
 * @param seconds At least a second is waited, at most a day; the usual pause stands in for other values.
 * @throws the reason of the abort
 */
export function pause(seconds: number, call: Abortable): Promise<void> {
  const known = Number.isFinite(seconds) ? seconds : usualPause;
  return pauseMs(Math.min(longestPause, Math.max(1, known)) * 1000, call);
}

/** Waits so many milliseconds, unless the call is aborted. @throws the reason of the abort */
export async function pauseMs(ms: number, { abortSignal }: Abortable): Promise<void> {
  abortSignal?.throwIfAborted();
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      abortSignal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    abortSignal?.addEventListener('abort', end);
  });
  abortSignal?.throwIfAborted();
}
