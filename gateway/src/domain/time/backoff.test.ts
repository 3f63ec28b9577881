import { expect, test } from '@jest/globals';
import { backoffMs, jitter } from './backoff.ts';

const pace = { firstMs: 100, maxMs: 1_000 };

test('a pause doubles with each failure up to the maximum', () => {
  const pauses = [1, 2, 4, 5, 2_000].map((failures) => backoffMs(pace, failures));
  expect(pauses).toEqual([100, 200, 800, 1_000, 1_000]);
});

test('a pause varies by a quarter', () => {
  expect([0, 0.5, 1].map((fraction) => jitter(100, fraction))).toEqual([75, 100, 125]);
});
