import type { FailureCode } from '@framegate/contract';
import type { Submission } from '@framegate/provider-routes';
import { type Attempt, withoutRepeated } from '../../../domain/generations/attempt.ts';
import type { Generation } from '../../../domain/generations/generation.ts';
import { concernsKey, operatorsFaultIn } from '../../../domain/providers/breaker.ts';
import type { AppCore } from '../../app.ts';
import { StaleWriteError } from '../../ports/database.ts';
import { deliverFromMemory } from '../deliver/completeGeneration.ts';
import { type AfterRun, endGeneration, handleUnknownOutcome } from '../end/endGeneration.ts';
import { taskIdIn, withOwnTask } from './ownTask.ts';
import { abandonWork, retryUntilStored } from './paidWork.ts';
import { cancelAtProvider } from './providerRequest.ts';

/**
 * The schedule after the submission, or a refusal that leaves the order to another route. `waits`: the same route may
 * take it later, because it is busy or refuses the operator, not the order. `refusedKey`: the name of the refused key;
 * another one may work.
 */
export type SubmissionConclusion =
  { left: AfterRun } | { waits: boolean; attempts: Attempt[]; refusedKey: string | null };

/** A submission's result, and the generation's attempts with a change of the submitted one. */
interface Outcome {
  submission: Submission;
  outcome: (change: Partial<Attempt>) => Attempt[];
  /** Whether it was refused for an unknown reason, as others were before it. */
  isRepeated: boolean;
}

/**
 * Stores the outcome of a submission and acts on it.
 * @param generation As written before the submission, with its running deadline.
 * @throws StaleWriteError if another process has the generation.
 */
export async function concludeSubmission(
  deps: AppCore,
  generation: Generation,
  { submission: answered, outcome, isRepeated }: Outcome,
  signal: AbortSignal,
): Promise<SubmissionConclusion> {
  const [attempt] = outcome({}).slice(-1);
  const submission = attempt
    ? await withOwnTask(deps, generation, attempt, answered, signal)
    : answered;
  switch (submission.kind) {
    case 'accepted': {
      const attempts = outcome({ outcome: 'accepted', ...handleOf(deps, attempt, submission) });
      return { left: await keepAccepted(deps, generation, attempts, signal) };
    }
    case 'completed': {
      const attempts = outcome({ outcome: 'completed' });
      const { outputs } = submission;
      return { left: await deliverFromMemory(deps, generation, attempts, outputs, signal) };
    }
    case 'undelivered': {
      const { note } = submission;
      const attempts = outcome({ outcome: 'failed', ...handleOf(deps, attempt, submission), note });
      await fail(deps, generation, 'generation_failed', note, attempts);
      await cancelAtProvider(deps, { ...generation, attempts });
      return { left: 'ended' };
    }
    case 'refused': {
      const { code, note, isBusy, health = null } = submission;
      if (code !== null) {
        await fail(deps, generation, code, note, outcome({ outcome: 'refused', note }));
        return { left: 'ended' };
      }
      const fault = operatorsFaultIn(health) ?? (isRepeated ? ('identical' as const) : null);
      const refusal = { outcome: 'refused', note, ...(fault && { refusedFor: fault }) } as const;
      const attempts = isBusy && !fault ? generation.attempts : withoutRepeated(outcome(refusal));
      const refusedKey = concernsKey(health) ? (attempt?.key ?? '') : null;
      return { waits: isBusy || fault !== null, attempts, refusedKey };
    }
    case 'unknown': {
      const attempts = outcome({ outcome: 'unknown', note: submission.note });
      return { left: await handleUnknownOutcome(deps, { ...generation, attempts }) };
    }
  }
}

function handleOf(
  deps: Pick<AppCore, 'routes'>,
  attempt: Attempt | undefined,
  { operation, operationShown }: Extract<Submission, { operation: unknown }>,
): Partial<Attempt> {
  const handle = { operation, ...(operationShown !== undefined && { operationShown }) };
  return { ...handle, ...(attempt && taskIdIn(deps, attempt, handle)) };
}

/**
 * Stores an accepted order. Until then its handle exists only in this process, so the write is retried through a
 * database outage until a grace after the generation's deadline. An order that cannot be stored is reported
 * and cancelled.
 */
async function keepAccepted(
  deps: AppCore,
  generation: Generation,
  attempts: Attempt[],
  signal: AbortSignal,
): Promise<AfterRun> {
  const { database, clock, pollTurns } = deps;
  const acceptedAt = clock.now();
  let afterRun: AfterRun = null;
  const write = async () => {
    afterRun = await database.generations.update(generation, {
      status: 'processing',
      step: 'submitted',
      attempts,
      dueAt: pollTurns.firstAt(
        attempts.at(-1),
        clock.now() + deps.timings.minPollDelayMs,
        generation.deadlineAt,
      ),
      leaseUntil: 0,
      timeline: [{ at: acceptedAt, what: 'accepted by the provider' }],
    });
  };
  try {
    const lost = await retryUntilStored(deps, generation, signal, write);
    if (lost) await abandonWork(deps, generation, attempts, lost.reason, lost.error);
  } catch (error) {
    if (!(error instanceof StaleWriteError)) throw error;
    // Our own write may have succeeded although its response was lost, and the order may have been polled since.
    const { number } = attempts.at(-1) ?? {};
    const current = await database.generations.find(generation.id, generation.accountId);
    const writtenAttempt = current?.attempts.find((attempt) => attempt.number === number);
    if ((writtenAttempt?.operation ?? null) !== null) return null;
    await abandonWork(deps, generation, attempts, 'lease_lost', error);
    throw error;
  }
  return afterRun;
}

async function fail(
  deps: AppCore,
  generation: Generation,
  code: FailureCode,
  note: string,
  attempts: Attempt[],
): Promise<void> {
  await endGeneration(deps, generation, { status: 'failed', failure: { code }, note, attempts });
}
