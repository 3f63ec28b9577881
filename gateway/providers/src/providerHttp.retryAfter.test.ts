import { expect, test } from '@jest/globals';
import { parseRetryAfter } from './providerHttp.ts';

const date = 'Sat, 21 Nov 2026 08:00:00 GMT';

test.each([
  ['7', 7_000],
  [' 0 ', 0],
  ['Sat, 21 Nov 2026 08:00:30 GMT', 30_000],
  ['Sat, 21 Nov 2026 07:00:00 GMT', 0],
  ['-1', null],
  ['1.5', null],
  ['soon', null],
  ['', null],
])('Retry-After: %p is %p ms', (value, expected) => {
  expect(parseRetryAfter(new Headers({ 'retry-after': value, date }))).toBe(expected);
});

test('without the header, or without a Date to compare with, the wait is unknown', () => {
  expect(parseRetryAfter(new Headers({ date }))).toBeNull();
  expect(parseRetryAfter(new Headers({ 'retry-after': date }))).toBeNull();
});
