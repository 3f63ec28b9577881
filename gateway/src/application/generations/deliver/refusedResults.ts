import { createHash } from 'node:crypto';
import { minuteMs } from '@framegate/contract';
import { pause, TransferError } from '@framegate/limits';
import type { ResultMeasures } from '@framegate/media';
import { InvalidOutputError } from '@framegate/media/errors';
import type { ProviderOutput } from '@framegate/provider-routes';
import {
  type Attempt,
  type RefusedFile,
  withLastAttempt,
} from '../../../domain/generations/attempt.ts';
import type { Generation } from '../../../domain/generations/generation.ts';
import {
  arrivedKeys,
  expectedFormat,
  orderedFileCount,
  outputExtension,
} from '../../../domain/generations/mediaFiles.ts';
import { mediaKey } from '../../../domain/generations/mediaUrl.ts';
import type { OrderedModel } from '../../../domain/generations/order.ts';
import { headBytes } from '../../../domain/generations/refusedResult.ts';
import { backoffMs, jitter } from '../../../domain/time/backoff.ts';
import { isoTime } from '../../../domain/time/isoTime.ts';
import type { AppCore } from '../../app.ts';
import { maxOutputBytes, MissingOutputError } from '../../ports/media.ts';
import { arrivedOutputs } from './arrivedFiles.ts';

/** Reads of a file whose host fails, and the pauses between them. */
const maxReads = 3;
const pace = { firstMs: 1_000, maxMs: 2_000 };
/** Time limit for reading one file again, in ms: the refund waits for it. */
const readWithinMs = 2 * minuteMs;

type KeepDeps = Pick<
  AppCore,
  'media' | 'storeOutput' | 'clock' | 'random' | 'log' | 'refusedKeptMs' | 'reachFaultPoint'
>;

/**
 * Keeps the files of a finally refused result, as they arrived, for staff. A repeat after a crash writes the same keys;
 * files without a record are removed by upkeep. A file that its host no longer serves is left out after a few attempts:
 * the refund does not depend on it.
 * @param attempts The last one with the reason of the loss.
 * @param result.measured The figures of the files that could be cleaned, from the first one on.
 * @returns The attempts, the last one with the kept files.
 * @throws The store's errors, and the signal's reason if aborted; the caller retries until its grace is over.
 */
export async function keepRefused(
  deps: KeepDeps,
  generation: Generation,
  attempts: Attempt[],
  {
    outputs,
    measures,
  }: { outputs: readonly ProviderOutput[]; measures: readonly ResultMeasures[] },
  signal: AbortSignal,
): Promise<Attempt[]> {
  const { number, arrived, lost } = attempts.at(-1) ?? {};
  // Results delivered by staff are already kept with the generation that they replace.
  const keepsNone = deps.refusedKeptMs === 0 || generation.replaces !== undefined;
  if (number === undefined || keepsNone) return attempts;
  const keys = arrivedKeys(generation.id, number, orderedFileCount(generation));
  const files: RefusedFile[] = [];
  for (const [index, output] of outputs.slice(0, keys.length).entries()) {
    const raw = { key: keys[index] ?? '', output, isHere: arrived !== undefined };
    const keptFile = await keepFile(deps, generation, raw, signal);
    if (!keptFile) continue;
    const isAtFault = lost?.reason === 'invalid_output' && index === measures.length;
    const figures = measures[index] ?? (isAtFault ? { problem: lost.note } : null);
    const isUnknown = figures === null && lost?.reason === 'invalid_output';
    files.push({
      ...keptFile,
      ...(isUnknown
        ? await measureKept(deps, generation, { key: keptFile.key, index }, signal)
        : figuresToStore(figures)),
    });
  }
  await deps.reachFaultPoint('refuse.afterKept');
  if (files.length === 0) return attempts;
  const at = deps.clock.now();
  const until = at + deps.refusedKeptMs;
  deps.log.warn(
    { generationId: generation.id, files: files.length, keptUntil: isoTime(until) },
    'refused result was kept: staff can deliver it from the generation page',
  );
  return withLastAttempt(attempts, { refused: { at, until, files } });
}

