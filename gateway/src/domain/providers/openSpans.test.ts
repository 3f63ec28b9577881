import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openSpans } from './openSpans.ts';

const range = { from: 0, until: 100 };

test.each([
  [[], false, []],
  [[], true, [range]],
  [[{ at: 10, opens: true }], true, [{ from: 10, until: 100 }]],
  [[{ at: 10, opens: false }], false, [{ from: 0, until: 10 }]],
])('%j, open at the end: %p', (changes, isOpen, spans) => {
  expect(openSpans(changes, range, isOpen)).toEqual(spans);
});

test('of alternating changes, the spans are those between an opening and the next closing', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 20 }),
      fc.boolean(),
      (moments, startsOpen) => {
        const ats = moments.toSorted((a, b) => a - b);
        const changes = ats.map((at, index) => ({ at, opens: (index % 2 === 0) !== startsOpen }));
        const isOpen = (ats.length % 2 === 0) === startsOpen;
        const spans = openSpans(changes, range, isOpen);
        for (let moment = 0.5; moment < 100; moment += 1) {
          const before = ats.filter((at) => at < moment).length;
          const wasOpen = (before % 2 === 0) === startsOpen;
          expect(spans.some(({ from, until }) => from <= moment && moment < until)).toBe(wasOpen);
        }
      },
    ),
  );
});
