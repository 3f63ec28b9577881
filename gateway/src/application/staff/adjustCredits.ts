import { balanceOf, pruneSpentLots, takeCredits, type LotChange } from '../../domain/credits.ts';
import type { Account } from '../../domain/account.ts';
import { ledgerEntry } from '../../domain/ledger.ts';
import { AdminProblem } from '../admin/adminProblem.ts';
import { byId, changeAccount } from '../admin/changeAccount.ts';
import { grantCreditsMax } from '../admin/grantCredits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Database } from '../ports/database.ts';
import type { Random } from '../ports/random.ts';

/** A correction of a balance. */
export interface Adjustment {
  accountId: string;
  /** Credits: positive gives, negative takes. */
  amount: number;
  reason: string;
  /** The generation that it is about; it gets one adjustment at most. */
  generationId: string | null;
  requestId: string;
}

/**
 * Gives or takes credits by an entry of its own kind, in one transaction (I1). Taken credits come from
 * the lots in the usual order, and never more than there are (I9).
 * @throws AdminProblem when the amount makes no sense, or is not there.
 * @throws DuplicateValue when the generation has an adjustment already.
 */
export async function adjustCredits(
  deps: { database: Database; clock: Clock; random: Random },
  { accountId, amount, reason, generationId, requestId }: Adjustment,
): Promise<void> {
  if (!Number.isSafeInteger(amount) || amount === 0 || Math.abs(amount) > grantCreditsMax) {
    throw new AdminProblem('An adjustment is a whole number of credits, above or below zero.');
  }
  const now = deps.clock.now();
  const lotId = deps.random.newId('lot');
  await changeAccount(deps.database, byId(deps.database, accountId), (account) => {
    const change = amount > 0 ? give(account, lotId, amount, now) : take(account, -amount, now);
    const number = account.ledgerEntries + 1;
    const entry = ledgerEntry({
      ...{ accountId, number, kind: 'adjustment', movements: change.movements },
      ...{ generationId, reason, requestId, at: now },
    });
    return {
      after: { ...account, lots: pruneSpentLots(change.lots), ledgerEntries: number },
      entry,
    };
  });
}

function give({ lots }: Account, id: string, amount: number, now: number): LotChange {
  if (!Number.isSafeInteger(balanceOf(lots) + amount)) {
    throw new AdminProblem('The account would hold more credits than can be counted.');
  }
  const rest = { kind: 'promotional' as const, amount, expiresAt: null };
  return {
    lots: [...lots, { id, ...rest, remaining: amount, createdAt: now }],
    movements: [{ lotId: id, ...rest }],
  };
}

function take({ lots }: Account, amount: number, now: number): LotChange {
  const change = takeCredits(lots, amount, now);
  if (change) return change;
  throw new AdminProblem('The account does not have that many credits: nothing was taken.');
}
