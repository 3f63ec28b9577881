import { admitWaiting } from './freePlaces.ts';
import { endGeneration, handleUnknownOutcome } from './endGeneration.ts';
import { actOnPoll, pollProvider } from './pollGeneration.ts';
import { spanOf } from '../ports/system.ts';
import { startGeneration } from './startGeneration.ts';
import type { WorkDeps } from './deps.ts';
import { StaleWrite } from '../ports/database.ts';
import type { NextRun } from '../ports/generations.ts';
import { pause } from '../ports/concurrency.ts';
import type { Generation } from '../../domain/generation.ts';

/** The pause before an overdue generation is tried again, in ms. */
const againMs = 1_000;

/**
 * Does what a generation needs next: the one job of a generation runs it, first to start it, then at
 * its deadline, and at any time in between when it is woken. Safe to run at any moment, in any process and
 * repeatedly: the generation's lease and epoch decide.
 * @param signal Aborts what is under way, only when the process stops.
 * @returns when to run again at the latest.
 */
export async function runGeneration(
  deps: WorkDeps,
  generationId: string,
  signal: AbortSignal,
): Promise<NextRun> {
  const { generations } = deps.database;
  const claimed = await generations.claim(generationId, deps.timings.leaseMs);
  if (claimed) {
    try {
      await deps.traces.span('generation run', spanOf(claimed), () =>
        holdLease(deps, claimed, signal, (held) => step(deps, claimed, held)),
      );
    } catch (error) {
      if (!(error instanceof StaleWrite)) throw error;
      deps.log.warn({ generationId, error }, 'the lease was lost: another process goes on');
    }
  }
  const found = await generations.find(generationId);
  if (!found || found.step === 'ended') return { at: null, held: false };
  return { at: nextRunAt(found, claimed !== null, deps.clock.now()), held: claimed === null };
}

/** When to run an unfinished generation again, in ms since the epoch. */
function nextRunAt(found: Generation, wasClaimed: boolean, now: number): number {
  const { step, leaseUntil, dueAt, deadlineAt } = found;
  // Ready and not held: an unknown outcome is to be asked for again, or a place became free.
  if (step === 'ready' && leaseUntil === 0) return dueAt;
  const lapsesAt = Math.max(leaseUntil, now + againMs);
  // What another process works on is taken up when its lease lapses; the poll lanes poll what was
  // submitted.
  const held = !wasClaimed || leaseUntil > now;
  if (held && step !== 'submitted') return lapsesAt;
  return Math.max(deadlineAt > now ? deadlineAt : dueAt, lapsesAt);
}

async function step(deps: WorkDeps, generation: Generation, signal: AbortSignal): Promise<void> {
  const late = generation.deadlineAt <= deps.clock.now();
  switch (generation.step) {
    case 'waiting':
      if (late) return giveUp(deps, generation);
      await deps.database.generations.update(generation, {
        leaseUntil: 0,
        dueAt: generation.deadlineAt,
      });
      return admitWaiting(deps, generation.accountId);
    case 'ready':
    case 'parked':
      return late ? giveUp(deps, generation) : startGeneration(deps, generation, signal);
    case 'submitting':
      // Found here with a lapsed lease: the process that called the provider is gone.
      return handleUnknownOutcome(deps, generation);
    case 'submitted': {
      const result = await pollProvider(deps, generation, signal);
      const next = await actOnPoll(deps, generation, result, signal);
      if (next !== null) {
        await deps.database.generations.update(generation, { dueAt: next, leaseUntil: 0 });
      }
      return;
    }
    case 'ended':
      return;
  }
}

function giveUp(deps: WorkDeps, generation: Generation): Promise<void> {
  return endGeneration(deps, generation, {
    status: 'failed',
    failure: { code: 'capacity_exceeded' },
    note: 'not started within its waiting deadline',
    onlyPastDeadline: true,
  });
}

/**
 * Works on a leased generation and prolongs the lease meanwhile. When the lease is lost the work is
 * aborted: another process has the generation by now, and our late writes miss by their epoch. The lease
 * is not prolonged without end when the work hangs: it lapses a grace after the deadline, or two leases
 * after a start past the deadline, and another process ends the generation.
 */
export async function holdLease<T>(
  { database, clock, log, timings }: Pick<WorkDeps, 'database' | 'clock' | 'log' | 'timings'>,
  generation: Generation,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { leaseMs, deadlineGraceMs } = timings;
  const lateMs = Math.max(0, clock.now() - generation.deadlineAt);
  const graceMs = Math.max(deadlineGraceMs, lateMs + leaseMs) + leaseMs;
  const lost = new AbortController();
  const done = new AbortController();
  const prolong = async (): Promise<void> => {
    let waitMs = leaseMs / 3;
    for (;;) {
      await pause(waitMs, done.signal);
      if (done.signal.aborted) return;
      try {
        if (!(await database.generations.extendLease(generation, leaseMs, graceMs))) {
          lost.abort(new Error(`the lease of ${generation.id} was lost`));
          return;
        }
        waitMs = leaseMs / 3;
      } catch (error) {
        log.warn({ generationId: generation.id, error }, 'a lease could not be prolonged');
        // Soon again: a lapsed lease is still ours until another process takes it.
        waitMs = leaseMs / 30;
      }
    }
  };
  void prolong();
  try {
    return await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    done.abort();
  }
}
