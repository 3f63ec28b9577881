import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits for a condition, which it checks more rarely the longer it waits: checks take processor time from the awaited
 * work.
 * @param what Describes the condition, for the error.
 * @param withinMs The longest wait; a test's own time limit is usually shorter.
 * @throws Error if it has not come true by then.
 */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  what = 'the condition is true',
  withinMs = 120_000,
): Promise<void> {
  const startedAt = performance.now();
  while (!(await isTrue())) {
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > withinMs) throw new Error(`not after ${withinMs} ms: ${what}`);
    await pause(Math.min(Math.max(waitedMs / 10, 10), 250));
  }
}
