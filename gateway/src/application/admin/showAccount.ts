import { limitsOf, type Account } from '../../domain/account.ts';
import { availableCredits, compareLots, type Lot } from '../../domain/credits.ts';
import type { Limits } from '../../domain/limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Database } from '../ports/database.ts';
import { AdminProblem } from './adminProblem.ts';

/** An account as staff see it. */
export interface ShownAccount {
  id: string;
  status: Account['status'];
  /** Credits that can be spent now, by database time. */
  available: number;
  /** Credits that unfinished generations were charged. */
  inFlight: number;
  limits: Limits;
  /** In the order in which they are spent. */
  lots: Lot[];
}

/** Reads an account. @throws AdminProblem when there is none. */
export async function showAccount(
  deps: { database: Database; clock: Clock; defaultLimits: Limits },
  accountId: string,
): Promise<ShownAccount> {
  const account = await deps.database.accounts.find(accountId);
  if (account === null) throw new AdminProblem(`There is no account ${accountId}.`);
  return {
    id: account.id,
    status: account.status,
    available: availableCredits(account.lots, deps.clock.now()),
    inFlight: account.inFlightCredits,
    limits: limitsOf(account, deps.defaultLimits),
    lots: account.lots.toSorted(compareLots),
  };
}
