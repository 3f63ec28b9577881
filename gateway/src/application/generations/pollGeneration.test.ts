import { describe, expect, test } from '@jest/globals';
import { maxPollDelayMs, pollDelayMs } from './pollGeneration.ts';

describe('the pause between two polls', () => {
  test('grows with the age of a generation, up to the longest', () => {
    const ages = [0, 6_000, 24_000, 48_000, 96_000, 3_600_000];
    expect(ages.map((age) => pollDelayMs(age))).toEqual([500, 500, 2_000, 4_000, 8_000, 8_000]);
    expect(ages.map((age) => pollDelayMs(age, 4_000))).toEqual([
      500, 500, 2_000, 4_000, 4_000, 4_000,
    ]);
  });

  test('is 4 s at most with up to 5,000 in flight, and 8 s with 10,000 and more', () => {
    expect([0, 100, 5_000, 7_500, 10_000, 20_000].map(maxPollDelayMs)).toEqual([
      4_000, 4_000, 4_000, 6_000, 8_000, 8_000,
    ]);
  });
});
