import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits for a condition.
 * @param what Describes the condition, for the error.
 * @param withinMs The longest wait; a test's own time limit is usually shorter.
 * @throws Error if it has not come true by then.
 */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  what = 'the condition is true',
  withinMs = 120_000,
): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  while (!(await isTrue())) {
    if (performance.now() > giveUpAt) throw new Error(`not after ${withinMs} ms: ${what}`);
    await pause(25);
  }
}
