import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  distributionOf,
  isKnown,
  medianOf,
  probablePercent,
  workSizeOf,
} from './usualDurations.ts';

test('few durations count less than the catalogue', () => {
  const few = { typical: 60, recent: [5, 5, 5, 5, 5, 5, 5] };
  expect([isKnown(few), medianOf(few)]).toEqual([false, 60]);
  const enough = { typical: 60, recent: [...few.recent, 9] };
  expect([isKnown(enough), medianOf(enough)]).toEqual([true, 5]);
});

test('the share done grows from nothing to all, and half are done about the median', () => {
  const duration = fc.double({ min: 0, max: 3000, noNaN: true });
  fc.assert(
    fc.property(fc.array(duration, { maxLength: 30 }), (recent) => {
      const usual = { typical: 60, recent };
      const doneBy = distributionOf(usual);
      const shares = [0.001, 1, 5, 25, 125, 625, Number.MAX_VALUE].map(doneBy);
      expect(shares).toEqual(shares.toSorted((a, b) => a - b));
      expect(shares[0]).toBeGreaterThanOrEqual(0);
      // The more the durations differ, the longer the tail: it may include any fixed number of seconds.
      expect(shares.at(-1)).toBeCloseTo(1, 9);
    }),
  );
  const recent = Array.from({ length: 101 }, (_, index) => 30 + index / 10);
  expect(distributionOf({ typical: 60, recent })(35)).toBeCloseTo(0.5, 1);
});

test('two kinds of work stay separate: almost nothing ends between them', () => {
  const recent = Array.from(
    { length: 100 },
    (_, index) => (index % 2 === 0 ? 10 : 80) + index / 50,
  );
  const doneBy = distributionOf({ typical: 60, recent });
  expect(doneBy(50) - doneBy(20)).toBeLessThan(0.2);
});

test('larger sizes take longer', () => {
  expect(workSizeOf({ resolution: '720p', duration_seconds: 5, n: null })).toBe('720p 5');
  expect(workSizeOf({ resolution: '1k', n: 4 })).toBe('1k 4');
});

describe('probablePercent', () => {
  test('is 90 when the usual time is over', () => {
    expect(probablePercent(0, 60)).toBe(0);
    expect(probablePercent(30, 60)).toBe(45);
    expect(probablePercent(60, 60)).toBe(90);
  });

  test('never goes back and never reports completion', () => {
    const seconds = fc.double({ min: 0, max: 100_000, noNaN: true });
    fc.assert(
      fc.property(
        seconds,
        seconds,
        fc.double({ min: 0, max: 10_000, noNaN: true }),
        (a, b, usual) => {
          const [early, late] = [Math.min(a, b), Math.max(a, b)];
          expect(probablePercent(early, usual)).toBeLessThanOrEqual(probablePercent(late, usual));
          expect(probablePercent(late, usual)).toBeLessThan(100);
        },
      ),
    );
  });
});
