import { noStore } from './generated/noStore.ts';

/** The client's requirements of the runtime; tests provide their own. */
export interface Platform {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Milliseconds of a monotonic clock, independent of the wall clock. */
  now(): number;
  /** Ends after this many milliseconds, or at once when the signal is aborted; never fails. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** At least 0, below 1. */
  random(): number;
  /** A new idempotency key. */
  newKey(): string;
  /** An environment variable; empty if unset. */
  variable(name: string): string;
}

/** Maximum delay of a timer (a 32-bit number of milliseconds); a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

interface Surroundings {
  process?: { env?: Record<string, string | undefined> };
}

/** The standard globals that Node, Deno, Bun and edge runtimes share. */
export const standardPlatform: Platform = {
  fetch: (url, init) => globalThis.fetch(url, { ...noStore, ...init }),
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
