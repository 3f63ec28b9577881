import { describe, expect, test } from '@jest/globals';
import { hourMs } from '@framegate/contract';
import { defaultTimings } from '../timings.ts';
import { pollDelayMs } from './pollDelay.ts';

describe('the pause between two polls', () => {
  const ages = [0, 6_000, 24_000, 48_000, 96_000, hourMs];

  test.each([
    [1, [500, 500, 2_000, 4_000, 4_000, 4_000]],
    [1_000, [800, 800, 2_000, 4_000, 4_000, 4_000]],
    [5_000, [4_000, 4_000, 4_000, 4_000, 4_000, 4_000]],
    [7_500, [6_000, 6_000, 6_000, 6_000, 6_000, 6_000]],
    [20_000, [8_000, 8_000, 8_000, 8_000, 8_000, 8_000]],
  ])('grows with the age of a generation, and with %d in flight', (inFlight, delays) => {
    expect(ages.map((age) => pollDelayMs(defaultTimings, age, inFlight))).toEqual(delays);
  });
});
