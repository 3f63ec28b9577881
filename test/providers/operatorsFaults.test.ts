import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createRoutes, type OpenRoutes } from '../../gateway/providers/src/createRoutes.ts';
import { parseRoutesFile } from '../../gateway/providers/src/routesFile.ts';
import { json, startTinyServer, type TinyServer } from '../../gateway/providers/test/tinyServer.ts';
import { createBreakerStore } from '../../gateway/src/adapters/mongo/providers/providerStores.ts';
import { providerNetwork as network } from '../../gateway/src/adapters/net/guardedConnector.ts';
import { runGeneration } from '../../gateway/src/application/generations/run/runGeneration.ts';
import { takeTestDatabase } from '../support/database.ts';
import { statedImage, statedVideo } from '../support/statedSupport.ts';
import {
  accountOf,
  jobOf,
  openWorkProcess,
  range,
  store,
  workGeneration,
  type WorkProcess,
} from '../support/workWorld.ts';

/*
 * Faults of the operator cost no customer's order, whatever status reports them: another route makes it or it waits,
 * and the operator is alerted once.
 */

const secret = 'a-secret-key';
const database = takeTestDatabase();
const { signal } = new AbortController();
let faulty: TinyServer;
let healthy: TinyServer;
let routes: OpenRoutes;
let work: WorkProcess;
let breakers: ReturnType<typeof createBreakerStore>;
/** The response of the faulty provider. */
let planned: { status: number; body: object };
const good = { status: 200, body: { status: 'queued' } };
/** Tasks given out, for an id of each. */
let tasks = 0;
const withId = (body: object) => ({ id: `task-${String((tasks += 1))}`, ...body });

beforeAll(async () => {
  faulty = await startTinyServer((_, response) =>
    json(response, planned.status, planned === good ? withId(planned.body) : planned.body),
  );
  healthy = await startTinyServer(({ path }, response) => {
    // Images wait there; the request for them is sufficient.
    if (path.includes('images')) json(response, 429, { error: { message: 'busy' } });
    else json(response, 200, withId({ status: 'queued' }));
  });
  const http = { apiKeyEnv: 'KEY', allowPrivateNetwork: true, mediaHosts: ['files.example'] };
  const ark = ({ origin }: TinyServer) => ({ kind: 'model-ark', baseURL: origin, ...http });
  const openai = ({ origin }: TinyServer) => ({
    kind: 'ai-sdk',
    package: '@ai-sdk/openai',
    factory: 'createOpenAI',
    ...http,
    rewriteOrigins: { 'https://api.openai.com': origin },
  });
  const to = (provider: string) => ({ provider, model: 'up', does: statedVideo });
  const toImages = (provider: string) => ({ provider, model: 'gpt-image-2', does: statedImage });
  const file = parseRoutesFile(
    {
      providers: {
        bad: ark(faulty),
        good: ark(healthy),
        'bad-images': openai(faulty),
        'good-images': openai(healthy),
      },
      models: {
        both: [to('bad'), to('good')],
        alone: [to('bad')],
        images: [toImages('bad-images'), toImages('good-images')],
      },
    },
    { KEY: secret },
    [
      { id: 'both', type: 'video' },
      { id: 'alone', type: 'video' },
      { id: 'images', type: 'image' },
    ],
  );
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  routes = await createRoutes({ file, preview: null, log, network, now: Date.now });
  work = await openWorkProcess(database.uri, { routes });
  breakers = createBreakerStore(work.mongo, work.deps.log, 3_000);
  work.deps.breakers = breakers;
});
afterAll(async () => {
  breakers.stop();
  await work.mongo.close();
  await routes.close();
  await Promise.all([faulty.close(), healthy.close()]);
  await database.drop();
});
beforeEach(async () => {
  const names = ['generations', 'accounts', 'accountLookups', 'jobs', 'slots', 'breakers'] as const;
  for (const name of names) await work.mongo.collections[name].deleteMany({});
  await breakers.refresh();
  await addAccounts();
  for (const heard of [faulty.got, healthy.got, work.heard.lines]) heard.splice(0);
});

const find = (id: string) => work.mongo.database.generations.find(id);
const stepOf = async (id: string) => (await find(id))?.step;
const alerts = () =>
  work.heard.lines
    .filter(({ fields }) => 'alert' in fields)
    .map(({ fields, message }) => JSON.stringify({ message, ...fields }));

