import type { Attempt, Generation, GenerationOutput } from '../domain/generation.ts';
import { outputExtension, wantedFormat } from '../domain/mediaFiles.ts';
import { mediaKey } from '../domain/mediaUrl.ts';
import { reportLost, withLost } from './lostResult.ts';
import { InvalidOutput, type ProviderOutput } from './ports/storeOutput.ts';
import { TransferFailure } from './ports/transfer.ts';
import { settleGeneration } from './settleGeneration.ts';
import type { WorkDeps } from './workDeps.ts';

/**
 * Takes a provider's files over into our store, checked, cleaned and marked, and completes the
 * generation. Storing again after a crash writes the same keys.
 * A file that is not what was asked for fails it.
 * @throws when a file cannot be had now; the caller looks again later.
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
    await settleGeneration(deps, generation, { status: 'failed', failure, note, attempts: lost });
    reportLost(deps, generation, lost, 'invalid_output');
    return;
  }
  await deps.reach('complete.afterStored');
  await settleGeneration(deps, generation, { status: 'completed', outputs: stored, attempts });
}

/** Another try would bring the same. */
const isInvalid = (error: unknown): error is Error =>
  error instanceof InvalidOutput ||
  (error instanceof TransferFailure && error.kind === 'too_large');
