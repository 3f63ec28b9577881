import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bucketRatio, type DurationCounts, percentileOf } from './durationBuckets.ts';

const counted = (durations: readonly number[]): DurationCounts => {
  const buckets = Map.groupBy(durations, (seconds) =>
    Math.floor(Math.log(seconds) / Math.log(bucketRatio)),
  );
  return new Map([...buckets].map(([bucket, all]) => [bucket, all.length]));
};

test('a percentile is within 2.5 % of the exact one', () => {
  const duration = fc.double({ min: 0.2, max: 90_000, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(duration, { minLength: 1, maxLength: 200 }),
      fc.constantFrom(0.5, 0.95, 1),
      (durations, part) => {
        const exact = durations.toSorted((a, b) => a - b)[Math.ceil(part * durations.length) - 1];
        const ratio = (percentileOf(counted(durations), part) ?? 0) / (exact ?? 0);
        expect(ratio).toBeGreaterThan(0.974);
        expect(ratio).toBeLessThan(1.026);
      },
    ),
  );
});

test('no durations have no percentile', () => {
  expect(percentileOf(new Map(), 0.5)).toBeNull();
});
