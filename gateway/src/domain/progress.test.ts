import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { probablePercent } from './progress.ts';

describe('probablePercent', () => {
  test('is 90 when the usual time is over', () => {
    expect(probablePercent(0, 60)).toBe(0);
    expect(probablePercent(30, 60)).toBe(45);
    expect(probablePercent(60, 60)).toBe(90);
  });

  test('never goes back and never says that it is done', () => {
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
