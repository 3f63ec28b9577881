import type { Generation } from '../../../domain/generations/generation.ts';
import type { Schedule } from '../../../domain/generations/work.ts';
import type { AppCore } from '../../app.ts';
import { StaleWriteError } from '../../ports/database.ts';
import type { GenerationJob, NextRun } from '../../ports/jobs.ts';
import { spanOf } from '../../ports/system.ts';
import { findArrived } from '../deliver/arrivedFiles.ts';
import { type AfterRun, endGeneration, handleUnknownOutcome } from '../end/endGeneration.ts';
import { admitWaiting } from './freeSlots.ts';
import { holdLease, type Lease } from './lease.ts';
import { actOnPoll, pollProvider } from './pollGeneration.ts';
import { startGeneration } from './startGeneration.ts';

/** Pause before an overdue generation is tried again, in ms. */
const againMs = 1_000;

/**
 * Performs the next step of a generation. Its one job runs this to start it, at its deadline, and whenever it is woken.
 * Safe to run at any time, in any process and repeatedly: the generation's lease and epoch decide.
 * @param signal Aborts the work; only when the process stops.
 * @returns The latest time of the next run.
 */
export async function runGeneration(
  deps: AppCore,
  { generationId, accountId }: GenerationJob,
  signal: AbortSignal,
): Promise<NextRun> {
  const { generations } = deps.database;
  const leased = await generations.acquireLease(
    { id: generationId, accountId },
    deps.timings.leaseMs,
  );
  let afterRun: AfterRun = null;
  if (leased) {
    try {
      afterRun = await deps.traces.runInSpan('generation run', spanOf(leased), () =>
        holdLease(deps, leased, signal, (lease) => takeStep(deps, leased, lease)),
      );
    } catch (error) {
      if (!(error instanceof StaleWriteError)) throw error;
      deps.log.warn(
        { generationId, error },
        'lease was lost: another process has taken over or ended the generation',
      );
    }
  }
  const current = afterRun ?? (await generations.find(generationId, accountId));
  if (!current || current === 'ended' || current.step === 'ended') {
    return { at: null, isTaken: false };
  }
  return { at: nextRunAt(current, leased !== null, deps.clock.now()), isTaken: leased === null };
}

/** When to run an unfinished generation again, in ms since the epoch. */
function nextRunAt(generation: Schedule, isLeased: boolean, nowMs: number): number {
  const { step, leaseUntil, dueAt, deadlineAt } = generation;
  // Ready and not held: an unknown outcome is due for a repeat, or a slot has become free.
  if (step === 'ready' && leaseUntil === 0) return dueAt;
  const expiresAt = Math.max(leaseUntil, nowMs + againMs);
  // Work held by another process is resumed when its lease expires; submitted generations are polled.
  const isHeld = !isLeased || leaseUntil > nowMs;
  if (isHeld && step !== 'submitted') return expiresAt;
  return Math.max(deadlineAt > nowMs ? deadlineAt : dueAt, expiresAt);
}

async function takeStep(deps: AppCore, generation: Generation, lease: Lease): Promise<AfterRun> {
  const isLate = generation.deadlineAt <= deps.clock.now();
  switch (generation.step) {
    case 'waiting':
      if (isLate) return giveUp(deps, generation);
      await deps.database.generations.update(generation, {
        leaseUntil: 0,
        dueAt: generation.deadlineAt,
      });
      await admitWaiting(deps, generation.accountId);
      return null;
    case 'ready':
    case 'parked':
      return isLate ? giveUp(deps, generation) : startGeneration(deps, generation, lease);
    case 'submitting': {
      // The lease has expired here, so the process that called the provider is gone.
      const arrived = await findArrived(deps, generation);
      return arrived ? pollOnce(deps, arrived, lease) : handleUnknownOutcome(deps, generation);
    }
    case 'submitted':
      return pollOnce(deps, generation, lease);
    case 'ended':
      return 'ended';
  }
}

/** Polls a submitted generation once and acts on the result. */
async function pollOnce(
  deps: AppCore,
  generation: Generation,
  { signal }: Lease,
): Promise<AfterRun> {
  const { database, clock, pollTurns, timings } = deps;
  const { attempts, deadlineAt } = generation;
  // The last poll waits for its turn, but not beyond the grace.
  const isOver = clock.now() >= deadlineAt + timings.deadlineGraceMs;
  if (!isOver && (await pollTurns.take(attempts.at(-1)?.provider ?? '', 1)) === 0) {
    return database.generations.update(generation, { dueAt: clock.now() + againMs, leaseUntil: 0 });
  }
  const result = await pollProvider(deps, generation, signal);
  const next = await actOnPoll(deps, generation, result, signal);
  if (next === null) return 'ended';
  const dueAt = pollTurns.nextAt(generation, result, next);
  return database.generations.update(generation, { dueAt, leaseUntil: 0 });
}

async function giveUp(deps: AppCore, generation: Generation): Promise<AfterRun> {
  await endGeneration(deps, generation, {
    status: 'failed',
    failure: { code: 'capacity_exceeded' },
    note: 'not started within its waiting deadline',
    mustBePastDeadline: true,
  });
  return 'ended';
}
