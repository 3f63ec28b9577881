import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDiskStore, tempFolderOf } from '../adapters/media/diskStore.ts';
import { createS3Store } from '../adapters/media/s3Store.ts';
import { sampleFolder, sampleHost } from '../adapters/media/sampleHost.ts';
import { createPosterMaker } from '../adapters/media/makePosters.ts';
import { createStoreOutput } from '../adapters/media/storeOutput.ts';
import { removeStaleTempFiles } from '../adapters/media/tempFiles.ts';
import { createTakeInputs, type InputCaps } from '../adapters/media/takeInputs.ts';
import { createTakeUpload } from '../adapters/media/takeUpload.ts';
import { createGuardedFetch } from '../adapters/net/guardedFetch.ts';
import { noTraces, type Clock, type Log, type Traces } from '../application/ports/system.ts';
import type {
  FetchUrl,
  MediaStore,
  StoreOutput,
  TakeInputs,
  TakeUpload,
} from '../application/ports/media.ts';
import type { Config } from '../config.ts';
import { signInputUrl } from '../domain/mediaUrl.ts';
import type { Secrets } from '../domain/secretVersions.ts';

/** The media store and the only ways to put files into it. */
export interface Media {
  store: MediaStore;
  takeInputs: TakeInputs;
  takeUpload: TakeUpload;
  fetchUrl: FetchUrl;
  storeOutput: StoreOutput;
  inputUrl: SignInput;
  /** Closes the store's connections. */
  close(): void;
  /** Logs a warning if the bucket cannot be read. Never throws. */
  check(): Promise<void>;
  /** Removes the temporary files that a killed process left behind. */
  removeLeftovers(): Promise<void>;
}

type SignInput = (generationId: string, index: number, extension: string) => string;

/** How long a provider may read an input by its URL, in ms: the longest run of a video. */
const inputUrlMs = 3600 * 1000;

/** Age of temporary files left behind by a dead process, in ms. */
const leftoverMs = 24 * 3600 * 1000;

/** Limits of single inputs, the same as shown by /models. */
function capsOf({ models }: Config): InputCaps {
  const [model] = models;
  if (!model) throw new Error('the catalogue is empty');
  return model.inputs;
}

/** Opens the media store and the guarded client in front of it. */
export function composeMedia(
  config: Config,
  parts: { secrets: Secrets; clock: Clock; log: Log; traces?: Traces },
): Media {
  const { secrets, clock, log, traces = noTraces } = parts;
  const { mediaStore } = config;
  // Files in transit are on the local disk, whatever the store.
  const folder = mediaStore.kind === 'disk' ? mediaStore.folder : join(config.dataDir, 'media');
  const incoming = tempFolderOf(folder);
  const s3 = mediaStore.kind === 's3' ? createS3Store(mediaStore, incoming) : null;
  const store = s3 ?? createDiskStore(folder);
  const tempFolder = join(folder, 'work');
  const isDemo = config.mode === 'development';
  const extraCa = config.environment('NODE_EXTRA_CA_CERTS');
  const guardedFetch = createGuardedFetch({
    hostOverrides: new Map(Object.entries(config.inputHosts.overrides)),
    bundledHosts: new Map(isDemo ? [[sampleHost, sampleFolder]] : []),
    ...(extraCa !== undefined && { extraCa: [readFileSync(extraCa, 'utf8')] }),
  });
  // The span omits the URL, which is the customer's.
  const fetchUrl: FetchUrl = (...given) =>
    traces.span('input fetch', { kind: 'client' }, () => guardedFetch(...given));
  const caps = capsOf(config);
  const takeInputs = createTakeInputs({ store, fetchUrl, caps, tempFolder });
  const storeOutput = createStoreOutput({
    store,
    tempFolder,
    posters: createPosterMaker({ store, log }, config.posters),
  });
  return {
    store,
    takeInputs: (...given) => traces.span('inputs take over', {}, () => takeInputs(...given)),
    storeOutput: (...given) => traces.span('output take over', {}, () => storeOutput(...given)),
    takeUpload: createTakeUpload({
      store,
      caps,
      tempFolder,
      decodesVideo: config.posters.includes('video'),
    }),
    fetchUrl,
    inputUrl: (generationId, index, extension) =>
      signInputUrl({
        mediaUrl: config.urls.media,
        signingKeys: secrets.mediaSigningKeys,
        generationId,
        index,
        extension,
        nowMs: clock.now(),
        validMs: inputUrlMs,
      }).url,
    close: () => s3?.close(),
    async check() {
      // Any file will do: its absence is an answer as well.
      await s3?.open('outputs/none/0.mp4').catch((error: unknown) => {
        log.warn(
          { error },
          'the bucket of S3_BUCKET cannot be read: files are neither stored nor served',
        );
      });
    },
    async removeLeftovers() {
      const before = clock.now() - leftoverMs;
      await removeStaleTempFiles(incoming, before);
      await removeStaleTempFiles(tempFolder, before);
    },
  };
}
