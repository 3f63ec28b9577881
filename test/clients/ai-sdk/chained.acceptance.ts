import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestAccount, type TestGateway } from '../../support/gateway.ts';
import { type ClientWorld, startClientWorld } from '../support/clientWorld.ts';
import { installProvider, packageFolder } from './aiProgram.ts';

/* A Framegate with another one as its provider, by the routes of the README. */

let world: ClientWorld;
let outer: TestGateway;
let upstream: TestAccount;
let account: TestAccount;

beforeAll(async () => {
  world = await startClientWorld();
  await installProvider(world.folder);
  upstream = await world.addAccount({ credits: 1000 });
  const readme = await readFile(join(packageFolder, 'README.md'), 'utf8');
  const [, sample = ''] = /```json\n(.*?)```/s.exec(readme) ?? [];
  const origin = new URL(world.baseUrl);
  const routes = JSON.parse(
    sample
      .replaceAll('https://upstream.example.com', origin.origin)
      .replaceAll('upstream.example.com', origin.host)
      .replace('"kind": "ai-sdk"', '"kind": "ai-sdk", "allowPrivateNetwork": true'),
  ) as { models: Record<string, { options?: object }[]> };
  Object.assign(routes.models['image-b-2']?.[0] ?? {}, {
    options: { parameters: { output_format: 'jpeg' } },
  });
  const file = join(world.folder, 'outer.json');
  await writeFile(file, JSON.stringify(routes));
  outer = await startTestGateway({
    ROUTES_FILE: file,
    PROVIDERS_DIR: world.folder,
    UPSTREAM_KEY: upstream.apiKey,
  });
  account = await outer.addAccount({ credits: 1000 });
});
afterAll(async () => {
  await outer.stop();
  await world.stop();
});

const creates = () => world.line.seen.filter(({ method }) => method === 'POST');

async function make(path: string, body: object): Promise<Record<string, unknown>> {
  world.line.reset();
  const { status, json } = await account.post(path, body);
  expect(status).toBe(202);
  return account.untilEnded(String(json['id']));
}

const video = { model: 'alpha-2.0-fast', mode: 'text-to-video', prompt: 'A paper boat' };

test('a video is ordered once, with the reference of the generation as its key', async () => {
  const parameters = { aspect_ratio: '9:16', resolution: '480p', generate_audio: true };
  const record = await make('/v1/videos', { ...video, parameters });
  expect(record).toMatchObject({ status: 'completed' });
  const [create, ...others] = creates();
  expect(others).toEqual([]);
  expect(create?.headers['idempotency-key']).toContain(String(record['id']));
  const sent = JSON.parse(create?.body ?? '') as object;
  expect(sent).toMatchObject({ ...video, parameters });
  const { urls } = record['output'] as { urls: string[] };
  const bytes = Buffer.from(await (await fetch(urls[0] ?? '')).arrayBuffer());
  expect(bytes.subarray(4, 8).toString()).toBe('ftyp');
});

test('a create whose response is lost is repeated and paid once upstream', async () => {
  const before = await world.available(upstream);
  world.line.reset();
  const { json } = await (async () => {
    world.line.disturb({ method: 'POST', path: '/videos', cut: true, forwarded: true });
    return account.post('/v1/videos', video);
  })();
  expect(await account.untilEnded(String(json['id']))).toMatchObject({ status: 'completed' });
  expect(creates()).toHaveLength(2);
  expect(new Set(creates().map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(before - (await world.available(upstream))).toBe(50);
});

test.each([
  ['lost', { cut: true }],
  ['replaced by a page', { response: { status: 200, body: '<html>' } }],
])('images whose response is %s are paid once upstream', async (_, trouble) => {
  const before = await world.available(upstream);
  world.line.reset();
  world.line.disturb({ method: 'POST', path: '/images', forwarded: true, ...trouble });
  const { json } = await account.post('/v1/images', { model: 'image-b-2', prompt: 'A lighthouse' });
  await account.untilEnded(String(json['id']));
  expect(new Set(creates().map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(before - (await world.available(upstream))).toBe(6);
});

test("images are made by one create upstream, with the operator's options", async () => {
  const parameters = { n: 2, aspect_ratio: '16:9' };
  const order = { model: 'image-b-2', prompt: 'A lighthouse', parameters };
  const record = await make('/v1/images', order);
  expect(record).toMatchObject({ status: 'completed' });
  expect(creates()).toHaveLength(1);
  const sent = JSON.parse(creates()[0]?.body ?? '') as object;
  expect(sent).toMatchObject({ parameters: { ...parameters, output_format: 'jpeg' } });
  expect((record['output'] as { urls: string[] }).urls).toHaveLength(2);
});

test('the reason of the upstream for a failure is passed on, and the credits are refunded', async () => {
  const fault = { kind: 'error', status: 400, code: 'InputTextSensitiveContentDetected' } as const;
  world.ark.script({ on: 'submit', prompt: 'A boat, refused', fault });
  expect(await make('/v1/videos', { ...video, prompt: 'A boat, refused' })).toMatchObject({
    status: 'failed',
    error: { code: 'input_rejected' },
    billing: { status: 'refunded' },
  });
});

test('the same holds for images', async () => {
  world.line.reset();
  const error = { code: 'output_rejected', message: 'The output was rejected.', retryable: true };
  const billing = { status: 'refunded' };
  const id = 'gen_00000000000000000000000000';
  const failed = { id, object: 'generation', status: 'failed', error, billing };
  const response = { status: 202, body: failed };
  world.line.disturb({ method: 'POST', path: '/images', response });
  const { json } = await account.post('/v1/images', { model: 'image-b-2', prompt: 'A lighthouse' });
  expect(await account.untilEnded(String(json['id']))).toMatchObject({
    status: 'failed',
    error: { code: 'output_rejected' },
    billing: { status: 'refunded' },
  });
});
