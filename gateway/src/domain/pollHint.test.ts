import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pollHintSeconds, usualFromTypical, type UsualDuration } from './pollHint.ts';

/** Polls as told from creation until done: how often, and how long the result lay ready. */
function follow(usual: UsualDuration, takesSeconds: number, fraction: number) {
  let age = pollHintSeconds('video', usual, 0, fraction);
  let polls = 1;
  while (age < takesSeconds) {
    age += pollHintSeconds('video', usual, age, fraction);
    polls += 1;
  }
  return { polls, lostSeconds: age - takesSeconds };
}

describe('the poll hint', () => {
  test('is a whole number of seconds within its bounds', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('video' as const, 'image' as const),
        fc.float({ min: 1, max: 2000, noNaN: true }),
        fc.float({ min: 0, max: 5000, noNaN: true }),
        fc.float({ min: 0, max: 1, noNaN: true }),
        (type, typical, age, fraction) => {
          const usual = usualFromTypical(typical);
          const later = pollHintSeconds(type, usual, age, fraction);
          expect(Number.isInteger(later)).toBe(true);
          expect(later).toBeGreaterThanOrEqual(1);
          expect(later).toBeLessThanOrEqual(age === 0 ? 60 : 30);
          const first = pollHintSeconds(type, usual, 0, fraction);
          expect(first).toBeLessThanOrEqual(type === 'video' ? 60 : 15);
        },
      ),
    );
  });

  test.each([30, 60, 90, 120, 150, 180])(
    'a model of about %i s: few polls, and under a tenth of the time lost',
    (typical) => {
      const usual = usualFromTypical(typical);
      let lost = 0;
      let total = 0;
      for (let step = 0; step <= 20; step += 1) {
        const takes = usual.early + ((usual.late - usual.early) * step) / 20;
        const { polls, lostSeconds } = follow(usual, takes, (step * 0.37) % 1);
        expect(polls).toBeLessThanOrEqual(takes <= 150 ? 5 : 8);
        lost += lostSeconds;
        total += takes;
      }
      expect(lost / total).toBeLessThan(0.1);
    },
  );
});
