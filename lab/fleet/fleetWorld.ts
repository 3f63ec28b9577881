import { type FaultWorld, openFaultWorld } from '../../test/faults/faultWorld.ts';
import { startReplicaSet, type TestReplicaSet } from '../../test/faults/startReplicaSet.ts';
import { type S3Server, startS3Server } from '../../test/s3/s3Server.ts';
import { type FakeArk, startFakeArk } from '../../test/support/fakeArk/fakeArk.ts';
import { statedVideo } from '../../test/support/statedSupport.ts';
import { type SilentProxy, startSilentProxy } from './silentProxy.ts';

/** The environment of a fleet run: three database servers, a store, three providers. */
export interface FleetWorld extends FaultWorld {
  replicas: TestReplicaSet;
  s3: S3Server;
  /** Between the processes and the store. */
  store: SilentProxy;
  /** Generates the videos of `alpha-2.0-mini` and can fall silent; `ark` for `alpha-2.0-fast` does not. */
  silenced: FakeArk;
  close(): Promise<void>;
}

/** Duration of a video, in ms. */
export const videoTakesMs = 8_000;

/** Opens the world on a separate replica set, at production's pace. Every process gets `env`. */
export async function openFleetWorld(
  options: Partial<Pick<Parameters<typeof openFaultWorld>[0], 'env' | 'launch'>> = {},
): Promise<FleetWorld> {
  const closing: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  };
  try {
    const replicas = await startReplicaSet(3, 'fleet');
    closing.push(() => replicas.stop());
    const s3 = await startS3Server();
    closing.push(() => s3.close());
    const { endpoint, bucket, credentials } = s3.options;
    const store = await startSilentProxy(Number(new URL(endpoint ?? '').port));
    closing.push(() => store.close());
    const silenced = await startFakeArk();
    closing.push(() => silenced.close());
    const world = await openFaultWorld({
      ...options,
      uri: replicas.uri,
      routes: (providers) => routesOf(providers, silenced),
      env: {
        MEDIA_STORE: 's3',
        S3_BUCKET: bucket,
        S3_PREFIX: 'fleet',
        S3_ENDPOINT: `http://127.0.0.1:${store.port}`,
        S3_FORCE_PATH_STYLE: 'true',
        S3_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
        S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
        ...options.env,
      },
    });
    closing.push(() => world.close());
    for (const ark of [world.ark, silenced]) {
      ark.script({ on: 'task', plan: { polls: 0, afterMs: videoTakesMs, end: 'succeeded' } });
    }
    return { ...world, replicas, s3, store, silenced, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

function routesOf({ ark, images }: Pick<FaultWorld, 'ark' | 'images'>, silenced: FakeArk): object {
  const http = { allowPrivateNetwork: true, maxConcurrent: 200 };
  const videos = ({ baseURL, mediaHost }: FakeArk) => ({
    kind: 'model-ark',
    apiKeyEnv: 'ARK_API_KEY',
    baseURL,
    mediaHosts: [mediaHost],
    ...http,
  });
  return {
    providers: {
      steady: videos(ark),
      silenced: videos(silenced),
      images: {
        kind: 'ai-sdk',
        package: '@ai-sdk/openai',
        factory: 'createOpenAI',
        ...http,
        apiKeyEnv: 'IMAGES_API_KEY',
        rewriteOrigins: { 'https://api.openai.com': images.origin },
      },
    },
    models: {
      'alpha-2.0-fast': [{ provider: 'steady', model: 'up', does: statedVideo }],
      'alpha-2.0-mini': [{ provider: 'silenced', model: 'up', does: statedVideo }],
      'image-a-2': [{ provider: 'images', model: 'gpt-image-1' }],
    },
  };
}
