import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue, dayMs, hourMs, type Log } from '@framegate/contract';
import { createMedia, type FetchUrl, type MediaOptions } from '@framegate/media';
import { createGuardedFetch } from '../adapters/net/guardedFetch.ts';
import { sampleFolder, sampleHost } from '../adapters/net/sampleHost.ts';
import type { AppCore } from '../application/app.ts';
import { maxOutputBytes } from '../application/ports/media.ts';
import { type Clock, noTraces, type Traces } from '../application/ports/system.ts';
import type { Config } from '../config.ts';
import { mediaKey, posterKey, posterWidths, signInputUrl } from '../domain/generations/mediaUrl.ts';
import type { Secrets } from '../domain/installation/secretVersions.ts';
import { composeManifestSigner } from './provenance.ts';

/** The media store and the only ways to put files into it. */
export interface ComposedMedia {
  files: Pick<
    AppCore,
    'media' | 'takeInputs' | 'storeUpload' | 'fetchUrl' | 'storeOutput' | 'posters' | 'inputUrl'
  >;
  /** Closes the store's connections. */
  stop: () => void;
  /** Logs a warning if the bucket cannot be read. Never throws. */
  check(): Promise<void>;
  /** Removes temporary files left behind by killed processes. */
  removeLeftovers(): Promise<void>;
}

/** Validity of an input's URL for a provider, in ms: the longest run of a video. */
const inputUrlMs = hourMs;

/** Age of temporary files left behind by a dead process, in ms. */
const leftoverMs = dayMs;

/** Limits of single inputs, as shown by /models. */
function fileLimitsOf(): MediaOptions['fileLimits'] {
  const [model] = catalogue;
  if (!model) throw new Error('there is no built-in model');
  return model.inputs;
}

/** Opens the media store and the guarded client in front of it. */
export async function composeMedia(parts: {
  config: Config;
  allSecrets: Secrets;
  clock: Clock;
  log: Log;
  traces?: Traces;
}): Promise<ComposedMedia> {
  const { config, allSecrets, clock, log, traces = noTraces } = parts;
  const { mediaStore } = config;
  // Files in transit are on the local disk, with every kind of store.
  const folder = mediaStore.kind === 'disk' ? mediaStore.folder : join(config.dataDir, 'media');
  const isDemo = config.mode === 'development';
  const extraCa = config.environment('NODE_EXTRA_CA_CERTS');
  const guardedFetch = createGuardedFetch({
    hostOverrides: new Map(Object.entries(config.inputHosts.overrides)),
    bundledHosts: new Map(isDemo ? [[sampleHost, sampleFolder]] : []),
    ...(extraCa !== undefined && { extraCa: [readFileSync(extraCa, 'utf8')] }),
  });
  // The span omits the customer's URL.
  const fetchUrl: FetchUrl = (...request) =>
    traces.runInSpan('input fetch', { kind: 'client' }, () => guardedFetch(...request));
  const media = await createMedia({
    folder,
    s3: mediaStore.kind === 's3' ? mediaStore : null,
    fileLimits: fileLimitsOf(),
    maxOutputBytes,
    inputKey: (name) => mediaKey('inputs', name),
    posters: {
      types: config.posters,
      sizes: posterWidths.map((width) => ({ width, posterKey: (key) => posterKey(key, width) })),
    },
    manifestSigner: composeManifestSigner(parts),
    fetchUrl,
    log,
  });
  return {
    files: {
      media: media.store,
      takeInputs: (...inputs) =>
        traces.runInSpan('inputs copy', {}, () => media.takeInputs(...inputs)),
      storeOutput: (...output) =>
        traces.runInSpan('output fetch', {}, () => media.storeOutput(...output)),
      posters: { types: config.posters, make: media.makePosters },
      storeUpload: media.storeUpload,
      fetchUrl,
      inputUrl: (generationId, index, extension) =>
        signInputUrl({
          mediaUrl: config.urls.media,
          signingKeys: allSecrets.mediaSigningKeys,
          generationId,
          index,
          extension,
          nowMs: clock.now(),
          validMs: inputUrlMs,
        }).url,
    },
    stop: () => {
      media.close();
    },
    async check() {
      if (mediaStore.kind !== 's3') return;
      // The file need not exist: the response "missing" proves access.
      await media.store.open('outputs/none/0.mp4').catch((error: unknown) => {
        log.warn(
          { error },
          'failed to read the bucket in S3_BUCKET: files can be neither stored nor served',
        );
      });
    },
    removeLeftovers: () => media.removeLeftovers(clock.now() - leftoverMs),
  };
}
