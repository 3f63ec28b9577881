import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { arrangeCards } from './cards.ts';

const box = { x: 10, y: 20, width: 800, height: 400 };

describe('laying references out', () => {
  test('one picture fills the box as far as its ratio allows', () => {
    expect(arrangeCards([1], box, 10)).toEqual([{ x: 210, y: 20, width: 400, height: 400 }]);
  });

  test('keeps ratios, stays in the box, and no two cards overlap', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.5, max: 2, noNaN: true }), { minLength: 1, maxLength: 15 }),
        (ratios) => {
          const cards = arrangeCards(ratios, box, 10);
          expect(cards).toHaveLength(ratios.length);
          for (const [index, card] of cards.entries()) {
            expect(card.width / card.height).toBeCloseTo(ratios[index] ?? 0);
            expect(card.x).toBeGreaterThanOrEqual(box.x - 0.01);
            expect(card.y).toBeGreaterThanOrEqual(box.y - 0.01);
            expect(card.x + card.width).toBeLessThanOrEqual(box.x + box.width + 0.01);
            expect(card.y + card.height).toBeLessThanOrEqual(box.y + box.height + 0.01);
            for (const other of cards.slice(index + 1)) {
              const apart =
                other.x >= card.x + card.width + 9.99 || other.y >= card.y + card.height + 9.99;
              expect(apart).toBe(true);
            }
          }
        },
      ),
    );
  });
});
