import { join } from 'node:path';
import type { Log } from '@framegate/contract';
import { createDiskStore, tempFolderOf } from './diskStore.ts';
import { createPosterMaker } from './makePosters.ts';
import type { ManifestSigner } from './manifestSigner.ts';
import type {
  FetchUrl,
  InputFileLimits,
  InputKey,
  Media,
  OutputFileLimits,
  PosterOptions,
} from './media.ts';
import type { S3StoreOptions } from './s3Store.ts';
import { createStoreOutput, maxOutputPixels } from './storeOutput.ts';
import { createStoreUpload } from './storeUpload.ts';
import { createTakeInputs } from './takeInputs.ts';
import { removeStaleTempFiles } from './tempFiles.ts';

/** Dependencies of the media store and of the work on its files. */
export interface MediaOptions {
  /** Folder on the local disk for files in transit, and for the store if there is no bucket. */
  folder: string;
  /** The bucket of the store; null for the folder. */
  s3: S3StoreOptions | null;
  fileLimits: InputFileLimits;
  maxOutputBytes: OutputFileLimits;
  inputKey: InputKey;
  posters: PosterOptions;
  /** Null if results get no manifest. */
  manifestSigner: ManifestSigner | null;
  fetchUrl: FetchUrl;
  log: Pick<Log, 'warn'>;
}

/** Opens the media store and the ways to put files into it. Children start only with the first file. */
export async function createMedia(options: MediaOptions): Promise<Media> {
  const {
    folder,
    s3: bucket,
    fileLimits,
    maxOutputBytes,
    inputKey,
    posters,
    fetchUrl,
    log,
  } = options;
  const { manifestSigner: signer } = options;
  const incoming = tempFolderOf(folder);
  const tempFolder = join(folder, 'work');
  const s3 = bucket && (await import('./s3Store.ts')).createS3Store(bucket, incoming);
  const store = s3 ?? createDiskStore(folder);
  const poster = createPosterMaker(
    { store, log, tempFolder, maxPixels: maxOutputPixels, maxBytes: maxOutputBytes },
    posters,
  );
  const decodesVideo = posters.types.includes('video');
  return {
    store,
    takeInputs: createTakeInputs({ store, fetchUrl, fileLimits, inputKey, tempFolder }),
    storeUpload: createStoreUpload({ store, fileLimits, tempFolder, decodesVideo }),
    storeOutput: createStoreOutput({
      store,
      tempFolder,
      maxOutputBytes,
      log,
      ...(signer && { signer }),
      posters: poster,
    }),
    makePosters: poster.make,
    async removeLeftovers(beforeMs) {
      await removeStaleTempFiles(incoming, beforeMs);
      await removeStaleTempFiles(tempFolder, beforeMs);
    },
    close: () => s3?.close(),
  };
}
