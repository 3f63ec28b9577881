import { setTimeout as wait } from 'node:timers/promises';

/** Waits for a condition. @throws when it has not come true after a minute: which one. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 60_000,
): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  while (!(await isTrue())) {
    if (performance.now() > giveUpAt) throw new Error(`not after ${withinMs} ms: ${what}`);
    await wait(50);
  }
}