/** Time limit for keeping a result when the generation is about to end without it, in ms. */
const lastTryMs = 5_000;

/** Keeps the files of a result that was lost for another reason, if they are available immediately. Never throws. */
export async function keepIfPossible(
  deps: KeepDeps,
  generation: Generation,
  attempts: Attempt[],
  outputs: readonly ProviderOutput[],
): Promise<Attempt[]> {
  const result = { outputs, measures: [] };
  try {
    return await keepRefused(deps, generation, attempts, result, AbortSignal.timeout(lastTryMs));
  } catch (error) {
    deps.log.warn({ generationId: generation.id, error }, 'failed to keep a lost result');
    return attempts;
  }
}

type Figures = Pick<RefusedFile, 'width' | 'height' | 'seconds' | 'sound' | 'problem'>;

/** The figures to store. */
function figuresToStore(figures: Figures | null): Figures {
  const { width, height, seconds, sound, problem } = figures ?? {};
  return {
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(seconds !== undefined && { seconds }),
    ...(sound !== undefined && { sound }),
    ...(problem !== undefined && { problem }),
  };
}

/** Cleans a kept file after the one at fault, because it may be valid. */
async function measureKept(
  deps: KeepDeps,
  generation: Generation,
  { key, index }: { key: string; index: number },
  signal: AbortSignal,
): Promise<Figures> {
  const { id: generationId, accountId, type } = generation;
  const format = expectedFormat(generation);
  const target = mediaKey('outputs', { generationId, index, extension: outputExtension(format) });
  const [output] = arrivedOutputs(deps, [key]);
  if (!output) return {};
  try {
    const storedFile = await deps.storeOutput(target, output, { accountId, type, format }, signal);
    return figuresToStore(storedFile.measures);
  } catch (error) {
    if (error instanceof InvalidOutputError) return { problem: error.message };
    throw error;
  }
}

/** Keeps one file. @returns Null if it is no longer available. */
async function keepFile(
  deps: KeepDeps,
  generation: Generation,
  raw: { key: string; output: ProviderOutput; isHere: boolean },
  signal: AbortSignal,
): Promise<Pick<RefusedFile, 'key' | 'bytes' | 'sha256' | 'head'> | null> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(readWithinMs)]);
  for (let attempts = 1; ; attempts += 1) {
    const source = { head: Buffer.alloc(0), error: undefined as unknown };
    try {
      const data = watch(raw.output, source, limited);
      const storedFile = raw.isHere
        ? await digest(data)
        : await put(deps, generation, raw.key, data, limited);
      return { key: raw.key, ...storedFile, head: source.head.toString('hex') };
    } catch (error) {
      if (signal.aborted) throw error;
      const isTooLarge = error instanceof TransferError && error.kind === 'too_large';
      if (error instanceof MissingOutputError || isTooLarge) return null;
      // Raw files that are present are read from our own store.
      const isOfHost = source.error === error && !raw.isHere;
      if (!isOfHost && !limited.aborted) throw error;
      if (attempts === maxReads || limited.aborted) {
        deps.log.warn({ generationId: generation.id, error }, 'failed to keep a refused file');
        return null;
      }
      await pause(jitter(backoffMs(pace, attempts), deps.random.fraction()), limited);
    }
  }
}

function put(
  { media }: KeepDeps,
  { type }: OrderedModel,
  key: string,
  data: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<{ bytes: number; sha256: string }> {
  const maxBytes = maxOutputBytes[type];
  return media.put(key, data, { contentType: 'application/octet-stream', maxBytes, signal });
}

/** Reads a file, and notes its beginning and whether its source failed. */
async function* watch(
  output: ProviderOutput,
  source: { head: Buffer; error: unknown },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    const data = await output.read(signal);
    for await (const part of data instanceof Uint8Array ? [data] : data) {
      if (source.head.length < headBytes) {
        source.head = Buffer.concat([source.head, part]).subarray(0, headBytes);
      }
      yield part;
    }
  } catch (error) {
    source.error = error;
    throw error;
  }
}

async function digest(data: AsyncIterable<Uint8Array>): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const part of data) {
    bytes += part.length;
    hash.update(part);
  }
  return { bytes, sha256: hash.digest('hex') };
}
