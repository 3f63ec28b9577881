import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import sharp from 'sharp';
import { dialectOf } from '../../gateway/src/adapters/providers/aiSdk/dialects.ts';
import { arkDialect } from '../../gateway/src/adapters/providers/modelArk/arkDialect.ts';
import { chargeOf } from '../../gateway/src/domain/cost.ts';
import type { Attempt } from '../../gateway/src/domain/generation.ts';
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

/** The table of docs/providers.md: the cells of each provider, by its name there. */
const table = new Map(
  readFileSync(new URL('../../docs/providers.md', import.meta.url), 'utf8')
    .split('## What was run')[1]
    ?.split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, name = '', ...cells]) => [name, cells.slice(0, -1)]),
);

/** A prompt whose order gets no answer: the connection is closed. */
const vanished = 'vanished lake';

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
  bfl.plan = (prompt) =>
    prompt === vanished ? { submit: (response) => response.destroy() } : bflPlans[fateIn(prompt)];
  const looked = new Map<string, number>();
  server = await startTinyServer((got, response) => {
    if (got.path.startsWith('/1.mp4')) {
      response.writeHead(200, { 'content-type': 'video/mp4' }).end(film);
    } else if (JSON.stringify(got.body ?? '').includes(vanished)) response.destroy();
    else if (got.path === '/v1/images/generations') answerImage(got, response, base64);
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
    [{ provider, model, cost: { currency: 'USD', perSecond: 0.1 } }],
  ]);
  const perImage = { currency: 'USD', perImage: 0.04 };
  const routes = {
    providers,
    models: {
      ...(Object.fromEntries(videoModels) as object),
      'image-a-2': [{ provider: 'openai', model: 'gpt-image-1', cost: perImage }],
      'image-b-2': [{ provider: 'bfl', model: 'flux-2-pro', cost: perImage }],
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
  else {
    const error = { message: 'Image generation failed.', code: 'image_generation_user_error' };
    json(response, 400, { error });
  }
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

const dialectFor = (name: string) =>
  dialectOf({ package: name, calls: {} } as Parameters<typeof dialectOf>[0]);

/** What a provider is called in the table, and whether it offers to cancel a job. */
const shownAs = {
  fal: ['fal', dialectFor('@ai-sdk/fal')],
  google: ['Google', dialectFor('@ai-sdk/google')],
  replicate: ['Replicate', dialectFor('@ai-sdk/replicate')],
  alibaba: ['Alibaba', dialectFor('@ai-sdk/alibaba')],
  xai: ['xAI', dialectFor('@ai-sdk/xai')],
  ark: ['ModelArk', arkDialect],
  openai: ['OpenAI images', dialectFor('@ai-sdk/openai')],
  bfl: ['Black Forest Labs images', dialectFor('@ai-sdk/black-forest-labs')],
} as const;

/** Makes one of each, and one that gets no answer. @returns what the API shows, and what is kept. */
async function makeAll(
  path: string,
  bodyOf: (prompt: string) => Record<string, unknown>,
  of: readonly Fate[] = fates,
) {
  const make = async (prompt: string) => {
    const { status, json: created } = await account.post(path, bodyOf(prompt));
    expect([status, created['error']]).toEqual([202, undefined]);
    const id = String(created['id']);
    const record = await account.untilEnded(id);
    const found = await gateway.gateway.database.collections.generations.findOne({ _id: id });
    return { record, attempts: found?.['attempts'] as Attempt[] };
  };
  const made = await Promise.all([...of.map((fate) => `${fate} lake`), vanished].map(make));
  expect(made.map(({ record }) => record)).toMatchObject([
    ...of.map((fate) => shown[fate]),
    shown.failed,
  ]);
  return made;
}

/** The provider's line in the table, of what was seen here. */
function expectRow(
  provider: keyof typeof shownAs,
  made: Awaited<ReturnType<typeof makeAll>>,
  of: readonly Fate[] = fates,
): void {
  const [name, dialect] = shownAs[provider];
  const codeOf = (fate: Fate) => {
    const record = made[of.indexOf(fate)]?.record['error'] as { code: string } | undefined;
    return record ? `\`${record.code}\`` : '-';
  };
  const attempts = made.flatMap((each) => each.attempts);
  const isOnce = made.every((each) => each.attempts.length === 1);
  const isCounted = attempts.every(({ cost }) => cost !== null && cost !== undefined);
  const charges = new Set(attempts.map((each) => `${each.outcome} ${chargeOf(each)}`));
  expect(charges).toContain('completed charged');
  expect(charges).toContain('unknown possible');
  const reports = attempts.some(({ reported }) => reported !== undefined);
  expect([name, table.get(name)]).toEqual([
    name,
    [
      isOnce ? 'yes' : 'no',
      ...[codeOf('refused'), codeOf('moderated'), codeOf('failed')],
      made.at(-1)?.attempts[0]?.outcome === 'unknown' ? 'refunded, not repeated' : 'no',
      'cancelRequest' in dialect ? 'asked' : 'not offered',
      isCounted ? `stated${reports ? ' and reported' : ''}` : 'no',
    ],
  ]);
}

test.each(Object.entries(models))('%s through a whole gateway', async (provider, [model]) => {
  const made = await makeAll('/v1/videos', (prompt) => video({ model, prompt }));
  // One submit of each, then looks at the same provider: nobody was asked twice.
  const asked = server.got.filter(({ path }) => protocols[provider]?.path.test(path));
  const submitsOf = (prompt: string) =>
    asked.filter((got) => JSON.stringify(got.body ?? '').includes(prompt)).length;
  for (const fate of fates) {
    const looks = asked.filter(({ path }) => path.includes(`${fate}-lake`));
    expect([fate, submitsOf(`${fate} lake`)]).toEqual([fate, 1]);
    // The first look finds it unfinished, the second finds its end.
    expect([fate, looks.length]).toEqual([fate, fate === 'refused' ? 0 : 2]);
  }
  expect(submitsOf(vanished)).toBe(1);
  expectRow(provider as keyof typeof models, made);
});

test('openai through a whole gateway', async () => {
  const of = ['made', 'refused', 'failed'] as const;
  const bodyOf = (prompt: string) => image({ model: 'image-a-2', prompt });
  const made = await makeAll('/v1/images', bodyOf, of);
  expect(server.got.filter(({ path }) => path === '/v1/images/generations')).toHaveLength(4);
  expectRow('openai', made, of);
});

describe('black forest labs through a whole gateway', () => {
  const bodyOf = (prompt: string) => image({ model: 'image-b-2', prompt });

  test('made, refused, moderated, failed and without an answer', async () => {
    const made = await makeAll('/v1/images', bodyOf);
    const { api, region, delivery } = bfl.servers;
    expect([api.got.length, region.got.length, delivery.got.length]).toEqual([5, 8, 1]);
    expectRow('bfl', made);
  });

  test('a film for a picture is failed and refunded', async () => {
    const film = Buffer.concat([Buffer.from('0000001866747970', 'hex'), Buffer.alloc(64)]);
    const asPng: Answer = (response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(film);
    bfl.plan = () => ({ files: [asPng] });
    const { json: created } = await account.post('/v1/images', bodyOf('a film'));
    expect(await account.untilEnded(String(created['id']))).toMatchObject(shown.failed);
  });
});
