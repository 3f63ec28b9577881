import type { Account } from '../../domain/account.ts';
import { availableCredits, compareLots, type Lot } from '../../domain/credits.ts';

/** An account's credits as its owner sees them. */
export interface ShownCredits {
  available: number;
  inFlight: number;
  /** Lots that can be spent, in the order in which they will be. */
  lots: Lot[];
}

/** What an account has to spend, and in which order. */
export function shownCredits(account: Account, nowMs: number): ShownCredits {
  const live = account.lots.filter(
    (lot) => lot.remaining > 0 && (lot.expiresAt === null || lot.expiresAt > nowMs),
  );
  return {
    available: availableCredits(account.lots, nowMs),
    inFlight: account.inFlightCredits,
    lots: live.toSorted(compareLots),
  };
}
