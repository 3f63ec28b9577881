import { jest } from '@jest/globals';

/**
 * Passes over the waits of work under fake timers until it has ended. Timers that others have set, such as those
 * of a test file before it in this process, do not hold it up.
 */
export async function passWaits<T>(work: Promise<T>): Promise<T> {
  const progress = { isOver: false };
  const ended = work.finally(() => (progress.isOver = true));
  ended.catch(() => undefined);
  while (!progress.isOver) await jest.advanceTimersToNextTimerAsync();
  return ended;
}
