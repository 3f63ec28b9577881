import { fileKinds } from '@framegate/contract/fileKinds';
import type { TakeInputsResult } from '@framegate/media';
import { InputStoreError } from '@framegate/media/errors';
import type { Generation } from '../../../domain/generations/generation.ts';
import type { GenerationInput, GenerationOrder } from '../../../domain/generations/order.ts';
import { uploadsOfInputs } from '../../../domain/generations/uploads.ts';
import type { AppCore } from '../../app.ts';
import { endGeneration } from '../end/endGeneration.ts';

/**
 * How often copying a generation's inputs may break off without a verdict: a file that crashes the process or its
 * parser must not be fetched throughout the whole waiting time.
 */
const maxAttempts = 3;

/**
 * Copies a generation's inputs into our store. Each attempt is counted before it begins, so that one that kills the
 * process counts as well.
 * @returns The generation with its inputs; null if that ended it, or if it has to wait for its turn.
 * @throws The error of the attempt while it may be repeated.
 */
export async function copyInputs(
  deps: AppCore,
  generation: Generation,
  signal: AbortSignal,
): Promise<Generation | null> {
  if (generation.inputs.length === 0 || generation.storedInputs) return generation;
  const earlier = generation.inputAttempts ?? 0;
  if (earlier >= maxAttempts) return giveUp(deps, generation, null);
  const turn = deps.inputTurns.enter(generation.accountId);
  if (!turn.ok) {
    const dueAt = Math.min(turn.againAt, generation.deadlineAt);
    await deps.database.generations.update(generation, { dueAt, leaseUntil: 0 });
    return null;
  }
  try {
    const copied = await tryCopy(deps, { ...generation, inputAttempts: earlier + 1 }, signal);
    await releaseUploads(deps, generation);
    return copied;
  } finally {
    turn.leave();
  }
}

async function tryCopy(
  deps: AppCore,
  generation: Generation & { inputAttempts: number },
  signal: AbortSignal,
): Promise<Generation | null> {
  const { generations } = deps.database;
  const { inputAttempts } = generation;
  await generations.update(generation, { inputAttempts });
  const sources = await Promise.all(
    generation.inputs.map(async (input) => ({
      ...input,
      storeKey: await findOwnKey(deps, generation.accountId, input),
    })),
  );
  let result: TakeInputsResult;
  try {
    result = await deps.takeInputs(generation, sources, signal);
  } catch (error) {
    signal.throwIfAborted();
    // An unavailable store does not count as an attempt.
    if (error instanceof InputStoreError) {
      await generations.update(generation, { inputAttempts: inputAttempts - 1 });
    } else if (inputAttempts >= maxAttempts) {
      return giveUp(deps, generation, error);
    }
    throw error;
  }
  if (!result.ok) {
    const { code, param, reason, wrongFile, isSlow } = result;
    if (isSlow === true) deps.inputTurns.recordSlow(generation.accountId);
    await endGeneration(deps, generation, {
      status: 'failed',
      failure: { code, param, ...(wrongFile && { wrongFile }) },
      note: wrongFile ? `${fileKinds[wrongFile.actualKind].name}: ${reason}` : reason,
    });
    return null;
  }
  await deps.reachFaultPoint('inputs.afterStored');
  if (generation.realPerson) {
    const hashes = result.stored.map(({ sha256 }) => sha256);
    await deps.database.realPersonAudit.recordInputs(generation.id, hashes);
  }
  await generations.update(generation, { storedInputs: result.stored });
  return { ...generation, storedInputs: result.stored };
}

/** Releases uploads after reading, so that newer ones may replace them. Never throws: they also expire. */
async function releaseUploads(
  { database, log }: AppCore,
  { id, inputs }: GenerationOrder,
): Promise<void> {
  const uploads = uploadsOfInputs(inputs);
  if (uploads.length === 0) return;
  try {
    await database.uploads.release(id, uploads);
  } catch (error) {
    log.warn({ generationId: id, error }, 'failed to release uploads after reading them');
  }
}

/** Ends a generation whose inputs could not be copied in any try. */
async function giveUp(deps: AppCore, generation: Generation, error: unknown): Promise<null> {
  const { id: generationId, accountId } = generation;
  deps.log.error({ generationId, accountId, error }, 'failed to copy inputs; giving up');
  await endGeneration(deps, generation, {
    status: 'failed',
    failure: { code: 'internal_error' },
    note: `its inputs could not be copied in ${maxAttempts} attempts`,
  });
  return null;
}

async function findOwnKey(
  { database }: AppCore,
  accountId: string,
  { ownOutput, ownUpload }: GenerationInput,
): Promise<string | null> {
  if (ownUpload !== undefined) return (await database.uploads.find(ownUpload))?.key ?? '';
  if (!ownOutput) return null;
  const source = await database.generations.findView(ownOutput.generationId, accountId);
  // The file may still exist while it is being deleted.
  if (source?.outputsRemovedAt !== null) return '';
  return source.outputs[ownOutput.index]?.key ?? '';
}
