import type { Account } from '../accounts/account.ts';
import { book, giveCredits } from './book.ts';
import type { LedgerEntry } from './ledgerChain.ts';
import { monthsAfter, referenceOfMonth } from './plan.ts';

/**
 * Grants the credits of the next due month, as a lot that expires at the end of the month. After an outage that may be
 * in the past, and the lot is written as expired. The reference of the entry names plan and month, so the ledger
 * accepts it once.
 * @returns Null if none is due.
 * @throws Refusal `balance_too_high`.
 */
export function grantMonth(
  account: Account,
  nowMs: number,
  ids: { lotId: string; requestId: string },
): { after: Account; entry: LedgerEntry } | null {
  const { plan } = account;
  if (plan === undefined || plan.nextAt === null || plan.nextAt > nowMs) return null;
  const months = plan.months + 1;
  const expiresAt = monthsAfter(plan.startedAt, months);
  const change = giveCredits(account.lots, {
    id: ids.lotId,
    kind: 'subscription',
    amount: plan.credits,
    expiresAt,
    createdAt: nowMs,
  });
  const { after, entry } = book(account, change, {
    kind: 'grant',
    at: nowMs,
    requestId: ids.requestId,
    reference: referenceOfMonth(plan, months),
    reason: `${plan.name}, month ${months}`,
  });
  return { after: { ...after, plan: { ...plan, months, nextAt: expiresAt } }, entry };
}
