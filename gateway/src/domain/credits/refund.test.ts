import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { LotMovement } from './credits.ts';
import { refundedPart, refundRule } from './refund.ts';

const costs = fc.integer({ min: 1, max: 1_000_000 });

test('every cost has a refund of whole credits, at least one and at most the cost', () => {
  const property = fc.property(costs, (cost) => {
    const credits = refundRule.creditsFor(cost);
    expect(Number.isSafeInteger(credits)).toBe(true);
    expect(credits).toBeGreaterThanOrEqual(1);
    expect(credits).toBeLessThanOrEqual(cost);
  });
  fc.assert(property, { examples: [[1]] });
});

test('the words of the rule say "in full" exactly if every cost is refunded in full', () => {
  const isWhole = [1, 2, 30, 63, 1_000].every((cost) => refundRule.creditsFor(cost) === cost);
  expect(refundRule.inWords === 'in full').toBe(isWhole);
});

const charges = fc.array(
  fc.record<LotMovement>({
    lotId: fc.uuid(),
    kind: fc.constantFrom('promotional', 'subscription', 'purchased'),
    amount: fc.integer({ min: -500, max: -1 }),
    expiresAt: fc.option(fc.integer({ min: 1, max: 100 })),
  }),
  { minLength: 1, maxLength: 6 },
);
const sum = (movements: readonly LotMovement[]) =>
  movements.reduce((all, { amount }) => all - amount, 0);

test('a refund returns exactly its credits, and no lot gets more than it paid', () => {
  const property = fc.property(charges, fc.nat(), (charge, any) => {
    const credits = (any % sum(charge)) + 1;
    const part = refundedPart(charge, credits);
    expect(sum(part)).toBe(credits);
    for (const { lotId, amount } of part) {
      const paid = charge.find((each) => each.lotId === lotId)?.amount ?? 0;
      expect(amount).toBeLessThan(0);
      expect(amount).toBeGreaterThanOrEqual(paid);
    }
    expect(refundedPart(charge, sum(charge))).toEqual(charge);
    expect(() => refundedPart(charge, sum(charge) + 1)).toThrow(RangeError);
  });
  fc.assert(property);
});

test('a partial refund fills the lots that expire last first', () => {
  const paid = (lotId: string, expiresAt: number | null): LotMovement => ({
    lotId,
    expiresAt,
    kind: 'purchased',
    amount: -10,
  });
  const part = refundedPart([paid('soon', 1), paid('never', null), paid('late', 2)], 15);
  expect(part.map(({ lotId, amount }) => [lotId, amount])).toEqual([
    ['never', -10],
    ['late', -5],
  ]);
});
