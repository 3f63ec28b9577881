import { openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TinyServer } from '../../gateway/providers/test/tinyServer.ts';
import { createLog } from '../../gateway/src/adapters/system/log.ts';
import { image, video } from '../support/bodies.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';
import { statedImage, statedVideo } from '../support/statedSupport.ts';
import { canary, canaryHosts, startCanaryProvider } from './canaryProvider.ts';

/** A gateway whose providers send canaries wherever they can, with the product's own log. */
export interface CanaryWorld {
  provider: TinyServer;
  gateway: TestGateway;
  account: TestAccount;
  /** Every line of the log so far, at the level `debug`. */
  logged(): string[];
  stop(): Promise<void>;
}

const flux = { model: 'image-a-2' };
const pro = { model: 'alpha-2.0-pro' };
/** The order, and its outcome: a status or a code. */
export const canaryCases: [string, string, Record<string, unknown>][] = [
  ['a finished video', 'completed', video({ prompt: 'made' })],
  ['a video refused at submit', 'input_rejected', video({ prompt: 'refused' })],
  ['a video refused after compute', 'output_rejected', video({ prompt: 'failed' })],
  ['a page of a proxy', 'generation_failed', video({ prompt: 'html' })],
  ['a response that cannot be understood', 'generation_failed', video({ prompt: 'odd' })],
  ["another provider's finished video", 'completed', video({ prompt: 'made', ...pro })],
  ["another provider's refusal", 'input_rejected', video({ prompt: 'refused', ...pro })],
  ["another provider's verdict", 'output_rejected', video({ prompt: 'failed', ...pro })],
  ['a look that told nothing, and another', 'completed', video({ prompt: 'later', ...pro })],
  ['done without a file', 'generation_failed', video({ prompt: 'empty', ...pro })],
  ['another page of a proxy', 'generation_failed', video({ prompt: 'html', ...pro })],
  ['a finished image', 'completed', image({ prompt: 'made' })],
  ['an image that was looked for', 'completed', image({ prompt: 'made', ...flux })],
  ['an image refused when looked for', 'input_rejected', image({ prompt: 'refused', ...flux })],
  ['an image withdrawn', 'output_rejected', image({ prompt: 'failed', ...flux })],
  ['an image that failed', 'generation_failed', image({ prompt: 'lost', ...flux })],
  ['an image refused', 'input_rejected', image({ prompt: 'refused' })],
];

/** Starts it. */
export async function startCanaryWorld(): Promise<CanaryWorld> {
  const provider = await startCanaryProvider();
  const folder = await mkdtemp(join(tmpdir(), 'framegate-leaks-'));
  const file = join(folder, 'routes.json');
  const logFile = join(folder, 'log');
  await writeFile(file, JSON.stringify(routes(provider)));
  const log = createLog('debug', openSync(logFile, 'a'));
  const env = { ROUTES_FILE: file, CANARY_KEY: canary('api-key'), POSTERS: 'all' };
  const gateway = await startTestGateway(env, undefined, log);
  return {
    provider,
    gateway,
    account: await gateway.addAccount({ credits: 10_000 }),
    logged() {
      // A warning writes everything before it.
      log.warn({}, 'read by a test');
      return readFileSync(logFile, 'utf8').trimEnd().split('\n');
    },
    async stop() {
      await gateway.stop();
      await provider.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** How an invented model is ordered. */
const cnrySend = {
  duration: { duration: '{s}' },
  resolution: 'resolution',
  ratio: 'aspect_ratio',
  audio: 'generate_audio',
  seed: '@seed',
  firstFrame: 'image_url',
  images: 'image_urls',
};

function routes(provider: TinyServer): object {
  const http = {
    apiKeyEnv: 'CANARY_KEY',
    allowPrivateNetwork: true,
    mediaHosts: ['cnry-media.example'],
    rewriteOrigins: Object.fromEntries(
      [
        ...['https://queue.fal.run', 'https://fal.run', 'https://cnry-ark.example'],
        ...['https://api.bfl.ai', canaryHosts.region, canaryHosts.media],
      ].map((origin) => [origin, provider.origin]),
    ),
  };
  const bfl = { package: '@ai-sdk/black-forest-labs', factory: 'createBlackForestLabs' };
  return {
    providers: {
      'cnry-f': { ...http, kind: 'ai-sdk', package: '@ai-sdk/fal', factory: 'createFal' },
      'cnry-a': { ...http, kind: 'model-ark', baseURL: 'https://cnry-ark.example/api/v3' },
      'cnry-b': { ...http, kind: 'ai-sdk', ...bfl, options: { pollIntervalMillis: 10 } },
    },
    models: {
      'alpha-2.0-mini': [
        {
          provider: 'cnry-f',
          model: 'fal-ai/cnry-model/text-to-video',
          does: statedVideo,
          send: cnrySend,
        },
      ],
      'alpha-2.0-pro': [{ provider: 'cnry-a', model: 'cnry-endpoint', does: statedVideo }],
      'image-b-2': [
        {
          provider: 'cnry-f',
          model: 'fal-ai/cnry-image',
          does: statedImage,
          send: { size: '@size' },
        },
      ],
      'image-a-2': [{ provider: 'cnry-b', model: 'cnry-flux', does: statedImage }],
    },
  };
}
