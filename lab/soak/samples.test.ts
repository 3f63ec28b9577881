import { expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { lineThrough, rises } from './samples.ts';

/** A value every 5 s for half an hour, around 100. */
const values = (perHour: number) =>
  Array.from({ length: 360 }, (_, index): [number, number] => {
    const at = index * 5_000;
    const noise = 8 * Math.sin(index * 2.4);
    return [at, 100 + noise + (perHour * at) / (60 * minuteMs)];
  });

test('a rise above the noise is reported, but noise, a fall and a small rise are not', () => {
  expect(lineThrough(values(30)).perHour).toBeCloseTo(30, 0);
  expect(rises(lineThrough(values(30)))).toBe(true);
  for (const perHour of [0, -30, 2]) expect(rises(lineThrough(values(perHour)))).toBe(false);
});
