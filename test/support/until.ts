import { setTimeout as pause } from 'node:timers/promises';

/** Waits for a condition; the test's own time limit ends it. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(25);
}
