import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '@framegate/contract';
import { looksLikeText } from '@framegate/limits';
import type { PosterMaker } from './makePosters.ts';
import type { ManifestSigner } from './manifestSigner.ts';
import type { OutputFileLimits, StoreOutput } from './media.ts';
import { InvalidOutputError } from './mediaErrors.ts';
import type { MediaStore } from './mediaStore.ts';
import type { ManifestRequest, MediaTask, PosterTarget } from './mediaTask.ts';
import { runMediaTask } from './runMediaTask.ts';
import { type ReceivedFile, receiveFile, withTempFolder } from './tempFiles.ts';

/** Maximum pixels of a provider's picture: four times the largest of any model. */
export const maxOutputPixels = 70_000_000;

const pictureFormats = { 'image/png': 'png', 'image/jpeg': 'jpeg', 'image/webp': 'webp' } as const;
const isPicture = (format: string): format is keyof typeof pictureFormats =>
  format in pictureFormats;

/**
 * Creates the function that stores an output: the file is received, checked, stripped of metadata (an MP4 by
 * walking its boxes, a picture by re-encoding), marked as AI-generated, given its manifest, and only then stored.
 */
export function createStoreOutput(deps: {
  store: MediaStore;
  /** Folder of files being processed. */
  tempFolder: string;
  maxOutputBytes: OutputFileLimits;
  log: Pick<Log, 'warn'>;
  /** Signs its manifest; absent if there is none. */
  signer?: ManifestSigner;
  /** Draws its posters while it is stored; absent if there are none. */
  posters?: PosterMaker;
}): StoreOutput {
  return (key, output, expected, signal) =>
    withTempFolder(deps.tempFolder, async (folder) => {
      const received = join(folder, 'received');
      const { accountId, type, format } = expected;
      const maxBytes = deps.maxOutputBytes[type];
      const data = await output.read(signal);
      const file = await receiveFile(received, data, { maxBytes, signal });
      await requireFile(received, file);
      const { signer } = deps;
      const manifest = signer && {
        generator: signer.generator,
        algorithm: signer.algorithm,
        signatureBytes: signer.signatureBytes,
      };
      const { posters } = deps;
      // A picture's posters are drawn from its encoder's pixels.
      const targets = (isPicture(format) && posters?.targets(type, folder)) || undefined;
      const requested = { manifest, posters: targets };
      const finished = join(folder, 'finished');
      const task = taskFor(format, received, finished, requested);
      const owner = { accountId, isOutput: true, ...(signer && { signer }) } as const;
      const media = await runMediaTask(task, owner, signal);
      if (!media.ok) throw new InvalidOutputError(media.reason, file, media.otherType);
      if (media.unsigned !== undefined) {
        const fields = { alert: 'manifest_missing', key, reason: media.unsigned };
        deps.log.warn(fields, 'result is stored without its C2PA manifest');
      }
      if (media.oddities) {
        const fields = { key, oddities: media.oddities };
        deps.log.warn(fields, 'repaired a result before storing it');
      }
      const { mediaType, width, height, seconds, sound, measures = {} } = media;
      if (mediaType !== format) {
        throw new InvalidOutputError(`${mediaType}, not ${format}`, file, mediaType);
      }
      const resultMeasures = {
        ...(width !== undefined && height !== undefined && { width, height }),
        ...(seconds !== undefined && { seconds }),
        ...(sound !== undefined && { sound }),
        ...measures,
      };
      const options = { contentType: format, maxBytes, signal };
      const stop = new AbortController();
      const either = AbortSignal.any([signal, stop.signal]);
      const source = { path: finished, type, maxPixels: maxOutputPixels, folder };
      const drawing = targets ? posters?.drawnWith(media, targets) : posters?.draw(source, either);
      try {
        const stored = await deps.store.put(key, { finished }, options);
        const drawn = (await drawing) ?? null;
        const hasPoster = drawn !== null && (await posters?.store(key, drawn, either)) === true;
        return {
          mediaType: format,
          ...stored,
          ...(hasPoster && { hasPoster: true }),
          measures: resultMeasures,
        };
      } finally {
        // After a failed store, nothing may write into the folder any more.
        stop.abort();
        await drawing;
      }
    });
}

/** @throws InvalidOutputError if nothing or a string arrived in place of a file. */
async function requireFile(path: string, { bytes }: ReceivedFile): Promise<void> {
  if (bytes === 0) throw new InvalidOutputError('an empty file', null);
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, 0);
    const head = buffer.subarray(0, bytesRead);
    if (!looksLikeText(head)) return;
    const start = head.toString('latin1').replace(/\s+/g, ' ').slice(0, 100);
    throw new InvalidOutputError(`a text in place of a file: ${start}`, null);
  } finally {
    await handle.close();
  }
}

function taskFor(
  format: string,
  path: string,
  target: string,
  {
    manifest,
    posters,
  }: { manifest: ManifestRequest | undefined; posters: PosterTarget[] | undefined },
): MediaTask {
  const signed = manifest && { manifest };
  if (format === 'video/mp4') return { task: 'cleanVideo', path, target, ...signed };
  if (!isPicture(format)) throw new Error(`no way to make ${format}`);
  const picture = {
    path,
    target,
    format: pictureFormats[format],
    maxPixels: maxOutputPixels,
    ...signed,
    ...(posters && { posters }),
  };
  return { task: 'encodeImage', ...picture };
}
