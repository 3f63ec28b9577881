import { payingKey } from '../../domain/monthlyLimits.ts';
import type { Note } from './auditAccount.ts';
import type { AuditedAccount, AuditedGeneration } from './ports.ts';

/** What a generation spent under the monthly limit of a key. */
export interface CountedSpending {
  keyId: string;
  month: number;
  credits: number;
}

/** Null for a generation that no limit counted. */
export function countedSpendingOf(generation: AuditedGeneration): CountedSpending | null {
  const { monthCounted, costCredits, refundedCredits } = generation;
  if (!monthCounted || monthCounted.keyId === null) return null;
  const { keyId, month } = monthCounted;
  return { keyId, month, credits: costCredits - refundedCredits };
}

/**
 * Checks that keys count at least what their generations of the month spent: a lower count lets them exceed their limit
 * (I9). A higher one is possible: what a key that is gone counted is not given back.
 */
export function auditMonths(
  { id, keys }: AuditedAccount,
  spending: readonly CountedSpending[],
  note: Note,
): void {
  for (const key of keys) {
    const { monthSpent } = key;
    if (!monthSpent || key.replacedBy !== undefined) continue;
    const spent = spending.reduce((sum, { keyId, month, credits }) => {
      const isOwn = month === monthSpent.month && payingKey({ keys }, keyId)?.id === key.id;
      return sum + (isOwn ? credits : 0);
    }, 0);
    if (spent <= monthSpent.credits) continue;
    const counts = `key ${key.id} counts ${monthSpent.credits} credits in its month`;
    note('I9', `accounts/${id}`, `${counts}, its generations spent ${spent}`);
  }
}
