import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { withSilenceLimit } from './timeLimits.ts';

const never = new AbortController().signal;

describe('work that is heard', () => {
  const limits = { silenceMs: 1_000, minBytesPerSecond: 1_000 };
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Receives this number of bytes every 900 ms, `times` times, and ends; or never ends. */
  const receive = (bytes: number, times: number, ends: boolean) =>
    withSilenceLimit(limits, never, async (signal, heard) => {
      const silent = Promise.withResolvers<never>();
      signal.addEventListener('abort', () => silent.reject(signal.reason));
      for (let index = 0; index < times; index += 1) {
        await Promise.race([new Promise((resolve) => setTimeout(resolve, 900)), silent.promise]);
        heard(bytes);
      }
      return ends ? 'whole' : silent.promise;
    }).catch((error: unknown) => (error as Error).name);

  test('may take as long as its bytes need', async () => {
    const received = receive(2_000, 50, true);
    await jest.advanceTimersByTimeAsync(46_000);
    await expect(received).resolves.toBe('whole');
  });

  test('ends after a silence, or when its bytes come too slowly', async () => {
    const all = [receive(2_000, 3, false), receive(1, 50, true)];
    await jest.advanceTimersByTimeAsync(46_000);
    await expect(Promise.all(all)).resolves.toEqual(['TimeoutError', 'TimeoutError']);
  });
});
