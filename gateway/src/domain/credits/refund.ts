import type { LotMovement } from './credits.ts';

/** The refund of failed generations. A change applies to later failures; earlier ones keep their stored amount. */
export const refundRule = {
  /** The refund of a failed generation, in whole credits from 1 to its cost. */
  creditsFor(costCredits: number): number {
    return costCredits;
  },
  /** The share of the cost, for pages: a failed generation is refunded … */
  inWords: 'in full',
  /** The key of this text on multilingual pages. */
  wordsKey: 'site.refundedInFull' as const,
};

/**
 * The part of a charge that a refund returns, by lot. A partial refund starts with the lots that expire last, which are
 * useful to the customer for longest.
 * @throws RangeError if the charge has fewer credits.
 */
export function refundedPart(charge: readonly LotMovement[], credits: number): LotMovement[] {
  let remaining = credits;
  const parts = new Map<LotMovement, number>();
  const lastFirst = (a: LotMovement, b: LotMovement) =>
    (b.expiresAt ?? Infinity) - (a.expiresAt ?? Infinity) || 0;
  for (const movement of charge.toSorted(lastFirst)) {
    const part = Math.min(remaining, -movement.amount);
    if (part > 0) parts.set(movement, part);
    remaining -= part;
  }
  if (remaining !== 0) {
    throw new RangeError(`the charge has fewer credits than its refund: ${credits}`);
  }
  return charge.flatMap((movement) => {
    const part = parts.get(movement);
    return part === undefined ? [] : [{ ...movement, amount: -part }];
  });
}
