import { isFinal } from '@framegate/contract';
import type { AuditedGeneration } from '../../ports/ledgerAudit.ts';
import type { RecordProblem } from './auditProblems.ts';

/** The sums over an account's unfinished generations. */
export interface UnfinishedSums {
  count: number;
  /** Generations queued for a slot. */
  waiting: number;
  credits: number;
}

/** The sums of an account without unfinished generations. */
export const noUnfinished: UnfinishedSums = { count: 0, waiting: 0, credits: 0 };

/** Counts a generation unless it has ended. */
export function addUnfinished(
  unfinished: Map<string, UnfinishedSums>,
  { accountId, costCredits, step, status }: AuditedGeneration,
): void {
  if (isFinal(status)) return;
  const { count, waiting, credits } = unfinished.get(accountId) ?? noUnfinished;
  unfinished.set(accountId, {
    count: count + 1,
    waiting: waiting + (step === 'waiting' ? 1 : 0),
    credits: credits + costCredits,
  });
}

/** Notes unfinished generations of accounts that do not exist. @param left Those that belong to no checked account. */
export function recordUnowned(
  left: ReadonlyMap<string, UnfinishedSums>,
  record: RecordProblem,
): void {
  for (const [id, { count }] of left) {
    const problem = `does not exist, but ${count} unfinished generations belong to it`;
    record('I4', `accounts/${id}`, problem);
  }
}
