import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits for a condition.
 * @param what It in words, for the error.
 * @param withinMs The longest that it may take; a test's own time limit is shorter as a rule.
 * @throws when it has not come true by then.
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
