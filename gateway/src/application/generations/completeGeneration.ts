import {
  type Attempt,
  type Generation,
  type GenerationOutput,
  type LostReason,
} from '../../domain/generation.ts';
import { outputExtension, wantedFormat } from '../../domain/mediaFiles.ts';
import { mediaKey } from '../../domain/mediaUrl.ts';
import { hasArrived, keepArrived, removeArrived } from './arrivedFiles.ts';
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

/** How long the store may take to keep what arrived once the process has been told to stop, in ms. */
const lastTryMs = 5_000;

/**
 * Delivers files that a provider has answered at once: they exist in this process alone, and are paid
 * for. So they are kept as they came first, and cleaned then; a process that has to stop leaves them to another
 * one. Failures of the store or the database are retried until a grace after the deadline. What could not be
 * kept until the process has to stop is failed and refunded. Only when another process has
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
  let inHand = attempts;
  const keep = async (limit: AbortSignal): Promise<void> => {
    if (hasArrived(inHand)) return;
    try {
      inHand = await keepArrived(deps, generation, attempts, outputs, limit);
    } catch (error) {
      if (error instanceof StaleWrite) throw error;
      // It is delivered from memory as long as the process lives.
      deps.log.warn({ generationId: generation.id, error }, 'files that arrived could not be kept');
    }
  };
  try {
    const lost = await keepTrying(deps, generation, signal, (leftMs) =>
      withinTime(leftMs, signal, async (limited) => {
        await keep(limited);
        limited.throwIfAborted();
        await completeGeneration(deps, generation, inHand, outputs, limited);
      }),
    );
    if (!lost) return;
    if (lost.reason === 'process_stopped') {
      await keep(AbortSignal.timeout(lastTryMs));
      if (hasArrived(inHand)) {
        await leaveToOthers(deps, generation);
        return;
      }
    }
    await giveUp(deps, generation, inHand, lost.reason, lost.error);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    // Our own end may have been committed by a write whose answer was lost.
    const now = await deps.database.generations.find(generation.id);
    if (now?.status === 'completed') return;
    if (now?.step === 'ended') {
      await removeArrived(deps, { ...generation, attempts });
      // Who ended it with the files in hand has reported it.
      if (now.attempts.at(-1)?.lost) throw error;
    } else if (now && hasArrived(now.attempts)) throw error;
    await loseWork(deps, generation, attempts, 'lease_lost', error);
    throw error;
  }
}

/** Gives up the lease of a generation whose files are kept. */
async function leaveToOthers({ database, clock }: WorkDeps, generation: Generation): Promise<void> {
  await database.generations.update(generation, { dueAt: clock.now(), leaseUntil: 0 });
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