/** Adds two accounts for a test. */
async function addAccounts(): Promise<void> {
  accounts = [1, 2].map((number) => `acct_${String(orders)}_${String(number)}`);
  const nowMs = work.mongo.clock.now();
  for (const id of accounts) await work.mongo.database.accounts.insert(accountOf(id, nowMs, 20));
}
let accounts: string[];

/** Sends an order of the first or second account to the providers. @returns Its id. */
async function order(model: string, by = 0): Promise<string> {
  const accountId = accounts[by] ?? '';
  const id = `gen_${String((orders += 1))}`;
  const sizes = { resolution: '720p', aspect_ratio: '16:9', duration_seconds: 5 };
  const ofImage = { resolution: '1k', aspect_ratio: '1:1', n: 1, output_format: 'png' };
  const type = model === 'images' ? 'image' : 'video';
  const parameters = { ...(type === 'image' ? ofImage : sizes), seed: 1 } as never;
  const mode = type === 'image' ? null : 'text-to-video';
  const given = { step: 'ready', model, type, mode, parameters } as const;
  await store(work.mongo, [workGeneration(id, accountId, work.mongo.clock.now(), given)]);
  await runGeneration(work.deps, jobOf(id, accountId), signal);
  return id;
}
let orders = 0;

/** Ends all pauses, and sends an order to the providers again. */
async function again(id: string): Promise<void> {
  const stored = work.mongo.collections.breakers;
  await stored.updateMany({}, { $set: { openUntil: new Date(0) }, $inc: { version: 1 } });
  await breakers.refresh();
  const { accountId = '' } = (await find(id)) ?? {};
  await work.mongo.database.generations.move({ id, accountId }, 'parked', {
    step: 'ready',
    dueAt: work.mongo.clock.now(),
  });
  await runGeneration(work.deps, jobOf(id, accountId), signal);
}

/** Faults as reported by providers, with a part of their words. */
const faults: [string, number, object, string][] = [
  ['key', 400, { error: { message: 'API key not valid. Pass a valid one.' } }, 'not valid'],
  ['key', 401, { error: { code: 'AuthenticationError', message: `not ${secret}` } }, 'not <key>'],
  ['account', 400, { code: 'Arrearage', message: 'Access denied.' }, 'Arrearage'],
  ['account', 429, { error: { code: 'x', message: 'insufficient_quota' } }, 'insufficient_quota'],
  ['region', 400, { error: { message: 'User location is not supported.' } }, 'User location'],
  ['model_gone', 410, { error: { message: 'model is shut down' } }, 'shut down'],
];

describe.each(faults)('a fault of the operator (%s, %i)', (verdict, status, body, words) => {
  test('leaves the orders to the next route, and is reported once', async () => {
    planned = { status, body };
    const ids = [await order('both'), await order('both'), await order('both')];
    for (const id of ids) expect(await stepOf(id)).toBe('submitted');
    expect([faulty.got.length, healthy.got.length]).toEqual([1, 3]);
    const told = alerts();
    expect(told).toHaveLength(1);
    for (const part of [`"verdict":"${verdict}"`, words, 'check']) expect(told[0]).toContain(part);
    expect(told.join()).not.toContain(secret);
  });

  test('lets the order wait without another route, until it is corrected', async () => {
    planned = { status, body };
    const id = await order('alone');
    const waiting = await find(id);
    expect(waiting).toMatchObject({ step: 'parked', status: 'queued' });
    expect(waiting?.attempts).toMatchObject([
      { outcome: 'refused', refusedFor: verdict, isFree: true, note: expect.anything() },
    ]);
    expect(waiting?.attempts[0]?.note).toContain(words);
    const closed = await work.mongo.collections.breakers.findOne({ openedAt: { $ne: null } });
    expect(closed?.reason).toMatchObject({ kind: verdict });
    await again(id);
    expect(await stepOf(id)).toBe('parked');
    expect((await find(id))?.attempts).toHaveLength(1);
    planned = good;
    await again(id);
    const outcomes = (await find(id))?.attempts.map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['refused', 'accepted']);
    expect(alerts()).toHaveLength(1);
    const inService = await work.mongo.collections.breakers.findOne({ _id: closed?._id ?? '' });
    expect(inService).toMatchObject({ openedAt: null, reason: null });
  });
});

