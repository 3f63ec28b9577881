import { join } from 'node:path';
import { messageOf } from '@framegate/contract';
import { createKeyedLimiter, type KeyedLimiter, TransferError } from '@framegate/limits';
import type {
  FetchUrl,
  GivenInput,
  InputFileLimits,
  InputKey,
  TakeInputs,
  TakeInputsResult,
} from './media.ts';
import { InputStoreError } from './mediaErrors.ts';
import type { MediaStore } from './mediaStore.ts';
import type { InspectedMedia, InvalidMedia } from './mediaTask.ts';
import { runMediaTask } from './runMediaTask.ts';
import {
  measureFile,
  readFileLazily,
  type ReceivedFile,
  receiveFile,
  withTempFolder,
} from './tempFiles.ts';

/**
 * Seconds allowed above the limit: encoders end a clip with a full frame of sound or picture, so one cut to 15
 * s measures slightly more.
 */
export const slackSeconds = 0.1;

/** Maximum pixels of a WebP with transparency that must be encoded. */
export const maxTransparentWebpPixels = 6_000_000;

/** Dependencies of copying inputs. */
export interface TakeInputsDeps {
  store: MediaStore;
  fetchUrl: FetchUrl;
  fileLimits: InputFileLimits;
  inputKey: InputKey;
  /** Folder of files until all are checked. */
  tempFolder: string;
}

type TakenInput = Extract<TakeInputsResult, { ok: true }>['stored'][number];
type InputFailureCode = 'input_unreachable' | 'input_invalid';

/** An unusable input. */
class InputError extends Error {
  override readonly name = 'InputError';
  readonly code: InputFailureCode;
  readonly index: number;
  readonly actualKind: InvalidMedia['actualKind'];
  readonly isSlow: InvalidMedia['isSlow'];
  constructor(
    code: InputFailureCode,
    index: number,
    { reason, actualKind, isSlow }: Omit<InvalidMedia, 'ok'>,
  ) {
    super(reason);
    this.code = code;
    this.index = index;
    this.actualKind = actualKind;
    this.isSlow = isSlow;
  }
}

/** A fetched and prepared file that is not yet stored. */
interface Candidate {
  path: string;
  file: ReceivedFile;
  media: InspectedMedia;
}

/**
 * Files that a process fetches and inspects in parallel, in total and per account: reading a large file from the
 * network takes the process's own time, and an account's files are inspected one after another anyway.
 */
const filesAtOnce = { maxInAll: 100, maxPerKey: 4 };

/**
 * Creates the function that copies a generation's inputs into the store: each is fetched, or copied from the store
 * if it is an output or upload of the account, inspected by its bytes and prepared for a provider; once all are valid
 * they are stored under `inputs/`. Storing again after a crash writes the same keys.
 */
export function createTakeInputs(deps: TakeInputsDeps): TakeInputs {
  const files = createKeyedLimiter(filesAtOnce);
  return ({ id, accountId }, inputs, signal) =>
    withTempFolder(deps.tempFolder, async (folder): Promise<TakeInputsResult> => {
      try {
        const candidates = await collect({ ...deps, accountId, files }, inputs, folder, signal);
        requireSeconds(inputs, candidates, deps.fileLimits);
        return { ok: true, stored: await storeAll(deps, id, candidates, signal) };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof InputError)) throw error;
        const { code, index, message, actualKind, isSlow } = error;
        const param = `inputs[${index}].url`;
        const expected = inputs[index]?.type;
        const wrongFile = actualKind && expected && { actualKind, expected };
        return {
          ok: false,
          code,
          param,
          reason: message,
          ...(wrongFile && { wrongFile }),
          ...(isSlow && { isSlow }),
        };
      }
    });
}

/** Fetches and inspects all inputs, a few in parallel. The first failure stops the others. */
async function collect(
  deps: TakeInputsDeps & { accountId: string; files: KeyedLimiter },
  inputs: readonly GivenInput[],
  folder: string,
  signal: AbortSignal,
): Promise<Candidate[]> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const take = async (input: GivenInput, index: number): Promise<Candidate> => {
    const path = join(folder, String(index));
    try {
      return await deps.files.run(
        deps.accountId,
        () => takeOne(deps, input, index, path, either),
        either,
      );
    } catch (error) {
      // Only the first abort counts: the others fail because of it.
      stop.abort(error);
      throw error;
    }
  };
  const results = await Promise.allSettled(inputs.map(take));
  either.throwIfAborted();
  return results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

async function takeOne(
  { store, fetchUrl, fileLimits, accountId }: TakeInputsDeps & { accountId: string },
  input: GivenInput,
  index: number,
  path: string,
  signal: AbortSignal,
): Promise<Candidate> {
  const { maxBytes } = fileLimits[input.type];
  const { maxPixels } = fileLimits.image;
  try {
    const stream =
      input.storeKey === null
        ? await fetchUrl(input.url, { maxBytes, signal })
        : await openOwn(store, input.storeKey);
    const file = await receiveFile(path, stream, { maxBytes, signal });
    const target = `${path}-prepared`;
    const media = await runMediaTask(
      { task: 'inspect', path, type: input.type, maxPixels, maxTransparentWebpPixels, target },
      { accountId },
      signal,
    );
    if (!media.ok) throw new InputError('input_invalid', index, media);
    if (media.isPrepared !== true) return { path, file, media };
    return { path: target, file: await measureFile(target), media };
  } catch (error) {
    if (!(error instanceof TransferError)) throw error;
    const code = error.kind === 'too_large' ? 'input_invalid' : 'input_unreachable';
    throw new InputError(code, index, { reason: error.message });
  }
}

/** Opens an output or upload of the account by its key, which is empty if it no longer exists. */
async function openOwn(store: MediaStore, key: string) {
  const file = key === '' ? null : await callStore(store.open(key));
  if (!file) throw new TransferError('unreachable', 'the file has been deleted');
  return file.stream;
}

/** Checks the total duration of each type; the error names the input that exceeds the limit. */
function requireSeconds(
  inputs: readonly GivenInput[],
  candidates: readonly Candidate[],
  fileLimits: InputFileLimits,
): void {
  const sums = { video: 0, audio: 0 };
  for (const [index, { type }] of inputs.entries()) {
    if (type === 'image') continue;
    sums[type] += candidates[index]?.media.seconds ?? 0;
    const { maxSeconds } = fileLimits[type];
    if (sums[type] > maxSeconds + slackSeconds) {
      const reason = `${sums[type].toFixed(2)} s of ${type} in total; the limit is ${maxSeconds} s`;
      throw new InputError('input_invalid', index, { reason });
    }
  }
}

async function storeAll(
  { store, inputKey }: Pick<TakeInputsDeps, 'store' | 'inputKey'>,
  generationId: string,
  candidates: readonly Candidate[],
  signal: AbortSignal,
): Promise<TakenInput[]> {
  const stored: TakenInput[] = [];
  for (const [index, { path, file, media }] of candidates.entries()) {
    const { mediaType, extension, seconds } = media;
    const key = inputKey({ generationId, index, extension });
    const options = { contentType: mediaType, maxBytes: file.bytes, signal };
    await callStore(store.put(key, readFileLazily(path), options));
    stored.push({ key, mediaType, ...file, ...(seconds !== undefined && { seconds }) });
  }
  return stored;
}

/** Distinguishes failures of the store from those of inputs. */
async function callStore<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new InputStoreError(messageOf(error), { cause: error });
  }
}
