import type { Attempt, Generation, LostReason } from '../domain/generation.ts';
import { completeGeneration } from './completeGeneration.ts';
import { reportLost, withLost } from './lostResult.ts';
import { StaleWrite } from './ports/storeErrors.ts';
import type { ProviderOutput } from './ports/storeOutput.ts';
import { pause, withinTime } from './ports/timing.ts';
import { settleGeneration } from './settleGeneration.ts';
import type { WorkDeps } from './workDeps.ts';

/** The pause after the first failure, doubled after each further one up to the longest, in ms. */
const firstPauseMs = 500;
const longestPauseMs = 5_000;

/**
 * Delivers files that a provider has answered at once: they exist in this process alone, and are paid
 * for. Trouble with the store or the database is waited out until a grace after the deadline, or until
 * the process has to stop; then the generation is failed and refunded. Only when another process has
 * taken the generation meanwhile is there nothing left to write. Each loss is reported.
 * @param generation As it is after the submission was written, with its running deadline.
 * @throws StaleWrite when another process has the generation.
 */
export async function deliverFromMemory(
  deps: WorkDeps,
  generation: Generation,
  attempts: Attempt[],
  outputs: readonly ProviderOutput[],
  signal: AbortSignal,
): Promise<void> {
  const { clock, log, random, timings } = deps;
  const giveUpAt = generation.deadlineAt + timings.deadlineGraceMs;
  try {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
      try {
        const leftMs = Math.max(0, giveUpAt - clock.now());
        await withinTime(leftMs, signal, (limited) =>
          completeGeneration(deps, generation, attempts, outputs, limited),
        );
        return;
      } catch (error) {
        if (error instanceof StaleWrite) throw error;
        log.warn({ generationId: generation.id, error }, 'outputs could not be stored');
        const jitteredMs = pauseMs * (0.5 + random.fraction() / 2);
        const isOver = clock.now() + jitteredMs >= giveUpAt;
        if (!signal.aborted && !isOver) await pause(jitteredMs, signal);
        if (!signal.aborted && !isOver) continue;
        const reason = signal.aborted ? 'process_stopped' : 'not_stored';
        await giveUp(deps, generation, attempts, reason, error);
        return;
      }
    }
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    // Our own end may have been committed by a write whose answer was lost.
    const now = await deps.database.generations.find(generation.id);
    if (now?.status === 'completed') return;
    reportLost(deps, generation, attempts, 'lease_lost');
    throw error;
  }
}

/** Ends the generation without the result, and gives the credits back. */
async function giveUp(
  deps: WorkDeps,
  generation: Generation,
  attempts: Attempt[],
  reason: LostReason,
  error: unknown,
): Promise<void> {
  const lost = withLost(attempts, reason, error);
  try {
    await settleGeneration(deps, generation, {
      status: 'failed',
      failure: { code: 'internal_error' },
      note: `the provider had finished it: ${reason}`,
      attempts: lost,
    });
  } catch (unsettled) {
    // Its lease lapses, and another process ends it without knowing of the result.
    if (!(unsettled instanceof StaleWrite)) reportLost(deps, generation, lost, reason);
    throw unsettled;
  }
  reportLost(deps, generation, lost, reason);
}
