/* Copied from integrations/typescript/src/core/sleep.ts by "npm run generate": do not edit. */

/** Maximum delay of a timer (a 32-bit number of milliseconds); a longer one would fire immediately. */
const maxTimerMs = 2 ** 31 - 1;

/** Ends after this many milliseconds, or immediately when the signal is aborted; never fails. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(ms, maxTimerMs));
    signal?.addEventListener('abort', end);
  });
}
