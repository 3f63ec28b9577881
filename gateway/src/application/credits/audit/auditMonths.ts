import { sum } from '@framegate/contract';
import { payingKey } from '../../../domain/credits/monthlyLimits.ts';
import type { AuditedAccount, AuditedGeneration } from '../../ports/ledgerAudit.ts';
import type { RecordProblem } from './auditProblems.ts';

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
  const sumKey = `${keyId} ${month}`;
  const before = ofAccount.get(sumKey)?.credits ?? 0;
  ofAccount.set(sumKey, { keyId, month, credits: before + costCredits - refundedCredits });
}

/** A key whose count is below its spending. */
interface Shortfall {
  keyId: string;
  /** The newest month of its generations or its count. */
  month: number;
  counted: number;
  spent: number;
}

/** The keys of an account whose month counts are below the spending of their generations. */
export function monthShortfalls(
  { keys }: Pick<AuditedAccount, 'keys'>,
  spending: Iterable<CountedSpending>,
): Shortfall[] {
  const sums = [...spending];
  return keys.flatMap(({ id: keyId, monthSpent, replacedBy }) => {
    if (replacedBy !== undefined) return [];
    const own = sums.filter((each) => payingKey({ keys }, each.keyId)?.id === keyId);
    // A count never goes back to an earlier month.
    const month = Math.max(monthSpent?.month ?? -Infinity, ...own.map((each) => each.month));
    const countedCredits = monthSpent?.month === month ? monthSpent.credits : 0;
    const spent = sum(own.filter((each) => each.month === month).map((each) => each.credits));
    return spent > countedCredits ? [{ keyId, month, counted: countedCredits, spent }] : [];
  });
}

/**
 * Checks that keys count at least the spending of their generations in the month: a lower count lets them exceed their
 * limit (I9). A higher one is possible: the count of a removed key is not returned.
 */
export function auditMonths(
  account: AuditedAccount,
  spending: Iterable<CountedSpending>,
  record: RecordProblem,
): void {
  for (const { keyId, counted, spent } of monthShortfalls(account, spending)) {
    const counts = `key ${keyId} counts ${counted} credits in its month`;
    record('I9', `accounts/${account.id}`, `${counts}, its generations spent ${spent}`);
  }
}
