import { isFinal } from '@framegate/contract';
import type { Note } from './auditProblem.ts';
import type { AuditedGeneration } from './ports.ts';

/** Times come from several machines' idea of database time; they may be so far apart, in ms. */
const slackMs = 2_000;

/**
 * Checks that what is stored of a generation can have come about: its state, step and times agree, and
 * its attempts are numbered, concluded before the next, and accepted once (I5, I6).
 */
export function auditHistory(generation: AuditedGeneration, note: Note): void {
  const { status, step, createdAt, startedAt, endedAt } = generation;
  const document = `generations/${generation.id}`;
  const ended = isFinal(status);
  if (ended !== (step === 'ended')) note('I5', document, `is ${status} and at step ${step}`);
  if (ended !== (endedAt !== null)) {
    note('I5', document, `is ${status} and has ${endedAt === null ? 'no' : 'an'} end`);
  }
  if (startedAt !== null && startedAt < createdAt - slackMs) {
    note('I5', document, 'was started before it was created');
  }
  if (endedAt !== null && endedAt < Math.max(createdAt, startedAt ?? createdAt) - slackMs) {
    note('I5', document, 'ended before it began');
  }
  auditAttempts(document, generation.attempts, note);
}

function auditAttempts(
  document: string,
  attempts: AuditedGeneration['attempts'],
  note: Note,
): void {
  if (attempts.some(({ number }, index) => number !== index + 1)) {
    note('I6', document, 'has attempts that are not numbered one after the other');
  }
  if (attempts.slice(0, -1).some(({ outcome }) => outcome === 'open' || outcome === 'accepted')) {
    note('I6', document, 'was submitted again before an earlier attempt had ended');
  }
}
