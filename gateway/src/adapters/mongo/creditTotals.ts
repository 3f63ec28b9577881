import type { ReadCreditTotals } from '../../application/ports/figures.ts';
import type { Collections } from './collections.ts';

/** Adds up what all accounts hold. */
export function createReadCreditTotals({
  accounts,
}: Pick<Collections, 'accounts'>): ReadCreditTotals {
  return async () => {
    const [totals] = await accounts
      .aggregate<{ available: number; inFlight: number }>([
        {
          $group: {
            _id: null,
            available: { $sum: { $sum: '$lots.remaining' } },
            inFlight: { $sum: '$inFlightCredits' },
          },
        },
      ])
      .toArray();
    return { available: totals?.available ?? 0, inFlight: totals?.inFlight ?? 0 };
  };
}
