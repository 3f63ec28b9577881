import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BufferSource, Input, MP4 } from 'mediabunny';
import { json, startTinyServer, type TinyServer } from '../../gateway/providers/test/tinyServer.ts';
import { temporaryFolder } from '../security/temporaryFolder.ts';
import { video } from '../support/bodies.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';
import { runNode } from '../support/runNode.ts';
import { sampleFilm } from '../support/sampleMedia.ts';

/* The longest and a wide video of an operator's own model, through the shipped description of Kling. */

const capabilities = {
  modes: ['text-to-video'],
  duration_seconds: { min: 3, max: 30, default: 30 },
  resolutions: ['1080p', '1440p'],
  aspect_ratios: ['16:9'],
  generate_audio: false,
  max_prompt_length: 500,
  inputs: { image: { max_count: 0 }, video: { max_count: 0 }, audio: { max_count: 0 } },
  negative_prompt: { max_length: 500 },
  guidance: { min: 0, max: 1 },
};
const model = {
  type: 'video',
  display_name: 'Long',
  typical_seconds: 60,
  capabilities,
  pricing: { credits: { '1080p': 1, '1440p': 2 } },
};
const does = {
  modes: ['text-to-video'],
  seconds: { min: 3, max: 30 },
  resolutions: ['1080p', '1440p'],
  aspectRatios: ['16:9'],
  negativePrompt: true,
  guidance: { min: 0, max: 1 },
};
const send = { resolution: { mode: { '1080p': 'pro', '1440p': 'wide' } } };

const folder = temporaryFolder();
let vendor: TinyServer;
let gateway: TestGateway;
let account: TestAccount;

const write = (name: string, content: object) => {
  const file = join(folder(), name);
  writeFileSync(file, JSON.stringify(content));
  return file;
};
/** Settings with these models on sale, over the one route. */
const settings = (models: object) => ({
  MODELS_FILE: write('models.json', { models }),
  ROUTES_FILE: write('routes.json', {
    providers: {
      kling: {
        kind: 'http',
        like: 'kling',
        apiKeyEnv: 'KEY',
        baseURL: vendor.origin,
        allowPrivateNetwork: true,
        mediaHosts: [vendor.host],
      },
    },
    models: { 'long-1': [{ provider: 'kling', model: 'kling-v4', does, send }] },
  }),
  KEY: 'access:secret',
});

beforeAll(async () => {
  const film = await sampleFilm({ width: 2560, height: 1440, seconds: 30, sound: false });
  vendor = await startTinyServer(({ method, path }, response) => {
    const task = { task_id: 'task-1', task_status: 'succeed' };
    const videos = [{ url: `${vendor.origin}/film.mp4` }];
    if (path === '/film.mp4') response.end(film);
    else if (method === 'POST') json(response, 200, { code: 0, data: { task_id: 'task-1' } });
    else json(response, 200, { code: 0, data: { ...task, task_result: { videos } } });
  });
  gateway = await startTestGateway(settings({ 'long-1': model }));
  account = await gateway.addAccount({ credits: 1_000 });
});
afterAll(async () => {
  await gateway.stop();
  await vendor.close();
});

test('a video of 30 seconds in 1440p is ordered with every parameter, and delivered', async () => {
  const parameters = {
    duration_seconds: 30,
    resolution: '1440p',
    aspect_ratio: '16:9',
    negative_prompt: 'blurry hands',
    guidance: 0.7,
  };
  const { status, json: made } = await account.post(
    '/v1/videos',
    video({ model: 'long-1', prompt: 'a long lake', parameters }),
  );
  expect([status, made['error']]).toEqual([202, undefined]);
  const record = await account.untilEnded(String(made['id']));
  expect(record).toMatchObject({
    status: 'completed',
    parameters: { duration_seconds: 30, resolution: '1440p', guidance: 0.7 },
    billing: { cost_credits: 60, status: 'charged' },
  });
  expect(vendor.got.filter(({ method }) => method === 'POST')).toMatchObject([
    {
      path: '/v1/videos/text2video',
      body: {
        model_name: 'kling-v4',
        prompt: 'a long lake',
        duration: '30',
        mode: 'wide',
        aspect_ratio: '16:9',
        negative_prompt: 'blurry hands',
        cfg_scale: 0.7,
      },
    },
  ]);
  const { video_url: url } = record['output'] as { video_url: string };
  using input = new Input({
    formats: [MP4],
    source: new BufferSource(await (await fetch(url)).arrayBuffer()),
  });
  const track = await input.getPrimaryVideoTrack();
  expect([await track?.getDisplayWidth(), await track?.getDisplayHeight()]).toEqual([2560, 1440]);
  expect(await input.computeDuration()).toBeCloseTo(30);
});

test('the checks name values that are sold but sent by no route, and such an order is refused', async () => {
  const wider = {
    ...capabilities,
    modes: ['text-to-video', 'image-to-video'],
    generate_audio: true,
    duration_seconds: { min: 1, max: 30, default: 5 },
    resolutions: ['720p', '1080p', '1440p'],
    aspect_ratios: ['16:9', '21:9'],
    inputs: { ...capabilities.inputs, image: { max_count: 2 } },
    guidance: { min: 0, max: 20 },
  };
  const audio = { numerator: 2, denominator: 1 };
  const pricing = { credits: { '720p': 1, '1080p': 1, '1440p': 2 }, audio };
  const env = settings({ 'long-1': { ...model, capabilities: wider, pricing } });
  const remedy = expect.stringContaining('take it out of MODELS_FILE') as unknown;
  const notSent = [
    ['modes', 'image-to-video'],
    ['resolutions', '720p'],
    ['aspect_ratios', '21:9'],
    ['duration_seconds', '1 to 2'],
    ['generate_audio', 'true'],
    ['inputs.image.max_count', 'more than 0'],
    ['guidance', 'above 1'],
  ].map(([field, value]) => ({ model: 'long-1', field, value, remedy }));

  const routes = await runNode(['gateway/src/admin.ts', 'routes', 'check'], env);
  expect(JSON.parse(routes.stdout)).toMatchObject({ not_sent: notSent });
  expect(routes.stderr).toContain('"field":"duration_seconds","value":"1 to 2"');
  const { MONGODB_URI = '' } = gateway.env;
  const models = await runNode(['gateway/src/admin.ts', 'models', 'check'], {
    ...env,
    MONGODB_URI,
  });
  expect(JSON.parse(models.stdout)).toMatchObject({ below_cost: null, not_sent: notSent });
  expect(models.stderr).toContain('Values that no route sends: 7. See not_sent.');

  const parameters = { resolution: '720p', duration_seconds: 2, aspect_ratio: '21:9', guidance: 5 };
  const command = ['gateway/src/admin.ts', 'routes', 'show', '--model', 'long-1'];
  const shown = await runNode([...command, '--params', JSON.stringify(parameters)], env);
  expect(shown.status).toBe(1);
  for (const name of Object.keys(parameters)) expect(shown.stderr).toContain(name);
});
