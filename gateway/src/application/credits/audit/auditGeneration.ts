import { isFinal } from '@framegate/contract';
import type { LotKind, LotMovement } from '../../../domain/credits/credits.ts';
import { timeOf } from '../../../domain/credits/rebuildLots.ts';
import { maxAheadMs } from '../../../domain/time/furthestTimes.ts';
import type { AuditedEntry, AuditedGeneration } from '../../ports/ledgerAudit.ts';
import type { RecordProblem } from './auditProblems.ts';

/** Charges that a generation has: none only if it delivers a refused result for nothing. */
export const chargesOf = ({ costCredits, replaces }: AuditedGeneration): 0 | 1 =>
  costCredits === 0 && replaces !== undefined ? 0 : 1;

/**
 * Checks a generation against the entries that name it: its charge, of its cost and from its recorded lots; a
 * refund exactly if it failed, of the recorded amount and in the kinds of credits that paid (I2, I4).
 */
export function auditGeneration(
  generation: AuditedGeneration,
  entries: readonly AuditedEntry[],
  record: RecordProblem,
): void {
  const document = `generations/${generation.id}`;
  const charges = entries.filter(({ kind }) => kind === 'charge');
  const refunds = entries.filter(({ kind }) => kind === 'refund');
  const cost = generation.costCredits;
  for (const entry of entries) {
    if (entry.accountId !== generation.accountId) {
      record(
        'I2',
        `ledger/${entry.id}`,
        `belongs to account ${entry.accountId}, but its generation to another`,
      );
    }
  }
  const [charge] = charges;
  const right = chargesOf(generation);
  if (charges.length !== right) {
    record(
      'I2',
      document,
      `has ${charges.length} charges instead of ${right === 1 ? 'one' : 'none'}`,
    );
  } else if (charge && charge.amount !== -cost) {
    record('I2', `ledger/${charge.id}`, `charges ${-charge.amount}, the generation costs ${cost}`);
  } else if (charge && !sameMovements(charge.movements, generation.charge)) {
    record('I2', document, 'names other lots as payers than its charge does');
  }
  const expected = generation.status === 'failed' ? right : 0;
  if (refunds.length !== expected) {
    record('I2', document, `is ${generation.status} and has ${refunds.length} refunds`);
  }
  if (expected === 0) return;
  const refunded = generation.refundedCredits;
  for (const { id, amount, movements } of refunds) {
    if (amount !== refunded) {
      record('I2', `ledger/${id}`, `refunds ${amount}, the generation says ${refunded}`);
    } else if (charge && !areCovered(movements, charge.movements)) {
      record('I2', `ledger/${id}`, 'returns other kinds of credits than were charged');
    }
  }
  if (refunded > cost) record('I2', document, `costs ${cost} and says ${refunded} were refunded`);
}

type Movements = readonly LotMovement[];

function sameMovements(a: Movements, b: Movements): boolean {
  const isSame = ({ lotId, amount, kind, expiresAt }: LotMovement, index: number) => {
    const other = b[index];
    return (
      lotId === other?.lotId &&
      amount === other.amount &&
      kind === other.kind &&
      expiresAt === other.expiresAt
    );
  };
  if (a.length === b.length && a.every(isSame)) return true;
  const write = (movements: Movements) =>
    movements
      .map(({ lotId, kind, amount, expiresAt }) => `${lotId} ${kind} ${amount} ${expiresAt}`)
      .toSorted()
      .join();
  return write(a) === write(b);
}

/** Whether a refund returns at most the charged amount of each kind of credits. */
function areCovered(refund: Movements, charge: Movements): boolean {
  const sums = new Map<LotKind, number>();
  for (const { kind, amount } of [...refund, ...charge]) {
    sums.set(kind, (sums.get(kind) ?? 0) + amount);
  }
  return [...sums.values()].every((sum) => sum <= 0);
}

/** Tolerance between times, in ms: they are estimates of database time from several machines. */
const slackMs = 2_000;

/**
 * Checks the times by which workers find an unfinished generation: with a time later than any rule can set, it is never
 * worked on, and its credits stay in flight (I4). A poll or a lease from before all clocks were set back lies within
 * the deadline of that time, and upkeep frees it.
 * @param nowMs When it was read.
 */
function auditTimes(
  { id, createdAt, deadlineAt, dueAt, leaseUntil }: AuditedGeneration,
  nowMs: number,
  record: RecordProblem,
): void {
  const lastHold = Math.max(deadlineAt, nowMs) + maxAheadMs.lease;
  const latest = [
    ['deadline', deadlineAt, Math.max(createdAt, nowMs) + maxAheadMs.deadline],
    ['next poll', dueAt, lastHold],
    ['lease', leaseUntil, lastHold],
  ] as const;
  for (const [what, at, max] of latest) {
    if (at <= max + slackMs) continue;
    const problem = `has its ${what} at ${timeOf(at)}, later than any rule sets it`;
    record('I4', `generations/${id}`, problem);
  }
}

/**
 * Checks that a stored generation has a possible history: state, step and times agree; attempts are numbered, each ends
 * before the next begins, and at most one was accepted (I5, I6).
 * @param nowMs When it was read.
 */
export function auditHistory(
  generation: AuditedGeneration,
  nowMs: number,
  record: RecordProblem,
): void {
  const { status, step, isOpen, createdAt, startedAt, endedAt } = generation;
  const document = `generations/${generation.id}`;
  const hasEnded = isFinal(status);
  if (hasEnded !== (step === 'ended')) record('I5', document, `is ${status} and at step ${step}`);
  if (isOpen !== (step !== 'ended')) {
    const problem = `is at step ${step}, and workers ${isOpen ? 'still' : 'do not'} look for it`;
    record('I5', document, problem);
  }
  if (!hasEnded) auditTimes(generation, nowMs, record);
  if (hasEnded !== (endedAt !== null)) {
    record('I5', document, `is ${status} and has ${endedAt === null ? 'no' : 'an'} end`);
  }
  if (startedAt !== null && startedAt < createdAt - slackMs) {
    record('I5', document, 'was started before it was created');
  }
  if (endedAt !== null && endedAt < Math.max(createdAt, startedAt ?? createdAt) - slackMs) {
    record('I5', document, 'ended before it began');
  }
  auditAttempts(document, generation.attempts, record);
}

function auditAttempts(
  document: string,
  attempts: AuditedGeneration['attempts'],
  record: RecordProblem,
): void {
  if (attempts.some(({ number }, index) => number !== index + 1)) {
    record('I6', document, 'has attempts that are not numbered one after the other');
  }
  if (attempts.slice(0, -1).some(({ outcome }) => outcome === 'open' || outcome === 'accepted')) {
    record('I6', document, 'was submitted again before an earlier attempt had ended');
  }
}
