import {
  type Attempt,
  type Generation,
  type GenerationOutput,
  type LostReason,
} from '../../domain/generation.ts';
import { outputExtension, wantedFormat } from '../../domain/mediaFiles.ts';
import { mediaKey } from '../../domain/mediaUrl.ts';
import { endGeneration } from './endGeneration.ts';
import { StaleWrite } from '../ports/database.ts';
import { InvalidOutput, TransferFailure, type ProviderOutput } from '../ports/media.ts';
import { withinTime } from '../ports/concurrency.ts';
import { keepTrying, loseWork, reportLost, withLost } from './paidWork.ts';
import type { WorkDeps } from './deps.ts';

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
  try {
    const lost = await keepTrying(deps, generation, signal, (leftMs) =>
      withinTime(leftMs, signal, (limited) =>
        completeGeneration(deps, generation, attempts, outputs, limited),
      ),
    );
    if (lost) await giveUp(deps, generation, attempts, lost.reason, lost.error);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    // Our own end may have been committed by a write whose answer was lost.
    const now = await deps.database.generations.find(generation.id);
    if (now?.status === 'completed') return;
    await loseWork(deps, generation, attempts, 'lease_lost', error);
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
