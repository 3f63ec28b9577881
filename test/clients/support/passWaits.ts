import { jest } from '@jest/globals';

/**
 * Skips the waits of work under fake timers until it has ended. Timers set by others, such as an earlier test file in
 * this process, do not delay it.
 */
export async function passWaits<T>(work: Promise<T>): Promise<T> {
  const progress = { isOver: false };
  const ended = work.finally(() => (progress.isOver = true));
  ended.catch(() => undefined);
  while (!progress.isOver) await jest.advanceTimersToNextTimerAsync();
  return ended;
}
