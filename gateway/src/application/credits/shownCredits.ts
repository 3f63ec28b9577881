import type { Account } from '../../domain/accounts/account.ts';
import { availableCredits, type Lot, spendableLots } from '../../domain/credits/credits.ts';

/** An account's credits as its owner sees them. */
export interface ShownCredits {
  available: number;
  inFlight: number;
  /** Spendable lots, in spending order. */
  lots: Lot[];
}

/** The account's credits at this time, for its owner. */
export function shownCredits(account: Account, nowMs: number): ShownCredits {
  return {
    available: availableCredits(account.lots, nowMs),
    inFlight: account.inFlightCredits,
    lots: spendableLots(account.lots, nowMs),
  };
}
