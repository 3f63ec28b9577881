import type { Account } from './account.ts';
import type { LedgerEntry } from './credits.ts';
import { grantLot } from './grantLot.ts';
import { monthsAfter } from './plan.ts';

/**
 * Grants the credits of the next month that is due, as a lot that expires when the month is over: after an outage that
 * may have been already, and the lot is written as an expired one. The reference of the entry names plan and month, so
 * that the ledger takes it once.
 * @returns Null if none is due.
 * @throws PlainRefusal if the account would hold more credits than can be counted.
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
  const { after, entry } = grantLot(
    account,
    {
      id: ids.lotId,
      kind: 'subscription',
      amount: plan.credits,
      expiresAt,
      createdAt: nowMs,
    },
    {
      requestId: ids.requestId,
      reference: `plan ${plan.id} ${months}`,
      reason: `${plan.name}, month ${months}`,
    },
  );
  return { after: { ...after, plan: { ...plan, months, nextAt: expiresAt } }, entry };
}
