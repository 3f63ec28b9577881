import { expect, test } from '@jest/globals';
import { endOfMonth, monthNumberOf } from './utcMonth.ts';

test('a month ends where the next one begins, in UTC, leap years and New Year included', () => {
  for (const [last, next] of [
    ['2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z'],
    ['2028-02-29T23:59:59.999Z', '2028-03-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
  ] as const) {
    expect(endOfMonth(Date.parse(last))).toBe(Date.parse(next));
    expect(monthNumberOf(Date.parse(next))).toBe(monthNumberOf(Date.parse(last)) + 1);
  }
});
