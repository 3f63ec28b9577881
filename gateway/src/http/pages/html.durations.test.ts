import { expect, test } from '@jest/globals';
import { formatDuration, formatSeconds } from './html.ts';

test.each([
  [0.2, '1 s'],
  [59.6, '1 min'],
  [60, '1 min'],
  [119.7, '2 min'],
  [150, '2 min 30 s'],
  [3_599.7, '1 h'],
  [21_570, '6 h'],
  [19_200, '5 h 20 min'],
])('%d seconds are %s', (seconds, words) => {
  expect(formatSeconds(seconds)).toBe(words);
});

test.each([
  [1_240, '1.2 s'],
  [59_700, '1 min 0 s'],
  [239_700, '4 min 0 s'],
  [3_599_600, '1 h 0 min'],
  [7_500_000, '2 h 5 min'],
])('%d ms are %s', (ms, words) => {
  expect(formatDuration(ms)).toBe(words);
});
