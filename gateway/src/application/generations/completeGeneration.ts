import type { FailureCode } from '@framegate/contract';
import type { Attempt, LostReason } from '../../domain/attempt.ts';
import type { Generation, GenerationOutput } from '../../domain/generation.ts';
import type { Measured } from '../../domain/delivery.ts';
import { outputExtension, wantedFormat } from '../../domain/mediaFiles.ts';
import { mediaKey } from '../../domain/mediaUrl.ts';
import { hasArrived, keepArrived, removeArrived } from './arrivedFiles.ts';
import { keepIfPossible, keepRefused } from './refusedResults.ts';
import { checkDelivery, noteOtherType } from './checkDelivery.ts';
import { endGeneration, type Left } from './endGeneration.ts';
import { StaleWrite } from '../ports/database.ts';
import { TransferFailure, withinTime } from '@framegate/limits';
import { InvalidOutput, MissingOutput, type ProviderOutput } from '../ports/media.ts';
import { keepTrying, loseWork, reportLost, withLost } from './paidWork.ts';
import type { WorkDeps } from './deps.ts';

/**
 * Copies a provider's files into our store, checked, cleaned and marked, compares them with the order, and completes
 * the generation. A repeat after a crash writes the same keys. The generation fails if a file has the wrong kind or is
 * missing from our own store, or if the result differs grossly from the order.
 * @throws If a file is temporarily unavailable; the caller polls again later.
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
  const measured: Measured[] = [];
  try {
    for (const [index, output] of outputs.entries()) {
      const key = mediaKey('outputs', { generationId: generation.id, index, extension });
      const wanted = { accountId: generation.accountId, type: generation.type, format };
      const { measured: size = {}, ...file } = await deps.storeOutput(key, output, wanted, signal);
      stored.push({ key, extension, ...file });
      measured.push(size);
    }
  } catch (error) {
    const verdict = verdictOn(error);
    if (!verdict) throw error;
    const { reason, code, note } = verdict;
    const { otherType = null } = error instanceof InvalidOutput ? error : {};
    const noted =
      otherType === null ? attempts : await noteOtherType(deps, generation, attempts, otherType);
    const found = withLost(noted, reason, error);
    const lost = await keepRefused(deps, generation, found, { outputs, measured }, signal);
    const end = { status: 'failed', failure: { code }, note, attempts: lost } as const;
    await endGeneration(deps, generation, end);
    reportLost(deps, generation, lost, reason);
    return;
  }
  await deps.reachFaultPoint('complete.afterStored');
  const checked = await checkDelivery(deps, generation, attempts, measured);
  if (checked.refused === null) {
    const end = { status: 'completed', outputs: stored, attempts: checked.attempts } as const;
    await endGeneration(deps, generation, end);
    return;
  }
  const note = `not as ordered: ${checked.refused}`;
  const found = withLost(checked.attempts, 'not_as_ordered', checked.refused);
  const lost = await keepRefused(deps, generation, found, { outputs, measured }, signal);
  const failure = { code: 'generation_failed' } as const;
  await endGeneration(deps, generation, { status: 'failed', failure, note, attempts: lost });
  deps.countLost(lost.at(-1)?.provider ?? '', 'not_as_ordered');
}

/** The failure for an error that a retry cannot fix; null for other errors. */
function verdictOn(error: unknown): { reason: LostReason; code: FailureCode; note: string } | null {
  if (error instanceof MissingOutput) {
    return { reason: 'file_missing', code: 'internal_error', note: error.message };
  }
  const isInvalid =
    error instanceof InvalidOutput ||
    (error instanceof TransferFailure && error.kind === 'too_large');
  if (!isInvalid) return null;
  const note = `not as ordered: ${error.message}`;
  return { reason: 'invalid_output', code: 'generation_failed', note };
}

/** Time limit for keeping raw files after the process was told to stop, in ms. */
const lastTryMs = 5_000;

/**
 * Delivers the files of an immediate result, which exist only in this process and are already paid for. They are kept
 * in raw form before they are cleaned, so that another process can continue if this one has to stop. Failures of the
 * store or the database are retried until a grace after the deadline. If the process has to stop before the files are
 * kept, the generation fails and is refunded, unless another process has taken it. Each loss is reported.
 * @param generation As written after the submission, with its running deadline.
 * @throws StaleWrite if another process has the generation.
 */
export async function deliverFromMemory(
  deps: WorkDeps,
  generation: Generation,
  attempts: Attempt[],
  outputs: readonly ProviderOutput[],
  signal: AbortSignal,
): Promise<Left> {
  let inHand = attempts;
  const keep = async (limit: AbortSignal): Promise<void> => {
    if (hasArrived(inHand)) return;
    try {
      inHand = await keepArrived(deps, generation, attempts, outputs, limit);
    } catch (error) {
      if (error instanceof StaleWrite) throw error;
      // Delivery from memory remains possible while the process lives.
      deps.log.warn({ generationId: generation.id, error }, 'raw files could not be kept');
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
    if (!lost) return 'ended';
    if (lost.reason === 'process_stopped') {
      await keep(AbortSignal.timeout(lastTryMs));
      if (hasArrived(inHand)) {
        return await leaveToOthers(deps, generation);
      }
    }
    await giveUp(deps, generation, inHand, { outputs, ...lost });
    return 'ended';
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    // Our own end may have been committed even though the response to its write was lost.
    const now = await deps.database.generations.find(generation.id, generation.accountId);
    if (now?.status === 'completed') return 'ended';
    if (now?.step === 'ended') {
      await removeArrived(deps, now);
      // The process that ended it while holding the files has reported the loss.
      if (now.attempts.at(-1)?.lost) throw error;
    } else if (now && hasArrived(now.attempts)) throw error;
    await loseWork(deps, generation, attempts, 'lease_lost', error);
    throw error;
  }
}

/** Releases the lease of a generation whose files are kept. */
function leaveToOthers({ database, clock }: WorkDeps, generation: Generation): Promise<Left> {
  return database.generations.update(generation, { dueAt: clock.now(), leaseUntil: 0 });
}

/** A result that is given up. */
interface Losing {
  outputs: readonly ProviderOutput[];
  reason: LostReason;
  error: unknown;
}

/** Ends the generation without the result and refunds it. */
async function giveUp(
  deps: WorkDeps,
  generation: Generation,
  attempts: Attempt[],
  { outputs, reason, error }: Losing,
): Promise<void> {
  const lost = await keepIfPossible(deps, generation, withLost(attempts, reason, error), outputs);
  try {
    await endGeneration(deps, generation, {
      status: 'failed',
      failure: { code: 'internal_error' },
      note: `the provider had finished it: ${reason}`,
      attempts: lost,
    });
  } catch (failure) {
    // Its lease will expire, and another process will end it without knowing about the result.
    if (!(failure instanceof StaleWrite)) reportLost(deps, generation, lost, reason);
    throw failure;
  }
  reportLost(deps, generation, lost, reason);
}