test.each(['both', 'alone'])(
  'of many orders at once none is lost, with one alert: %s',
  async (model) => {
    planned = { status: 400, body: { error: { message: 'API key not valid.' } } };
    const ids = await Promise.all(range(60).map((i) => order(model, i % 2)));
    const steps = new Set(await Promise.all(ids.map(stepOf)));
    expect([...steps].toSorted()).toEqual(model === 'both' ? ['parked', 'submitted'] : ['parked']);
    expect(alerts()).toHaveLength(1);
  },
);

test.each([
  ['key', 400, { error: { message: 'API key not valid. Please pass a valid API key.' } }],
  ['account', 429, { error: { code: 'insufficient_quota', message: 'You exceeded it.' } }],
  ['model_gone', 410, { error: { message: 'The model was shut down' } }],
])('pictures made in one call survive a fault of the operator (%s)', async (_, status, body) => {
  planned = { status, body };
  expect(await stepOf(await order('images'))).toBe('parked');
  expect([faulty.got.length, healthy.got.length]).toEqual([1, 1]);
});

test.each([
  [400, { error: { message: 'was flagged as sensitive' } }],
  [200, { message: 'refused by our content policy' }],
  [413, { error: { message: 'No.' } }],
])('refused content or input ends the order with its reason (%i)', async (status, body) => {
  planned = { status, body };
  const id = await order('both');
  const code = status === 413 ? 'input_invalid' : 'input_rejected';
  expect(await find(id)).toMatchObject({ status: 'failed', failure: { code } });
  expect([healthy.got.length, alerts().length]).toEqual([0, 0]);
});

describe('a route that refuses orders identically for an unknown reason', () => {
  /** An order that is refused with the same words as the others, but another number. */
  const refused = (model: string, by?: number) => {
    const message = `Request ${String(orders)}x verweigert.`;
    planned = { status: 400, body: { error: { message } } };
    return order(model, by);
  };

  test('leaves them to the next route', async () => {
    for (const i of range(7)) {
      expect(await stepOf(await refused('both', i % 2))).toBe('submitted');
    }
    expect([faulty.got.length, healthy.got.length]).toEqual([5, 7]);
    expect(alerts()).toHaveLength(1);
  });

  test('makes later ones wait, and alerts the operator once', async () => {
    const ids: string[] = [];
    for (const i of range(6)) ids.push(await refused('alone', i % 2));
    const steps = await Promise.all(ids.map(stepOf));
    expect(steps).toEqual(['ended', 'ended', 'ended', 'ended', 'parked', 'parked']);
    expect(faulty.got).toHaveLength(5);
    expect(alerts()).toHaveLength(1);
    for (const part of ['model_circuit_open', 'verweigert']) expect(alerts()[0]).toContain(part);
    planned = good;
    for (const id of ids.slice(4)) await again(id);
    expect(await Promise.all(ids.slice(4).map(stepOf))).toEqual(['submitted', 'submitted']);
    const model = await work.mongo.collections.breakers.findOne({ _id: 'bad up' });
    expect(model).toMatchObject({ openedAt: null, identical: null, reason: null });
  });

  test('holds back only the account whose orders alone are refused', async () => {
    const ids: string[] = [];
    while (ids.length < 7) ids.push(await refused('alone'));
    expect((await Promise.all(ids.map(stepOf))).slice(3)).toEqual([
      ...['ended', 'parked', 'parked', 'parked'],
    ]);
    expect(faulty.got).toHaveLength(5);
    expect(alerts()).toHaveLength(1);
    expect(alerts()[0]).toContain('orders_held_back');
    // They are not called before the decision is renewed.
    expect((await find(ids[6] ?? ''))?.waitsFor?.providers).toEqual(['held back: bad up']);
    planned = good;
    expect(await stepOf(await order('alone', 1))).toBe('submitted');
    await again(ids[5] ?? '');
    expect(await stepOf(ids[5] ?? '')).toBe('submitted');
  });

  test('starts over after an order that was made', async () => {
    for (const i of range(8)) {
      const id = await refused('alone', i % 2);
      expect(await stepOf(id)).toBe('ended');
      if (i % 3 !== 2) continue;
      planned = good;
      expect(await stepOf(await order('alone'))).toBe('submitted');
    }
    expect(alerts()).toEqual([]);
  });
});
