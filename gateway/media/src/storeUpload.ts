import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createKeyedLimiter,
  defaultMinSpeed,
  type MinSpeed,
  NoFreeSlotError,
  receiveAtMinSpeed,
  TooSlowError,
  TransferError,
} from '@framegate/limits';
import type { InputFileLimits, KeptPart, StoreUpload, StoreUploadResult } from './media.ts';
import type { MediaStore } from './mediaStore.ts';
import type { InspectedMedia, MediaTask, MediaVerdict } from './mediaTask.ts';
import { runMediaTask } from './runMediaTask.ts';
import { maxTransparentWebpPixels, slackSeconds } from './takeInputs.ts';
import { readFileLazily, receiveFile, withTempFolder } from './tempFiles.ts';

/** Limits on files from browsers, and from the URLs that they name. */
export interface UploadLimits extends MinSpeed {
  /** Concurrent files of one account, incoming or on disk; further ones wait. */
  maxPerAccount: number;
  /** Concurrent files of all accounts, which bounds their disk space. */
  maxOnDisk: number;
  /** Concurrent videos of all accounts for taking a frame: they are larger, and come from our store. */
  maxFrames: number;
  /** Longest wait for other accounts' files, in ms: for disk space, and for a child process. */
  maxWaitMs: number;
}

const defaultLimits: UploadLimits = {
  maxPerAccount: 2,
  maxOnDisk: 120,
  maxFrames: 8,
  maxWaitMs: 10_000,
  ...defaultMinSpeed,
};

/**
 * Maximum pixels of an uploaded picture, which may be re-encoded in a child of the API's process, with less memory than
 * a worker's: 4096 a side.
 */
const maxUploadPixels = 4096 * 4096;

const maxPreviewBytes = 1_000_000;
/** Maximum size of a finished video for taking a frame. */
const maxVideoBytes = 300_000_000;

/** Dependencies of taking a file. */
export interface StoreUploadDeps {
  store: MediaStore;
  fileLimits: InputFileLimits;
  tempFolder: string;
  /** Whether frames of videos are decoded (POSTERS). */
  decodesVideo: boolean;
  /** Overrides for tests. */
  limits?: Partial<UploadLimits>;
}

type UploadTarget = Parameters<StoreUpload>[0];

/**
 * Creates the function that stores a customer's file: received within the limits of inputs, checked and prepared like
 * them by a child process, and then stored. A file occupies a child only once it has arrived, so that slow senders and
 * hosts delay no one.
 */
export function createStoreUpload(deps: StoreUploadDeps): StoreUpload {
  const limits = { ...defaultLimits, ...deps.limits };
  const perAccount = createKeyedLimiter({ maxPerKey: limits.maxPerAccount });
  const incoming = createKeyedLimiter({
    maxPerKey: limits.maxPerAccount,
    maxInAll: limits.maxOnDisk,
  });
  // A child reads one file per account at a time, so an account's own files do not count as a wait for others.
  const reading = createKeyedLimiter({ maxPerKey: 1 });
  const frames = createKeyedLimiter({
    maxPerKey: limits.maxPerAccount,
    maxInAll: limits.maxFrames,
  });

  return async (upload, data, note, signal) => {
    const { accountId, type } = upload;
    const storeInFolder = (
      receive: (path: string, maxBytes: number) => Promise<unknown>,
      inspect: InspectReceived,
    ) =>
      withTempFolder(deps.tempFolder, async (folder): Promise<StoreUploadResult> => {
        const received = join(folder, 'received');
        const maxBytes = isFrame(upload.keep) ? maxVideoBytes : deps.fileLimits[type].maxBytes;
        try {
          await receive(received, maxBytes);
        } catch (error) {
          if (!(error instanceof TransferError) || error.kind !== 'too_large') throw error;
          return { ok: false, problem: 'too_large', maxBytes };
        }
        const { task, target, preview } = taskFor(deps, upload, folder, received);
        const media = await inspect(task);
        if (media.ok) {
          const path =
            upload.keep === 'preview' ? null : media.isPrepared === true ? target : received;
          return keep(deps, upload, { media, path, preview }, note, signal);
        }
        const { reason, actualKind, tooManyPixels } = media;
        const maxBehindUrl = deps.fileLimits.image.maxPixels;
        return tooManyPixels
          ? { ok: false, problem: 'too_many_pixels', ...tooManyPixels, maxBehindUrl }
          : { ok: false, problem: 'invalid', reason, ...(actualKind && { actualKind }) };
      });

    const isFromOurStore = isFrame(upload.keep);
    const receive = (path: string, maxBytes: number) =>
      isFromOurStore
        ? receiveFile(path, data, { maxBytes, signal })
        : receiveAtMinSpeed(limits, data, signal, (counted, inTime) =>
            receiveFile(path, counted, { maxBytes, signal: inTime }),
          );
    const inspect: InspectReceived = (task) =>
      reading.run(
        accountId,
        () => runMediaTask(task, { accountId }, signal, limits.maxWaitMs),
        signal,
      );
    const take = () =>
      (isFromOurStore ? frames : incoming).run(
        accountId,
        () => storeInFolder(receive, inspect),
        signal,
        limits.maxWaitMs,
      );
    try {
      return await perAccount.run(accountId, take, signal);
    } catch (error) {
      if (error instanceof NoFreeSlotError) {
        return {
          ok: false,
          problem: 'busy',
          retryAfterSeconds: Math.ceil(limits.maxWaitMs / 1000),
        };
      }
      if (!(error instanceof TooSlowError)) throw error;
      // No one sent this file: a slow host counts as unreachable.
      if (upload.keep === 'preview') throw new TransferError('unreachable', error.message);
      return { ok: false, problem: 'too_slow', bytesPerSecond: limits.bytesPerSecond };
    }
  };
}

