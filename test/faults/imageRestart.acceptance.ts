import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type FakeBfl, startFakeBfl, task } from '../../gateway/providers/test/fakeBfl.ts';
import { json, startTinyServer, type TinyServer } from '../../gateway/providers/test/tinyServer.ts';
import { image } from '../support/bodies.ts';
import { createTestDatabase } from '../support/database.ts';
import { requests } from '../support/gateway.ts';
import { samplePicture } from '../support/sampleMedia.ts';
import { until } from '../support/until.ts';
import { type FaultWorld, openFaultWorld, quickTimings } from './faultWorld.ts';

const database = createTestDatabase();
let provider: TinyServer;
let bfl: FakeBfl;
let folder: string;
let world: FaultWorld;
/** Unanswered requests for images. */
let held: ServerResponse[] = [];
let isHolding = true;

beforeAll(async () => {
  const picture = await samplePicture();
  provider = await startTinyServer(({ body }, response) => {
    if (isHolding) {
      held.push(response);
    } else {
      const { n = 1 } = body as { n?: number };
      const one = { b64_json: picture.toString('base64') };
      json(response, 200, { created: 1, data: Array.from({ length: n }, () => one) });
    }
  });
  bfl = await startFakeBfl(picture, 'secret');
  folder = await mkdtemp(join(tmpdir(), 'framegate-images-'));
  const routes = {
    providers: {
      o: {
        kind: 'ai-sdk',
        package: '@ai-sdk/openai',
        factory: 'createOpenAI',
        apiKeyEnv: 'IMAGES_KEY',
        allowPrivateNetwork: true,
        rewriteOrigins: { 'https://api.openai.com': provider.origin },
      },
      b: {
        kind: 'ai-sdk',
        package: '@ai-sdk/black-forest-labs',
        factory: 'createBlackForestLabs',
        options: { pollIntervalMillis: 20 },
        apiKeyEnv: 'IMAGES_KEY',
        allowPrivateNetwork: true,
        mediaHosts: ['*.bfl.ai'],
        rewriteOrigins: bfl.rewriteOrigins,
      },
    },
    models: {
      'image-a-2': [{ provider: 'o', model: 'gpt-image-1' }],
      'image-b-2': [{ provider: 'b', model: 'flux-2-pro' }],
    },
  };
  const file = join(folder, 'routes.json');
  await writeFile(file, JSON.stringify(routes));
  const env = { ROUTES_FILE: file, IMAGES_KEY: 'secret' };
  world = await openFaultWorld({ uri: database.uri, timings: quickTimings, env });
});

afterAll(async () => {
  await world.close();
  await provider.close();
  await bfl.close();
  await rm(folder, { recursive: true });
  await database.drop();
});

test('images whose process was killed in the middle are failed and refunded, never bought twice', async () => {
  const first = await world.start();
  const { apiKey } = await world.addAccount(1000);
  const before = requests(first.origin, apiKey);
  const body = image({ model: 'image-a-2', parameters: { n: 3 } });
  const created = await before.post('/v1/images', body);
  expect(created.status).toBe(202);
  const id = String(created.json['id']);
  await until(() => held.length === 1);
  expect((await before.get(`/v1/generations/${id}`)).json).toMatchObject({ status: 'processing' });
  first.signal('SIGKILL');
  await first.ended;

  isHolding = false;
  held = [];
  const second = await world.start();
  const after = requests(second.origin, apiKey);
  expect(await after.untilEnded(id)).toMatchObject({
    status: 'failed',
    error: { code: 'generation_failed', retryable: true },
    billing: { status: 'refunded', refunded_credits: 24 },
  });
  expect(provider.got).toHaveLength(1);
  expect((await after.get('/v1/credits/balance')).json).toMatchObject({
    available: 1000,
    in_flight: 0,
  });
  const { attempts } = (await world.mongo.database.generations.find(id)) ?? {};
  expect(attempts).toMatchObject([{ provider: 'o', outcome: 'unknown' }]);

  // The new process creates the next order, with all its images.
  const next = await after.post('/v1/images', body);
  const record = await after.untilEnded(String(next.json['id']));
  expect(record).toMatchObject({ status: 'completed', billing: { cost_credits: 24 } });
  expect((record['output'] as { image_urls: string[] }).image_urls).toHaveLength(3);
  expect(provider.got).toHaveLength(2);
  second.signal('SIGKILL');
  await second.ended;
});

test('images whose process was killed while it waited for a task are failed, refunded and not made again', async () => {
  bfl.plan = () => ({ polls: [task('Pending')] });
  const first = await world.start();
  const { apiKey } = await world.addAccount(1000);
  const body = image({ model: 'image-b-2' });
  const created = await requests(first.origin, apiKey).post('/v1/images', body);
  const id = String(created.json['id']);
  const { api, region } = bfl.servers;
  await until(() => region.got.length > 1);
  first.signal('SIGKILL');
  await first.ended;

  bfl.plan = () => ({});
  const second = await world.start();
  const after = requests(second.origin, apiKey);
  expect(await after.untilEnded(id)).toMatchObject({
    status: 'failed',
    error: { code: 'generation_failed', retryable: true },
    billing: { status: 'refunded', refunded_credits: 6 },
  });
  const { attempts } = (await world.mongo.database.generations.find(id)) ?? {};
  expect([attempts?.map(({ outcome }) => outcome), api.got.length]).toEqual([['unknown'], 1]);
  const next = await after.post('/v1/images', body);
  expect(await after.untilEnded(String(next.json['id']))).toMatchObject({ status: 'completed' });
});
