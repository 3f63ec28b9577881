import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import sharp from 'sharp';
import { image, video } from '../support/bodies.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';
import { startFakeBfl, type Answer, type FakeBfl } from './fakeBfl.ts';
import { bflPlans, fates, protocols, type Fate } from './matrixProtocols.ts';
import { json, startTinyServer, type Got, type TinyServer } from './tinyServer.ts';

const models = {
  fal: ['alpha-2.0-mini', 'fal-ai/x/text-to-video'],
  google: ['beta-3.0', 'veo-3.1-generate-preview'],
  replicate: ['alpha-2.0-fast', 'bytedance/seedance-2.0'],
  alibaba: ['alpha-2.5', 'wan2.6-t2v'],
  xai: ['alpha-2.5-lite', 'grok-imagine-video'],
  ark: ['alpha-2.0-pro', 'seedance-1-5-pro-251215'],
} as const;

let server: TinyServer;
let bfl: FakeBfl;
let folder: string;
let gateway: TestGateway;
let account: TestAccount;

beforeAll(async () => {
  const film = await readFile(join(import.meta.dirname, '../support/fakeArk/sampleVideo.mp4'));
  const background = { r: 1, g: 2, b: 3 };
  const picture = sharp({ create: { width: 64, height: 64, channels: 3, background } }).png();
  const png = await picture.toBuffer();
  const base64 = png.toString('base64');
  bfl = await startFakeBfl(png, 'a-key');
  bfl.plan = (prompt) => bflPlans[fateIn(prompt)];
  const looked = new Map<string, number>();
  server = await startTinyServer((got, response) => {
    if (got.path.startsWith('/1.mp4')) {
      response.writeHead(200, { 'content-type': 'video/mp4' }).end(film);
    } else if (got.path === '/v1/images/generations') answerImage(got, response, base64);
    else answerVideo(got, response, looked);
  });
  folder = await mkdtemp(join(tmpdir(), 'framegate-matrix-'));
  const origins = [
    ...['https://queue.fal.run', 'https://generativelanguage.googleapis.com'],
    ...['https://api.replicate.com', 'https://dashscope-intl.aliyuncs.com', 'https://api.x.ai'],
    ...['https://ark.example', 'https://api.openai.com', 'https://files.example'],
  ];
  const http = {
    ...{ apiKeyEnv: 'KEY', allowPrivateNetwork: true, mediaHosts: ['files.example'] },
    rewriteOrigins: Object.fromEntries(origins.map((origin) => [origin, server.origin])),
  };
  const sdk = (name: string, factory: string) => ({
    ...{ ...http, kind: 'ai-sdk', package: `@ai-sdk/${name}`, factory },
  });
  const providers = {
    fal: sdk('fal', 'createFal'),
    google: sdk('google', 'createGoogle'),
    replicate: sdk('replicate', 'createReplicate'),
    alibaba: sdk('alibaba', 'createAlibaba'),
    xai: sdk('xai', 'createXai'),
    ark: { ...http, kind: 'model-ark', baseURL: 'https://ark.example/api/v3' },
    openai: sdk('openai', 'createOpenAI'),
    bfl: {
      ...sdk('black-forest-labs', 'createBlackForestLabs'),
      ...{ rewriteOrigins: bfl.rewriteOrigins, mediaHosts: ['*.bfl.ai'] },
      options: { pollIntervalMillis: 10 },
    },
  };
  const videoModels = Object.entries(models).map(([provider, [id, model]]) => [
    id,
    [{ provider, model }],
  ]);
  const routes = {
    providers,
    models: {
      ...(Object.fromEntries(videoModels) as object),
      'image-a-2': [{ provider: 'openai', model: 'gpt-image-1' }],
      'image-b-2': [{ provider: 'bfl', model: 'flux-2-pro' }],
    },
  };
  const path = join(folder, 'routes.json');
  await writeFile(path, JSON.stringify(routes));
  gateway = await startTestGateway({ ROUTES_FILE: path, KEY: 'a-key' });
  account = await gateway.addAccount({ credits: 100_000, limits: { running: 100 } });
});

afterAll(async () => {
  await gateway.stop();
  await server.close();
  await bfl.close();
  await rm(folder, { recursive: true });
});

const fateIn = (text: string): Fate =>
  fates.find((fate) => text.includes(`${fate} lake`)) ?? 'made';

