import type { InputType } from '@framegate/contract';
import { giveUpAfter, withTimeLimit } from '@framegate/limits';
import type { KeptPart, StoreUploadResult } from '@framegate/media';
import type { GenerationFiles } from '../../domain/generations/files.ts';
import type { GenerationOrder } from '../../domain/generations/order.ts';
import {
  type Upload,
  uploadKey,
  uploadLimits,
  uploadsOfInputs,
  uploadsToDrop,
} from '../../domain/generations/uploads.ts';
import type { WorkState } from '../../domain/generations/work.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { App } from '../app.ts';
import { countAttempt } from '../signIn/attempts.ts';

/** Timeout for removing one file, in ms. */
const removalMs = 15_000;

/** Dependencies of keeping a file. */
export type UploadDeps = Pick<
  App,
  'database' | 'clock' | 'random' | 'attempts' | 'media' | 'storeUpload'
>;

/**
 * Stores a file chosen by a customer in the studio.
 * @returns Its id.
 * @throws Refusal if it is not a valid input, is too slow, or there are too many; the signal's reason.
 */
export async function receiveUpload(
  deps: UploadDeps,
  target: { accountId: string; type: InputType },
  data: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<string> {
  const { id, result } = await addUpload(
    deps,
    { ...target, keep: 'file', source: null },
    data,
    signal,
  );
  if (!result.ok) throw unusableFileRefusal(target.type, result);
  return id;
}

/** The refusal of a file that cannot be used. */
export function unusableFileRefusal(
  type: InputType,
  result: Extract<StoreUploadResult, { ok: false }>,
): Refusal {
  switch (result.problem) {
    case 'too_large':
      return new Refusal('file_too_large', {
        values: { megabytes: result.maxBytes / 1_000_000, type },
      });
    case 'too_many_pixels':
      return pictureTooLargeRefusal(result);
    case 'too_slow':
      return new Refusal('file_too_slow', {
        values: { kilobytes: result.bytesPerSecond / 1_000 },
      });
    case 'busy':
      return new Refusal('files_busy', { retryAfterSeconds: result.retryAfterSeconds });
    case 'invalid':
      if (!result.actualKind) return new Refusal('file_unusable', { values: { type } });
      return new Refusal('file_of_wrong_kind', {
        values: { actualKind: result.actualKind, expected: type },
      });
  }
}

/** Rounds to tenths of a megapixel so that an excessive number never looks like the limit. */
function pictureTooLargeRefusal({
  pixels,
  max,
  isTransparentWebp,
  maxBehindUrl,
}: Extract<StoreUploadResult, { problem: 'too_many_pixels' }>): Refusal {
  const floorMegapixels = (count: number) => Math.floor(count / 100_000) / 10;
  return new Refusal('picture_too_large', {
    values: {
      pixels: Math.ceil(pixels / 100_000) / 10,
      kind: isTransparentWebp ? 'webp' : 'other',
      max: floorMegapixels(max),
      behindUrl: pixels <= maxBehindUrl ? floorMegapixels(maxBehindUrl) : 0,
    },
  });
}

/**
 * Keeps a file, or the part named by `keep`, for some hours. It is recorded before it is stored and displaces older
 * ones that no generation needs.
 * @throws Refusal if there were or are too many; errors of `data`; the signal's reason.
 */
export async function addUpload(
  deps: UploadDeps,
  {
    accountId,
    type,
    keep,
    source,
  }: Pick<Upload, 'accountId' | 'type' | 'source'> & { keep: KeptPart },
  data: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<{ id: string; result: StoreUploadResult }> {
  await countAttempt(deps, 'upload', accountId);
  const id = deps.random.newId('upl');
  const uploads: Upload[] = [];
  const record: Parameters<App['storeUpload']>[2] = async (file) => {
    const { extension, hasPreview, bytes, size, seconds } = file;
    const key = extension === null ? null : uploadKey(id, `0.${extension}`);
    const previewKey = hasPreview ? uploadKey(id, 'preview.webp') : null;
    const nowMs = deps.clock.now();
    const times = { createdAt: nowMs, expiresAt: nowMs + uploadLimits.keptMs, neededUntil: 0 };
    const about = { id, accountId, type, source, bytes, size, seconds };
    const upload = { ...about, key, previewKey, ...times };
    await makeRoom(deps, upload);
    uploads.push(upload);
    return upload;
  };
  try {
    const result = await deps.storeUpload({ accountId, type, keep }, data, record, signal);
    return { id, result };
  } finally {
    for (const upload of uploads) await dropIfDisplaced(deps, upload);
  }
}

/**
 * Removes the files of an upload that was displaced or expired while it was being stored, because nothing refers to
 * them any more.
 * @throws Refusal in that case.
 */
async function dropIfDisplaced(deps: UploadSpaceDeps, upload: Upload): Promise<void> {
  const { uploads } = deps.database;
  if (await uploads.find(upload.id)) return;
  await removeFiles(deps, upload);
  await uploads.remove(upload.id);
  throw new Refusal('upload_replaced');
}

/** `addUpload` for a waiting page. @param maxMs Time limit. */
export async function addUploadWithin(
  maxMs: number,
  deps: UploadDeps,
  target: Parameters<typeof addUpload>[1],
  open: (signal: AbortSignal) => AsyncIterable<Uint8Array>,
): ReturnType<typeof addUpload> {
  try {
    return await withTimeLimit(maxMs, AbortSignal.any([]), (signal) =>
      addUpload(deps, target, open(signal), signal),
    );
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    throw isLate ? new Refusal('upload_too_slow') : error;
  }
}

/** The unexpired uploads of an account. */
export async function listUploads(
  { database, clock }: Pick<App, 'database' | 'clock'>,
  accountId: string,
): Promise<Upload[]> {
  const all = await database.uploads.listOfAccount(accountId);
  return all.filter(({ expiresAt }) => expiresAt > clock.now());
}

type UploadSpaceDeps = Pick<App, 'database' | 'media'>;

/**
 * Records an upload and removes older ones to make room.
 * @throws Refusal if there is no room, or the account is suspended.
 */
async function makeRoom(deps: UploadSpaceDeps, upload: Upload): Promise<void> {
  const { uploads, accounts } = deps.database;
  // Recorded before counting, so that simultaneous uploads see each other and no limit is exceeded. A later erasure
  // makes all recorded uploads expire.
  await uploads.insert(upload);
  if ((await accounts.find(upload.accountId))?.status !== 'active') {
    await uploads.remove(upload.id);
    throw new Refusal('account_suspended');
  }
  const dropped = uploadsToDrop(await uploads.listOfAccount(upload.accountId), upload);
  if (!dropped) {
    await uploads.remove(upload.id);
    throw new Refusal('uploads_full');
  }
  for (const { id } of dropped) await removeUpload(deps, id);
}

/** Removes an upload: its files before its record, so that none is forgotten. */
export async function removeUpload(deps: UploadSpaceDeps, id: string): Promise<void> {
  const { uploads } = deps.database;
  // A process that is still storing it notices that it has expired.
  const upload = await uploads.expire(id);
  if (!upload) return;
  await removeFiles(deps, upload);
  await uploads.remove(id);
}

async function removeFiles(
  { media }: Pick<UploadSpaceDeps, 'media'>,
  upload: Upload,
): Promise<void> {
  for (const key of [upload.key, upload.previewKey]) {
    if (key !== null) await giveUpAfter(removalMs, media.delete(key));
  }
}

/** Keeps the uploads of an accepted generation for as long as it may wait to read them. */
export async function extendUploadRetention(
  { database, log }: Pick<App, 'database' | 'log'>,
  generationId: string,
): Promise<void> {
  try {
    const generation = await database.generations.find(generationId);
    if (!generation || uploadsToRead(generation).length === 0) return;
    const { accountId, deadlineAt } = generation;
    const ids = uploadsToRead(generation);
    await database.uploads.keepUntil({ accountId, generationId }, ids, deadlineAt);
    // A worker may have read them before this write.
    const current = await database.generations.find(generationId);
    if (current && uploadsToRead(current).length === 0) {
      await database.uploads.release(generationId, ids);
    }
  } catch (error) {
    // The generation is accepted and charged, and the files are kept for hours anyway.
    log.warn({ error, generationId }, 'failed to extend the retention of uploads');
  }
}

/** The uploads that a generation has not read yet. */
function uploadsToRead({
  step,
  storedInputs,
  inputs,
}: Pick<GenerationOrder, 'inputs'> & Pick<WorkState, 'step'> & GenerationFiles): string[] {
  return step === 'ended' || storedInputs ? [] : uploadsOfInputs(inputs);
}
