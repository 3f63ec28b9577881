import { withTimeLimit } from '@framegate/limits';
import type { ResultMeasures } from '@framegate/media';
import { InvalidOutputError } from '@framegate/media/errors';
import type { ProviderOutput } from '@framegate/provider-routes';
import type { Attempt, LostReason } from '../../../domain/generations/attempt.ts';
import type { GenerationOutput } from '../../../domain/generations/files.ts';
import type { Generation } from '../../../domain/generations/generation.ts';
import { expectedFormat, outputExtension } from '../../../domain/generations/mediaFiles.ts';
import { mediaKey } from '../../../domain/generations/mediaUrl.ts';
import type { AppCore } from '../../app.ts';
import { StaleWriteError } from '../../ports/database.ts';
import { type AfterRun, endGeneration } from '../end/endGeneration.ts';
import { abandonWork, reportLost, retryUntilStored, withLostReason } from '../run/paidWork.ts';
import { hasArrived, keepArrived, removeArrived } from './arrivedFiles.ts';
import {
  checkDelivery,
  compareWithOrder,
  recordOtherType,
  refusalReason,
} from './checkDelivery.ts';
import {
  afterReading,
  DoubtfulResultError,
  notAsOrderedRefusal,
  requireRepeatedSign,
  type ResultRefusal,
  resultRefusal,
} from './judgeResult.ts';
import { keepIfPossible, keepRefused } from './refusedResults.ts';

/**
 * Copies a provider's files into our store, checked, cleaned and marked, compares them with the order, and completes
 * the generation. A repeat after a crash writes the same keys. The generation fails if a file is missing from our own
 * store, or if it is proven that a file has the wrong kind or that the result differs grossly from the order.
 * @throws DoubtfulResultError without that proof; other errors if a file is temporarily unavailable. The caller tries
 * again later.
 */
export async function completeGeneration(
  deps: AppCore,
  generation: Generation,
  attempts: Attempt[],
  outputs: readonly ProviderOutput[],
  signal: AbortSignal,
): Promise<void> {
  const format = expectedFormat(generation);
  const extension = outputExtension(format);
  const storedOutputs: GenerationOutput[] = [];
  const measures: ResultMeasures[] = [];
  for (const [index, output] of outputs.entries()) {
    const key = mediaKey('outputs', { generationId: generation.id, index, extension });
    const expected = { accountId: generation.accountId, type: generation.type, format };
    try {
      const { measures: size, ...file } = await deps.storeOutput(key, output, expected, signal);
      storedOutputs.push({ key, extension, ...file });
      measures.push(size);
    } catch (error) {
      output.forget?.();
      const refusal = resultRefusal(error, output, measures);
      if (!refusal) throw error;
      const { file = null } = error instanceof InvalidOutputError ? error : {};
      if (file && output.isOnlyCopy !== true) {
        const sign = { sign: file.sha256, bytes: file.bytes, reason: refusal.problem };
        requireRepeatedSign(deps, attempts, sign, refusal);
      }
      await refuseResult(deps, generation, attempts, refusal, outputs, signal);
      return;
    }
  }
  await deps.reachFaultPoint('complete.afterStored');
  const refused = refusalReason(compareWithOrder(deps, generation, attempts, measures));
  if (refused !== null && outputs.some(({ isOnlyCopy }) => isOnlyCopy !== true)) {
    for (const output of outputs) output.forget?.();
    requireRepeatedSign(
      deps,
      attempts,
      { sign: refused, reason: refused },
      notAsOrderedRefusal(refused, measures),
    );
  }
  const checked = await checkDelivery(deps, generation, attempts, measures);
  if (checked.refused !== null) {
    const refusal = notAsOrderedRefusal(checked.refused, measures);
    await refuseResult(deps, generation, checked.attempts, refusal, outputs, signal);
    return;
  }
  const end = { status: 'completed', outputs: storedOutputs, attempts: checked.attempts } as const;
  await endGeneration(deps, generation, end);
}

/** Ends and refunds a generation whose result is refused for good, keeps it for staff, and reports the loss. */
export async function refuseResult(
  deps: AppCore,
  generation: Generation,
  attempts: Attempt[],
  { reason, code, problem, measures, otherType = null }: ResultRefusal,
  outputs: readonly ProviderOutput[],
  signal: AbortSignal,
): Promise<void> {
  const currentAttempts =
    otherType === null ? attempts : await recordOtherType(deps, generation, attempts, otherType);
  const lostAttempts = withLostReason(currentAttempts, reason, problem);
  const lost = await keepRefused(deps, generation, lostAttempts, { outputs, measures }, signal);
  const note = reason === 'file_missing' ? problem : `not as ordered: ${problem}`;
  const failed = { status: 'failed', failure: { code }, note, attempts: lost } as const;
  await endGeneration(deps, generation, failed);
  // An alert has already reported the differences.
  if (reason === 'not_as_ordered') deps.recordLost(lost.at(-1)?.provider ?? '', reason);
  else reportLost(deps, generation, lost, reason);
}

