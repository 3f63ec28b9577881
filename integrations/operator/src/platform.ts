/** The client's needs of the runtime; tests bring their own. */
export interface Platform {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Milliseconds of a clock that only goes forward, whatever happens to the wall clock. */
  now(): number;
  /** Ends after so many milliseconds, or at once when the signal is aborted; it never fails. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** At least 0, below 1. */
  random(): number;
  /** An idempotency key that was never used before. */
  newKey(): string;
  /** A variable of the environment; empty without one. */
  variable(name: string): string;
}

/** No timer takes more (a 32-bit number of milliseconds); a longer one would ring at once. */
const longestTimerMs = 2 ** 31 - 1;

interface Surroundings {
  process?: { env?: Record<string, string | undefined> };
}

/** The standard globals that Node, Deno, Bun and edge runtimes share. */
export const standardPlatform: Platform = {
  fetch: (url, init) => globalThis.fetch(url, init),
  now: () => performance.now(),
  random: () => Math.random(),
  newKey: () => crypto.randomUUID(),
  variable: (name) => (globalThis as Surroundings).process?.env?.[name] ?? '',
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) {
        resolve();
        return;
      }
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, Math.min(ms, longestTimerMs));
      signal?.addEventListener('abort', end);
    }),
};
