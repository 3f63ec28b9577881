import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createRoutes, type OpenRoutes } from '../../gateway/providers/src/createRoutes.ts';
import { parseRoutesFile } from '../../gateway/providers/src/routesFile.ts';
import { json, startTinyServer, type TinyServer } from '../../gateway/providers/test/tinyServer.ts';
import { createBreakerStore } from '../../gateway/src/adapters/mongo/providers/providerStores.ts';
import { providerNetwork as network } from '../../gateway/src/adapters/net/guardedConnector.ts';
import { runGeneration } from '../../gateway/src/application/generations/run/runGeneration.ts';
import { takeTestDatabase } from '../support/database.ts';
import { statedVideo } from '../support/statedSupport.ts';
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
 * A provider with several keys, in two processes: they take turns, one that is refused pauses alone, and an
 * operation is polled with the key that ordered it.
 */

const secrets = { ONE: 'secret-one', TWO: 'secret-two', THREE: 'secret-three' };
/** The provider's response to an order with each secret. */
let refusedWith: Record<string, number>;
/** Tasks by the secret that made them: another one does not find them. */
const tasks = new Map<string, string>();

const database = takeTestDatabase();
let server: TinyServer;
let routes: OpenRoutes;
let processes: WorkProcess[];
let first: WorkProcess;
const { signal } = new AbortController();

beforeAll(async () => {
  server = await startTinyServer(({ method, path, headers }, response) => {
    const secret = String(headers.authorization).replace('Bearer ', '');
    const refused = refusedWith[secret];
    const id = method === 'POST' ? `task-${String(tasks.size)}` : (path.split('/').at(-1) ?? '');
    if (method === 'POST' && refused !== undefined) {
      json(response, refused, { error: { code: 'Refused', message: 'not with this key' } });
    } else if (method === 'POST') {
      tasks.set(id, secret);
      json(response, 200, { id });
    } else if (tasks.get(id) === secret) {
      json(response, 200, { id, status: 'running' });
    } else {
      json(response, 404, { error: { code: 'NotFound', message: 'no such task' } });
    }
  });
  const http = { allowPrivateNetwork: true, mediaHosts: ['files.example'] };
  const file = parseRoutesFile(
    {
      providers: {
        p: {
          kind: 'model-ark',
          apiKeyEnvs: Object.keys(secrets),
          baseURL: server.origin,
          ...http,
        },
      },
      models: { m: [{ provider: 'p', model: 'up', does: statedVideo }] },
    },
    secrets,
    [{ id: 'm', type: 'video' }],
  );
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  routes = await createRoutes({ file, preview: null, log, network, now: Date.now });
  processes = await Promise.all([1, 2].map(() => openWorkProcess(database.uri, { routes })));
  for (const { mongo, deps } of processes) {
    deps.breakers = createBreakerStore(mongo, deps.log, 3_000);
  }
  first = processes[0] as WorkProcess;
});
afterAll(async () => {
  for (const { mongo, deps } of processes) {
    (deps.breakers as ReturnType<typeof createBreakerStore>).stop();
    await mongo.close();
  }
  await routes.close();
  await server.close();
  await database.drop();
});
beforeEach(async () => {
  refusedWith = {};
  tasks.clear();
  server.got.splice(0);
  for (const name of [
    'generations',
    'accounts',
    'accountLookups',
    'providerTasks',
    'jobs',
    'slots',
    'breakers',
  ] as const) {
    await first.mongo.collections[name].deleteMany({});
  }
  for (const { deps, heard } of processes) {
    await (deps.breakers as ReturnType<typeof createBreakerStore>).refresh();
    heard.lines.splice(0);
  }
});

const ordered = (secret: string) =>
  server.got.filter(
    ({ method, headers }) => method === 'POST' && headers.authorization === `Bearer ${secret}`,
  ).length;
const find = (id: string) => first.mongo.database.generations.find(id);

/** Submits this many generations in order, by the two processes in turn. */
async function give(count: number): Promise<string[]> {
  const nowMs = first.mongo.clock.now();
  const ids = range(count).map((index) => `gen_${String(index)}`);
  await first.mongo.database.accounts.insert(accountOf('acct_1', nowMs, count));
  const parameters = { resolution: '720p', aspect_ratio: '16:9', duration_seconds: 5 } as never;
  await store(
    first.mongo,
    ids.map((id) => workGeneration(id, 'acct_1', nowMs, { step: 'ready', parameters })),
  );
  for (const [index, id] of ids.entries()) {
    await runGeneration((processes[index % 2] as WorkProcess).deps, jobOf(id), signal);
  }
  return ids;
}

test.each([401, 402])('take turns, and one that answers %i pauses alone', async (status) => {
  refusedWith = { 'secret-two': status };
  const ids = await give(12);
  // Each process notices it at most once; then the other one also knows.
  expect([1, 2]).toContain(ordered('secret-two'));
  for (const secret of ['secret-one', 'secret-three']) {
    expect(ordered(secret)).toBeGreaterThanOrEqual(3);
  }
  for (const id of ids) {
    const generation = await find(id);
    expect(generation).toMatchObject({ step: 'submitted', providerSlot: 'p' });
    // Polled by whichever process, it is found: with the key that ordered it.
    const { operation, key } = generation?.attempts.at(-1) ?? {};
    expect(
      await routes.find('p', 'up')?.poll(operation, {} as never, signal, 'provider', key),
    ).toEqual({ kind: 'pending' });
  }
  const { breakers } = first.mongo.collections;
  expect(await breakers.findOne({ _id: 'p' })).toBeNull();
  expect(await breakers.findOne({ _id: 'p key TWO' })).toMatchObject({
    openedAt: expect.any(Date),
  });
  const alerts = processes
    .flatMap(({ heard }) => heard.lines)
    .filter(({ level }) => level === 'error');
  expect(alerts[0]?.fields).toMatchObject({
    alert: 'key_circuit_open',
    provider: 'p',
    keyName: 'TWO',
  });
  expect(JSON.stringify(alerts)).not.toContain('secret-');
  const stored = await first.mongo.collections.generations.find().toArray();
  expect(JSON.stringify(stored)).not.toContain('secret-');
});

test('when all are refused, the provider pauses as long as they do, and the next generation waits', async () => {
  refusedWith = { 'secret-one': 401, 'secret-two': 402, 'secret-three': 401 };
  const ids = await give(3);
  const steps = await Promise.all(ids.map(async (id) => (await find(id))?.step));
  expect(steps).toEqual(['parked', 'parked', 'parked']);
  const posts = server.got.length;
  expect(posts).toBeLessThanOrEqual(6);
  const provider = await first.mongo.collections.breakers.findOne({ _id: 'p' });
  expect(provider).toMatchObject({ openedAt: expect.any(Date) });
  expect(Number(provider?.['openUntil'])).toBeGreaterThan(first.mongo.clock.now() + 30_000);

  // Once they are valid again, a probe restores its key and the provider.
  refusedWith = {};
  await first.mongo.collections.breakers.updateMany({}, { $set: { openUntil: new Date(0) } });
  for (const { deps } of processes) {
    await (deps.breakers as ReturnType<typeof createBreakerStore>).refresh();
  }
  await runGeneration(first.deps, jobOf(String(ids.at(-1))), signal);
  expect((await find(String(ids.at(-1))))?.step).toBe('submitted');
  expect(await first.mongo.collections.breakers.findOne({ _id: 'p' })).toMatchObject({
    openedAt: null,
  });
});
