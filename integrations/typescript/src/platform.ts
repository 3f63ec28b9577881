import { noStore } from './noStore.ts';
import type { OpenFile } from './sink.ts';

/** The client's requirements of the runtime; tests provide their own. */
export interface Platform {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Fetches a file whose body may be read slowly. */
  fetchFile(
    url: string,
    init: { headers: Record<string, string>; signal: AbortSignal },
  ): Promise<Response>;
  /** Milliseconds of a monotonic clock, independent of the wall clock. */
  now(): number;
  /** Ends after this many milliseconds, or at once when the signal is aborted; never fails. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** At least 0, below 1. */
  random(): number;
  /** A new idempotency key. */
  newKey(): string;
  /** Opens a file for a download; only in runtimes with files. */
  openFile?: OpenFile;
}

/** Maximum delay of a timer (a 32-bit number of milliseconds); a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** The standard globals that Node, Deno, Bun and edge runtimes share. */
export const standardPlatform: Platform = {
  fetch: (url, init) => globalThis.fetch(url, { ...noStore, ...init }),
  fetchFile: (url, init) => globalThis.fetch(url, { ...noStore, ...init }),
  now: () => performance.now(),
  random: () => Math.random(),
  newKey: () => crypto.randomUUID(),
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
