import {
  type Attempt,
  type Generation,
  type GenerationOutput,
  type LostReason,
  withLastAttempt,
} from '../../domain/generation.ts';
import { outputExtension, wantedFormat } from '../../domain/mediaFiles.ts';
import { mediaKey } from '../../domain/mediaUrl.ts';
import { endGeneration } from './endGeneration.ts';
import { StaleWrite } from '../ports/database.ts';
import { InvalidOutput, TransferFailure, type ProviderOutput } from '../ports/media.ts';
import { pause, withinTime } from '../ports/concurrency.ts';
import type { WorkDeps } from './deps.ts';

/** The pause after the first failure, doubled after each further one up to the longest, in ms. */
const firstPauseMs = 500;
const maxPauseMs = 5_000;

/**
 * Takes a provider's files over into our store, checked, cleaned and marked, and completes the
 * generation. Storing again after a crash writes the same keys.
 * A file that is not what was asked for fails it.
 * @throws when a file cannot be had now; the caller polls again later.
 */
export async function completeGeneration(
  deps: WorkDeps,
  generation: Generation,
  attempts: Attempt[],
  outputs: readonly ProviderOutput[],
  signal: AbortSignal,
): Promise<void> {
  const format = wantedFormat(generation);
  const extension = outputExtension(format);
  const stored: GenerationOutput[] = [];
  try {
    for (const [index, output] of outputs.entries()) {
      const key = mediaKey('outputs', { generationId: generation.id, index, extension });
      const wanted = { type: generation.type, format };
      const file = await deps.storeOutput(key, output, wanted, signal);
      stored.push({ key, extension, ...file });
    }
  } catch (error) {
    if (!isInvalid(error)) throw error;
    const failure = { code: 'generation_failed' as const };
    const note = `not what was asked for: ${error.message}`;
    const lost = withLost(attempts, 'invalid_output', error);
    await endGeneration(deps, generation, { status: 'failed', failure, note, attempts: lost });
    reportLost(deps, generation, lost, 'invalid_output');
    return;
  }
  await deps.reach('complete.afterStored');
  await endGeneration(deps, generation, { status: 'completed', outputs: stored, attempts });
}

/** Whether another try would fail in the same way. */
const isInvalid = (error: unknown): error is Error =>
  error instanceof InvalidOutput ||
  (error instanceof TransferFailure && error.kind === 'too_large');

/**
 * Delivers files that a provider has answered at once: they exist in this process alone, and are paid
 * for. Failures of the store or the database are retried until a grace after the deadline, or until
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
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
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
    await endGeneration(deps, generation, {
      status: 'failed',
      failure: { code: 'internal_error' },
      note: `the provider had finished it: ${reason}`,
      attempts: lost,
    });
  } catch (failure) {
    // Its lease lapses, and another process ends it without knowing of the result.
    if (!(failure instanceof StaleWrite)) reportLost(deps, generation, lost, reason);
    throw failure;
  }
  reportLost(deps, generation, lost, reason);
}

/** The attempts with the reason why the last one's finished result is not delivered. */
export function withLost(attempts: readonly Attempt[], reason: LostReason, error: unknown) {
  const note = error instanceof Error ? error.message : String(error);
  return withLastAttempt(attempts, { lost: { reason, note } });
}

/**
 * Reports that a result which a provider has finished, and may bill, is not delivered: an
 * alert in the log and a count in the metrics.
 */
export function reportLost(
  { log, countLost }: Pick<WorkDeps, 'log' | 'countLost'>,
  { id }: Pick<Generation, 'id'>,
  attempts: readonly Attempt[],
  reason: LostReason,
): void {
  const { provider = '', model, number, operation } = attempts.at(-1) ?? {};
  const where = { provider, model, attempt: number, operation };
  log.error(
    { alert: 'paid_result_lost', generationId: id, ...where, reason },
    "a provider's finished result was not delivered",
  );
  countLost(provider, reason);
}
