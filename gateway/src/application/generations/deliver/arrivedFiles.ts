import { giveUpAfter } from '@framegate/limits';
import type { MediaStore } from '@framegate/media';
import type { ProviderOutput } from '@framegate/provider-routes';
import { type Attempt, withLastAttempt } from '../../../domain/generations/attempt.ts';
import type { Generation } from '../../../domain/generations/generation.ts';
import { arrivedKeys, possibleArrivedKeys } from '../../../domain/generations/mediaFiles.ts';
import type { GenerationRef, OrderedResult } from '../../../domain/generations/order.ts';
import { refusedKeys } from '../../../domain/generations/refusedResult.ts';
import type { WorkState } from '../../../domain/generations/work.ts';
import type { AppCore } from '../../app.ts';
import { maxOutputBytes, MissingOutputError } from '../../ports/media.ts';

/** Timeout for removing one generation's files, and for checking whether they exist, in ms. */
const storeMs = 15_000;

/** Whether the raw files of the last attempt are kept. */
export const hasArrived = (attempts: readonly Attempt[]): boolean =>
  attempts.at(-1)?.arrived !== undefined;

/**
 * Keeps the raw files of an immediate result before any processing: the files first, then their keys in the attempt,
 * from where any process can continue.
 * @param generation As stored, under our lease.
 * @returns The attempts as written.
 * @throws StaleWriteError if another process has the generation; errors of the store and the database.
 */
export async function keepArrived(
  deps: Pick<AppCore, 'media' | 'database' | 'clock' | 'reachFaultPoint'>,
  generation: Generation,
  attempts: readonly Attempt[],
  outputs: readonly ProviderOutput[],
  signal: AbortSignal,
): Promise<Attempt[]> {
  const keys = arrivedKeys(generation.id, attempts.at(-1)?.number ?? 0, outputs.length);
  const maxBytes = maxOutputBytes[generation.type];
  for (const [index, output] of outputs.entries()) {
    const data = await output.read(signal);
    const options = { contentType: 'application/octet-stream', maxBytes, signal };
    await deps.media.put(keys[index] ?? '', data, options);
  }
  await deps.reachFaultPoint('arrive.afterStored');
  const arrivedAttempts = await recordArrived(deps, generation, attempts, keys);
  await deps.reachFaultPoint('arrive.afterNoted');
  return arrivedAttempts;
}

/**
 * Finds files of an image call that a dead process stored without recording their keys.
 * @returns The generation with the files recorded; null unless all files exist.
 * @throws StaleWriteError; the store's errors while there is time for another attempt.
 */
export async function findArrived(
  deps: Pick<AppCore, 'media' | 'database' | 'clock' | 'log'>,
  generation: Generation,
): Promise<Generation | null> {
  const { id, attempts, deadlineAt } = generation;
  const last = attempts.at(-1);
  if (generation.type !== 'image') return null;
  const keys = possibleArrivedKeys({ ...generation, attempts: last ? [last] : [] });
  if (keys.length === 0) return null;
  try {
    for (const key of keys) {
      if (!(await giveUpAfter(storeMs, deps.media.stat(key)))) return null;
    }
  } catch (error) {
    if (deps.clock.now() < deadlineAt) throw error;
    deps.log.warn({ generationId: id, error }, 'failed to check kept raw files');
    return null;
  }
  const completed = withLastAttempt(attempts, { outcome: 'completed' });
  return { ...generation, attempts: await recordArrived(deps, generation, completed, keys) };
}

async function recordArrived(
  { database, clock }: Pick<AppCore, 'database' | 'clock'>,
  generation: Generation,
  attempts: readonly Attempt[],
  keys: string[],
): Promise<Attempt[]> {
  const at = clock.now();
  const arrivedAttempts = withLastAttempt(attempts, { arrived: { at, keys } });
  await database.generations.update(generation, {
    status: 'processing',
    step: 'submitted',
    attempts: arrivedAttempts,
    timeline: [{ at, what: 'finished by the provider; its files are kept until they are cleaned' }],
  });
  return arrivedAttempts;
}

/** The kept raw files as provider outputs. Reading one throws MissingOutputError if the store reports it missing. */
export function arrivedOutputs(
  { media }: { media: Pick<MediaStore, 'open'> },
  keys: readonly string[],
): ProviderOutput[] {
  return keys.map((key) => ({
    isOnlyCopy: true,
    async read() {
      const file = await media.open(key);
      if (!file) throw new MissingOutputError(`${key} is not in the media store`);
      return file.stream as AsyncIterable<Uint8Array>;
    },
  }));
}

/**
 * Removes the raw files of an ended generation, recorded or not, except those of a refused result. Never throws: upkeep
 * removes the rest together with the inputs, and those of a video, which only a refused result can have.
 */
export async function removeArrived(
  { media, log }: { media: Pick<MediaStore, 'delete'>; log: Pick<AppCore['log'], 'warn'> },
  generation: GenerationRef & OrderedResult & WorkState,
): Promise<void> {
  if (generation.type !== 'image') return;
  const keptKeys = new Set(refusedKeys(generation));
  const keys = possibleArrivedKeys(generation).filter((key) => !keptKeys.has(key));
  if (keys.length === 0) return;
  try {
    await giveUpAfter(storeMs, Promise.all(keys.map((key) => media.delete(key))));
  } catch (error) {
    const generationId = generation.id;
    log.warn({ generationId, error }, 'failed to remove kept raw files; upkeep will remove them');
  }
}
