import { noStore } from './noStore.ts';
import { sleep } from './sleep.ts';

/** The client's requirements of the runtime; tests provide their own. */
export interface Platform {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Milliseconds of a monotonic clock, independent of the wall clock. */
  now(): number;
  /** Ends after this many milliseconds, or immediately when the signal is aborted; never fails. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A random number of at least 0 and below 1. */
  random(): number;
  /** A new idempotency key. */
  newKey(): string;
}

/** The standard globals that Node, Deno, Bun and edge runtimes share. */
export const standardPlatform: Platform = {
  fetch: (url, init) => globalThis.fetch(url, { ...noStore, ...init }),
  now: () => performance.now(),
  sleep,
  random: () => Math.random(),
  newKey: () => crypto.randomUUID(),
};