function answerVideo(got: Got, response: ServerResponse, looked: Map<string, number>): void {
  const protocol = Object.values(protocols).find(({ path }) => path.test(got.path));
  if (!protocol) throw new Error(`nobody is at ${got.path}`);
  if (got.method === 'POST') {
    const fate = fateIn(JSON.stringify(got.body));
    const id = `${fate}-lake-${String(server.got.length)}`;
    if (fate === 'refused') json(response, ...protocol.refused);
    else json(response, 200, protocol.accepted(id));
    return;
  }
  const id = /\w+-lake-\d+/.exec(got.path)?.[0] ?? '';
  looked.set(id, (looked.get(id) ?? 0) + 1);
  const fate = fateIn(id.replace('-lake', ' lake'));
  // The first look finds it unfinished. Fal says so with a status of failure.
  const status = protocol === protocols['fal'] ? 400 : 200;
  if (looked.get(id) === 1) json(response, status, protocol.pending(id));
  else if (fate !== 'refused') json(response, ...protocol.ended[fate]);
}

function answerImage(got: Got, response: ServerResponse, base64: string): void {
  const fate = fateIn(JSON.stringify(got.body));
  const refusal = { message: 'Rejected by the safety system.', code: 'moderation_blocked' };
  if (fate === 'made') json(response, 200, { created: 1, data: [{ b64_json: base64 }] });
  else if (fate === 'refused') json(response, 400, { error: refusal });
  else json(response, 500, { error: { message: 'The server had an error.' } });
}

/** What a generation shows in the end. */
const shown: Record<Fate, object> = {
  made: { status: 'completed', billing: { status: 'charged' } },
  refused: { status: 'failed', error: { code: 'input_rejected' }, billing: { status: 'refunded' } },
  moderated: {
    ...{ status: 'failed', error: { code: 'output_rejected' }, billing: { status: 'refunded' } },
  },
  failed: {
    status: 'failed',
    error: { code: 'generation_failed' },
    billing: { status: 'refunded' },
  },
};

test.each(Object.entries(models))('%s through a whole gateway', async (provider, [model]) => {
  const make = async (fate: Fate) => {
    const prompt = `${fate} lake`;
    const { status, json: created } = await account.post('/v1/videos', video({ model, prompt }));
    expect([status, created['error']]).toEqual([202, undefined]);
    return account.untilEnded(String(created['id']));
  };
  const records = await Promise.all(fates.map(make));
  expect(records).toMatchObject(fates.map((fate) => shown[fate]));
  // One submit of each, then looks at the same provider: nobody was asked twice.
  const asked = server.got.filter(({ path }) => protocols[provider]?.path.test(path));
  for (const fate of fates) {
    const submits = asked.filter((got) => JSON.stringify(got.body).includes(`${fate} lake`));
    const looks = asked.filter(({ path }) => path.includes(`${fate}-lake`));
    expect([fate, submits.length]).toEqual([fate, 1]);
    // The first look finds it unfinished, the second finds its end.
    expect([fate, looks.length]).toEqual([fate, fate === 'refused' ? 0 : 2]);
  }
});

describe('openai through a whole gateway', () => {
  test.each(['made', 'refused', 'failed'] as const)('%s', async (fate) => {
    const body = image({ model: 'image-a-2', prompt: `${fate} lake` });
    const { json: created } = await account.post('/v1/images', body);
    expect(await account.untilEnded(String(created['id']))).toMatchObject(shown[fate]);
  });
});

describe('black forest labs through a whole gateway', () => {
  const make = async (prompt: string) => {
    const body = image({ model: 'image-b-2', prompt });
    const { json: created } = await account.post('/v1/images', body);
    return account.untilEnded(String(created['id']));
  };

  test('made, refused, moderated and failed', async () => {
    const records = await Promise.all(fates.map((fate) => make(`${fate} lake`)));
    expect(records).toMatchObject(fates.map((fate) => shown[fate]));
    const { api, region, delivery } = bfl.servers;
    expect([api.got.length, region.got.length, delivery.got.length]).toEqual([4, 8, 1]);
  });

  test('a film for a picture is failed and refunded', async () => {
    const film = Buffer.concat([Buffer.from('0000001866747970', 'hex'), Buffer.alloc(64)]);
    const asPng: Answer = (response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(film);
    bfl.plan = () => ({ files: [asPng] });
    expect(await make('a film')).toMatchObject(shown.failed);
  });
});