type InspectReceived = (task: MediaTask) => Promise<MediaVerdict>;

/** Stores the kept parts of a valid file. */
async function keep(
  { fileLimits, store }: StoreUploadDeps,
  { type }: UploadTarget,
  { media, path, preview }: { media: InspectedMedia; path: string | null; preview: string },
  note: Parameters<StoreUpload>[2],
  signal: AbortSignal,
): Promise<StoreUploadResult> {
  const { maxBytes } = fileLimits[type];
  if (type !== 'image' && (media.seconds ?? 0) > fileLimits[type].maxSeconds + slackSeconds) {
    return { ok: false, problem: 'invalid', reason: `${media.seconds} s` };
  }
  const hasPreview = media.hasPreview === true;
  const bytes = await measureBytes(path ?? (hasPreview ? preview : null));
  if (bytes > maxBytes) return { ok: false, problem: 'too_large', maxBytes };
  const extension = path === null ? null : media.extension;
  const { key, previewKey } = await note({ ...aboutOf(media), extension, bytes, hasPreview });
  if (path !== null && key !== null) {
    const options = { contentType: media.mediaType, maxBytes, signal };
    await store.put(key, readFileLazily(path), options);
  }
  if (previewKey !== null) {
    const options = { contentType: 'image/webp', maxBytes: maxPreviewBytes, signal };
    await store.put(previewKey, readFileLazily(preview), options);
  }
  return { ok: true };
}

const isFrame = (part: KeptPart) => part === 'firstFrame' || part === 'lastFrame';

/** The child's task for a received file, and the paths of its output. */
function taskFor(
  { fileLimits, decodesVideo }: StoreUploadDeps,
  { type, keep: part }: UploadTarget,
  folder: string,
  path: string,
): { task: MediaTask; target: string; preview: string } {
  const { maxPixels } = fileLimits.image;
  const [target, preview] = [join(folder, 'prepared'), join(folder, 'preview')];
  if (isFrame(part)) {
    const which = part === 'firstFrame' ? 'first' : 'last';
    return {
      task: { task: 'drawFrame', path, maxPixels, which, target, preview },
      target,
      preview,
    };
  }
  const isKept = part === 'file';
  const isDrawn = type === 'image' || (type === 'video' && decodesVideo);
  const task = {
    task: 'inspect',
    path,
    type,
    maxPixels: type === 'image' && isKept ? Math.min(maxPixels, maxUploadPixels) : maxPixels,
    maxTransparentWebpPixels,
    ...(isKept && { target }),
    ...(isDrawn && { preview }),
  } as const;
  return { task, target, preview };
}

async function measureBytes(path: string | null): Promise<number> {
  return path === null ? 0 : (await stat(path)).size;
}

function aboutOf({ width, height, seconds }: InspectedMedia) {
  const size = width !== undefined && height !== undefined ? { width, height } : null;
  return { size, seconds: seconds ?? null };
}
