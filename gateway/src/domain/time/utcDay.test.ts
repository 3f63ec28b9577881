import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayOf, endOfDayMs } from './utcDay.ts';

test('a day is in UTC, and ends where the next one begins', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (ms) => {
      const end = endOfDayMs(ms);
      expect([dayOf(end - 1), dayOf(end) > dayOf(ms)]).toEqual([dayOf(ms), true]);
    }),
  );
});
