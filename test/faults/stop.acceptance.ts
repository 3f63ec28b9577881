import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { json, startTinyServer, type TinyServer } from '../../gateway/providers/test/tinyServer.ts';
import { image } from '../support/bodies.ts';
import { createTestDatabase } from '../support/database.ts';
import { freePort } from '../support/freePort.ts';
import { requests } from '../support/gateway.ts';
import { samplePicture } from '../support/sampleMedia.ts';
import { until } from '../support/until.ts';
import { type FaultWorld, openFaultWorld, quickTimings } from './faultWorld.ts';
import { testInWholeRun } from './inWholeRun.ts';
import type { GatewayProcess } from './startGatewayProcess.ts';

const database = createTestDatabase();
let provider: TinyServer;
let folder: string;
let world: FaultWorld;
let apiKey: string;
/** Unanswered image calls, and how many of those their caller gave up. */
let held: ServerResponse[] = [];
let cut = 0;
let picture: string;

beforeAll(async () => {
  picture = (await samplePicture()).toString('base64');
  provider = await startTinyServer((_order, response) => {
    held.push(response);
    response.on('close', () => {
      if (!response.writableEnded) cut += 1;
    });
  });
  folder = await mkdtemp(join(tmpdir(), 'framegate-stop-'));
  const file = join(folder, 'routes.json');
  const openAi = {
    kind: 'ai-sdk',
    package: '@ai-sdk/openai',
    factory: 'createOpenAI',
    apiKeyEnv: 'IMAGES_KEY',
    allowPrivateNetwork: true,
    rewriteOrigins: { 'https://api.openai.com': provider.origin },
  };
  const models = { 'image-a-2': [{ provider: 'o', model: 'gpt-image-1' }] };
  await writeFile(file, JSON.stringify({ providers: { o: openAi }, models }));
  const env = { ROUTES_FILE: file, IMAGES_KEY: 'secret' };
  world = await openFaultWorld({ uri: database.uri, timings: quickTimings, env });
  ({ apiKey } = await world.addAccount(10_000));
}, 120_000);

afterEach(() => {
  held = [];
  cut = 0;
});

afterAll(async () => {
  await world.close();
  await provider.close();
  await rm(folder, { recursive: true });
  await database.drop();
});

const respond = (response: ServerResponse) =>
  json(response, 200, { created: 1, data: [{ b64_json: picture }] });

/** Orders an image through a process. @returns Its id. */
async function order({ origin }: GatewayProcess): Promise<string> {
  const body = image({ model: 'image-a-2' });
  const { status, json: record } = await requests(origin, apiKey).post('/v1/images', body);
  expect(status).toBe(202);
  return String(record['id']);
}

const stateOf = async (id: string) => {
  const found = await world.mongo.database.generations.find(id);
  return [found?.step, found?.status];
};

test('an image call in progress is finished at a stop, and a second process takes new work', async () => {
  const port = String(await freePort());
  const first = await world.start({ METRICS_PORT: port });
  const id = await order(first);
  await until(() => held.length === 1, 'the provider has it');
  const isReady = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ status }) => status);
  expect(await isReady()).toBe(200);
  const stopped = first.stop();
  // It immediately stops taking work, although its image is still awaited.
  await until(async () => {
    const asked = fetch(`${first.origin}/healthz`).then((response) => response.body?.cancel());
    return asked.then(
      () => false,
      () => true,
    );
  }, 'it refuses connections');
  expect(await isReady()).toBe(503);
  const second = await world.start();
  const later = await order(second);
  await until(() => held.length === 2, 'the second takes it');
  expect(first.isAlive()).toBe(true);
  held.forEach(respond);
  await stopped;
  expect(cut).toBe(0);
  expect(await stateOf(id)).toEqual(['ended', 'completed']);
  await requests(second.origin, apiKey).untilEnded(later);
  await second.stop();
}, 120_000);

test('STOP_GRACE_SECONDS ends longer work', async () => {
  const impatient = await world.start({ STOP_GRACE_SECONDS: '1' });
  await order(impatient);
  await until(() => held.length === 1, 'the provider has it');
  // The setting's default, 200 s, is longer than this test may take.
  await impatient.stop();
  expect(cut).toBe(1);
}, 120_000);

test('during STOP_PAUSE_SECONDS it reports not ready, still answers, and starts no work', async () => {
  const leaving = await world.start({ STOP_PAUSE_SECONDS: '300' });
  void leaving.stop();
  const isReady = async () => (await fetch(`${leaving.origin}/readyz`)).status;
  await until(async () => (await isReady()) === 503, 'it is not ready');
  const id = await order(leaving);
  const second = await world.start();
  await until(() => held.length === 1, 'the second takes it');
  leaving.signal('SIGKILL');
  held.forEach(respond);
  await requests(second.origin, apiKey).untilEnded(id);
  const given = (await world.mongo.database.generations.find(id))?.timeline.find(({ what }) =>
    what.startsWith('submitted to'),
  );
  expect(given?.process).toMatch(new RegExp(` ${second.pid}$`));
  await second.stop();
}, 120_000);

test('an idle process ends immediately', async () => {
  const idle = await world.start({ STOP_GRACE_SECONDS: '3600' });
  // Its grace is longer than this test may take.
  await idle.stop();
}, 120_000);

testInWholeRun(
  'an image call is waited for longer than requests are',
  async () => {
    const patient = await world.start();
    const id = await order(patient);
    await until(() => held.length === 1, 'the provider has it');
    const before = performance.now();
    const stopped = patient.stop();
    await until(() => performance.now() - before > 35_000, 'a long call is over');
    held.forEach(respond);
    await stopped;
    expect(cut).toBe(0);
    expect(await stateOf(id)).toEqual(['ended', 'completed']);
  },
  240_000,
);