/** Time limit for keeping raw files after the process was told to stop, in ms. */
const lastTryMs = 5_000;

/**
 * Delivers the files of an immediate result, which exist only in this process and are already paid for. They are kept
 * in raw form before they are cleaned, so that another process can continue if this one has to stop. Failures of the
 * store or the database are retried until a grace after the deadline. If the process has to stop before the files are
 * kept, the generation fails and is refunded, unless another process has taken it. Each loss is reported.
 * @param generation As written after the submission, with its running deadline.
 * @throws StaleWriteError if another process has the generation.
 */
export async function deliverFromMemory(
  deps: AppCore,
  generation: Generation,
  attempts: Attempt[],
  outputs: readonly ProviderOutput[],
  signal: AbortSignal,
): Promise<AfterRun> {
  let inHand = attempts;
  const keep = async (limit: AbortSignal): Promise<void> => {
    if (hasArrived(inHand)) return;
    try {
      inHand = await keepArrived(deps, generation, attempts, outputs, limit);
    } catch (error) {
      if (error instanceof StaleWriteError) throw error;
      // Delivery from memory remains possible while the process lives.
      deps.log.warn({ generationId: generation.id, error }, 'failed to keep raw files');
    }
  };
  try {
    const lost = await retryUntilStored(deps, generation, signal, (leftMs) =>
      withTimeLimit(leftMs, signal, async (limited) => {
        await keep(limited);
        limited.throwIfAborted();
        try {
          await completeGeneration(deps, generation, inHand, outputs, limited);
        } catch (error) {
          inHand = afterReading(inHand, error);
          throw error;
        }
      }),
    );
    if (!lost) return 'ended';
    if (lost.reason === 'not_stored' && lost.error instanceof DoubtfulResultError) {
      await refuseResult(deps, generation, inHand, lost.error.refusal, outputs, signal);
      return 'ended';
    }
    if (lost.reason === 'process_stopped') {
      await keep(AbortSignal.timeout(lastTryMs));
      if (hasArrived(inHand)) {
        return await leaveToOthers(deps, generation);
      }
    }
    await giveUp(deps, generation, inHand, { outputs, ...lost });
    return 'ended';
  } catch (error) {
    if (!(error instanceof StaleWriteError)) throw error;
    // Our own end may have been committed even though the response to its write was lost.
    const current = await deps.database.generations.find(generation.id, generation.accountId);
    if (current?.status === 'completed') return 'ended';
    if (current?.step === 'ended') {
      await removeArrived(deps, current);
      // The process that ended it while holding the files has reported the loss.
      if (current.attempts.at(-1)?.lost) throw error;
    } else if (current && hasArrived(current.attempts)) {
      throw error;
    }
    await abandonWork(deps, generation, attempts, 'lease_lost', error);
    throw error;
  }
}

/** Releases the lease of a generation whose files are kept. */
function leaveToOthers({ database, clock }: AppCore, generation: Generation): Promise<AfterRun> {
  return database.generations.update(generation, { dueAt: clock.now(), leaseUntil: 0 });
}

/** A result that is given up. */
interface AbandonedResult {
  outputs: readonly ProviderOutput[];
  reason: LostReason;
  error: unknown;
}

/** Ends the generation without the result and refunds it. */
async function giveUp(
  deps: AppCore,
  generation: Generation,
  attempts: Attempt[],
  { outputs, reason, error }: AbandonedResult,
): Promise<void> {
  const lost = await keepIfPossible(
    deps,
    generation,
    withLostReason(attempts, reason, error),
    outputs,
  );
  try {
    await endGeneration(deps, generation, {
      status: 'failed',
      failure: { code: 'internal_error' },
      note: `the provider had finished it: ${reason}`,
      attempts: lost,
    });
  } catch (failure) {
    // Its lease will expire, and another process will end it without knowing about the result.
    if (!(failure instanceof StaleWriteError)) reportLost(deps, generation, lost, reason);
    throw failure;
  }
  reportLost(deps, generation, lost, reason);
}
