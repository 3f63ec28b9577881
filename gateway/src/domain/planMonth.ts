import type { Account } from './account.ts';
import { balanceOf, ledgerEntry, pruneSpentLots, type LedgerEntry, type Lot } from './credits.ts';
import { monthsAfter } from './plan.ts';
import { PlainRefusal } from './refusal.ts';

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
  const { credits: amount, startedAt } = plan;
  if (!Number.isSafeInteger(balanceOf(account.lots) + amount)) {
    throw new PlainRefusal('The account would hold more credits than can be counted.');
  }
  const months = plan.months + 1;
  const expiresAt = monthsAfter(startedAt, months);
  const kind = 'subscription';
  const lot: Lot = {
    id: ids.lotId,
    kind,
    amount,
    remaining: amount,
    expiresAt,
    createdAt: nowMs,
  };
  const number = account.ledgerEntries + 1;
  const after = {
    ...account,
    lots: pruneSpentLots([...account.lots, lot]),
    ledgerEntries: number,
    plan: { ...plan, months, nextAt: expiresAt },
  };
  const entry = ledgerEntry({
    accountId: account.id,
    number,
    kind: 'grant',
    movements: [{ lotId: lot.id, kind, amount, expiresAt }],
    reason: `${plan.name}, month ${months}`,
    requestId: ids.requestId,
    reference: `plan ${plan.id} ${months}`,
    at: nowMs,
  });
  return { after, entry };
}
