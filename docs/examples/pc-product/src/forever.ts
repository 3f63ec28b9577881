import { setTimeout as wait } from 'node:timers/promises';

/** Repeats work until the signal is aborted, and restarts it after a failure. */
export async function forever(name: string, work: () => Promise<void>, signal: AbortSignal) {
  while (!signal.aborted) {
    try {
      await work();
    } catch (error) {
      console.error(`${name}: ${String(error)}`);
    }
    await pause(1_000, signal);
  }
}

/** Resolves after this many milliseconds, or when the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}
