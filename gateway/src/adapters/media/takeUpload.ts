import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createKeyedLimiter } from '../../application/ports/concurrency.ts';
import {
  TransferFailure,
  type KeptOfFile,
  type MediaStore,
  type TakeUpload,
  type UploadTaken,
} from '../../application/ports/media.ts';
import { slackSeconds, type InputCaps } from './takeInputs.ts';
import type { InspectedMedia, MediaTask } from './mediaTask.ts';
import { lazyFileStream, receiveFile, withTempFolder } from './tempFiles.ts';
import { runMediaTask } from './runMediaTask.ts';

/** Files that one process receives at a time, and those of one account among them. */
const places = 8;
const ofAccount = 2;
const maxPreviewBytes = 1_000_000;
/** Of a finished video of which a picture is taken. */
const maxVideoBytes = 300_000_000;

/** What taking a file needs. */
export interface TakeUploadDeps {
  store: MediaStore;
  caps: InputCaps;
  tempFolder: string;
  /** Whether pictures of videos are decoded (POSTERS). */
  decodesVideo: boolean;
}

type Of = Parameters<TakeUpload>[0];

/**
 * Makes the port that takes a file of a customer's: received within the limits of inputs, judged as they
 * are by a child process, a picture encoded anew, and then stored.
 */
export function createTakeUpload(deps: TakeUploadDeps): TakeUpload {
  const { store, caps, tempFolder } = deps;
  const given = createKeyedLimiter({ places, perKey: ofAccount });
  // Places of their own: a host that sends slowly keeps no file of a browser waiting.
  const fetched = createKeyedLimiter({ places, perKey: ofAccount });
  return (of, data, note, signal) =>
    (of.keep === 'file' ? given : fetched).run(
      of.accountId,
      () =>
        withTempFolder(tempFolder, async (folder): Promise<UploadTaken> => {
          const { accountId, type, keep } = of;
          const received = join(folder, 'received');
          const maxBytes = isFrame(keep) ? maxVideoBytes : caps[type].maxBytes;
          try {
            await receiveFile(received, data, { maxBytes, signal });
          } catch (error) {
            if (!(error instanceof TransferFailure) || error.kind !== 'too_large') throw error;
            return { ok: false, problem: 'too_large', maxBytes };
          }
          const { task, path, preview } = taskFor(deps, of, folder, received);
          const media = await runMediaTask(task, { accountId }, signal);
          if (!media.ok) return { ok: false, problem: 'invalid', reason: media.reason };
          if (type !== 'image' && (media.seconds ?? 0) > caps[type].maxSeconds + slackSeconds) {
            return { ok: false, problem: 'invalid', reason: `${String(media.seconds)} s` };
          }
          const hasPreview = media.preview === true;
          const bytes = await bytesOf(path ?? (hasPreview ? preview : null));
          if (bytes > caps[type].maxBytes) {
            return { ok: false, problem: 'too_large', maxBytes: caps[type].maxBytes };
          }
          const extension = path === null ? null : media.extension;
          const { key, previewKey } = await note({
            ...aboutOf(media),
            extension,
            bytes,
            hasPreview,
          });
          if (path !== null && key !== null) {
            const options = { contentType: media.mediaType, maxBytes: caps[type].maxBytes, signal };
            await store.put(key, lazyFileStream(path), options);
          }
          if (previewKey !== null) {
            const options = { contentType: 'image/webp', maxBytes: maxPreviewBytes, signal };
            await store.put(previewKey, lazyFileStream(preview), options);
          }
          return { ok: true };
        }),
      signal,
    );
}

const isFrame = (keep: KeptOfFile) => keep === 'first frame' || keep === 'last frame';

/** What a child does with a file that was received, and where what is kept of it lies then; null: nothing. */
function taskFor(
  { caps, decodesVideo }: TakeUploadDeps,
  { type, keep }: Of,
  folder: string,
  path: string,
): { task: MediaTask; path: string | null; preview: string } {
  const { maxPixels } = caps.image;
  const [clean, preview] = [join(folder, 'clean'), join(folder, 'preview')];
  const common = { path, maxPixels };
  if (isFrame(keep)) {
    const which = keep === 'first frame' ? 'first' : 'last';
    const task = { task: 'takeFrame', ...common, which, target: clean, preview } as const;
    return { task, path: clean, preview };
  }
  if (type === 'image' && keep === 'file') {
    const task = { task: 'cleanPicture', ...common, target: clean, preview } as const;
    return { task, path: clean, preview };
  }
  const isDrawn = type === 'image' || (type === 'video' && decodesVideo);
  const task = { task: 'inspect', ...common, type, ...(isDrawn && { preview }) } as const;
  return { task, path: keep === 'file' ? path : null, preview };
}

async function bytesOf(path: string | null): Promise<number> {
  return path === null ? 0 : (await stat(path)).size;
}

function aboutOf({ width, height, seconds }: InspectedMedia) {
  const size = width !== undefined && height !== undefined ? { width, height } : null;
  return { size, seconds: seconds ?? null };
}
