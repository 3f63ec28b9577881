import type { Generation } from '../domain/generation.ts';
import { admitWaiting } from './admitWaiting.ts';
import { holdLease } from './holdLease.ts';
import { actOnLook, askProvider } from './lookAtGeneration.ts';
import { StaleWrite } from './ports/storeErrors.ts';
import { settleGeneration } from './settleGeneration.ts';
import { settleUnknown } from './settleUnknown.ts';
import { startGeneration } from './startGeneration.ts';
import type { WorkDeps } from './workDeps.ts';

/**
 * Does whatever a generation needs next: the one job of a generation runs it, first to start it, then
 * at its deadline, and at any time in between to look now. Safe to run at any moment, by anybody, as
 * often as one likes: the generation's lease and epoch decide.
 * @returns when to run again at the latest, in ms since the epoch; null when the generation has ended.
 */
export async function runGeneration(
  deps: WorkDeps,
  generationId: string,
  signal: AbortSignal,
): Promise<number | null> {
  const claimed = await deps.database.generations.claim(generationId, deps.timings.leaseMs);
  if (claimed) {
    try {
      await holdLease(deps, claimed, signal, (held) => step(deps, claimed, held));
    } catch (error) {
      if (!(error instanceof StaleWrite) || error.of !== 'generation') throw error;
      deps.log.warn({ generationId, error }, 'the lease was lost: another process goes on');
    }
  }
  const now = await deps.database.generations.find(generationId);
  if (!now || now.step === 'ended') return null;
  // Ready and held by nobody: an unknown outcome is to be asked for again, or a place became free.
  const repeats = now.step === 'ready' && now.leaseUntil === 0;
  return repeats ? now.dueAt : now.deadlineAt;
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
      // Found here with a lapsed lease: whoever called the provider is gone.
      return settleUnknown(deps, generation);
    case 'submitted': {
      const look = await askProvider(deps, generation, signal);
      const next = await actOnLook(deps, generation, look, signal);
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
  return settleGeneration(deps, generation, {
    status: 'failed',
    failure: { code: 'capacity_exceeded' },
    note: 'not started within its waiting deadline',
    onlyPastDeadline: true,
  });
}
