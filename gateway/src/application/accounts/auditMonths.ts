import { payingKey } from '../../domain/monthlyLimits.ts';
import type { Note } from './auditAccount.ts';
import type { AuditedAccount, AuditedGeneration } from './ports.ts';

/** Credits that generations spent in a month under the monthly limit of a key. */
interface CountedSpending {
  keyId: string;
  month: number;
  credits: number;
}

/** Sums by account, and in it by key and month. */
export type SpendingSums = Map<string, Map<string, CountedSpending>>;

/** Adds a generation's spending to the sum of its key and month, if a limit counted it. */
export function addSpending(sums: SpendingSums, generation: AuditedGeneration): void {
  const { accountId, monthCounted, costCredits, refundedCredits } = generation;
  if (!monthCounted || monthCounted.keyId === null) return;
  const { keyId, month } = monthCounted;
  const ofAccount = sums.get(accountId) ?? new Map<string, CountedSpending>();
  sums.set(accountId, ofAccount);
  const of = `${keyId} ${month}`;
  const before = ofAccount.get(of)?.credits ?? 0;
  ofAccount.set(of, { keyId, month, credits: before + costCredits - refundedCredits });
}

/**
 * Checks that keys count at least what their generations of the month spent: a lower count lets them exceed their limit
 * (I9). A higher one is possible: what a key that is gone counted is not given back.
 */
export function auditMonths(
  { id, keys }: AuditedAccount,
  spending: Iterable<CountedSpending>,
  note: Note,
): void {
  const sums = [...spending];
  for (const key of keys) {
    const { monthSpent } = key;
    if (!monthSpent || key.replacedBy !== undefined) continue;
    const spent = sums.reduce((sum, { keyId, month, credits }) => {
      const isOwn = month === monthSpent.month && payingKey({ keys }, keyId)?.id === key.id;
      return sum + (isOwn ? credits : 0);
    }, 0);
    if (spent <= monthSpent.credits) continue;
    const counts = `key ${key.id} counts ${monthSpent.credits} credits in its month`;
    note('I9', `accounts/${id}`, `${counts}, its generations spent ${spent}`);
  }
}
