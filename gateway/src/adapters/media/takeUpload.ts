import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createKeyedLimiter } from '../../application/ports/concurrency.ts';
import {
  TransferFailure,
  type MediaStore,
  type TakeUpload,
  type UploadTaken,
} from '../../application/ports/media.ts';
import { slackSeconds, type InputCaps } from './inputCaps.ts';
import type { InspectedMedia } from './mediaTask.ts';
import { lazyFileStream, receiveFile, withTempFolder } from './tempFiles.ts';
import { runMediaTask } from './runMediaTask.ts';

/** Uploads that one process receives at a time, and those of one account among them. */
const places = 8;
const ofAccount = 2;
const maxPreviewBytes = 1_000_000;

/**
 * Makes the port that takes a file from a browser: received within the limits of inputs, judged as they
 * are by a child process, a picture encoded anew, and then stored.
 */
export function createTakeUpload(deps: {
  store: MediaStore;
  caps: InputCaps;
  tempFolder: string;
}): TakeUpload {
  const { store, caps, tempFolder } = deps;
  const limiter = createKeyedLimiter({ places, perKey: ofAccount });
  return ({ accountId, type }, data, note, signal) =>
    limiter.run(
      accountId,
      () =>
        withTempFolder(tempFolder, async (folder): Promise<UploadTaken> => {
          const received = join(folder, 'received');
          const { maxBytes } = caps[type];
          try {
            await receiveFile(received, data, { maxBytes, signal });
          } catch (error) {
            if (!(error instanceof TransferFailure) || error.kind !== 'too_large') throw error;
            return { ok: false, problem: 'too_large', maxBytes };
          }
          const isPicture = type === 'image';
          const path = isPicture ? join(folder, 'clean') : received;
          const preview = join(folder, 'preview');
          const { maxPixels } = caps.image;
          const media = await runMediaTask(
            isPicture
              ? { task: 'cleanPicture', path: received, target: path, preview, maxPixels }
              : { task: 'inspect', path, type, maxPixels },
            { accountId },
            signal,
          );
          if (!media.ok) return { ok: false, problem: 'invalid', reason: media.reason };
          if (!isPicture && (media.seconds ?? 0) > caps[type].maxSeconds + slackSeconds) {
            return { ok: false, problem: 'invalid', reason: `${String(media.seconds)} s` };
          }
          const { size: bytes } = await stat(path);
          if (bytes > maxBytes) return { ok: false, problem: 'too_large', maxBytes };
          const { key, previewKey } = await note({
            ...aboutOf(media),
            bytes,
            hasPreview: isPicture,
          });
          const contentType = media.mediaType;
          await store.put(key, lazyFileStream(path), { contentType, maxBytes, signal });
          if (previewKey !== null) {
            const options = { contentType: 'image/webp', maxBytes: maxPreviewBytes, signal };
            await store.put(previewKey, lazyFileStream(preview), options);
          }
          return { ok: true };
        }),
      signal,
    );
}

function aboutOf({ extension, width, height, seconds }: InspectedMedia) {
  const size = width !== undefined && height !== undefined ? { width, height } : null;
  return { extension, size, seconds: seconds ?? null };
}
