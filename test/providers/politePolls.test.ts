import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { createRoutes, type OpenRoutes } from '../../gateway/providers/src/createRoutes.ts';
import { parseRoutesFile } from '../../gateway/providers/src/routesFile.ts';
import { json, startTinyServer, type TinyServer } from '../../gateway/providers/test/tinyServer.ts';
import { createFindKeysInUse } from '../../gateway/src/adapters/mongo/providers/keysInUse.ts';
import { providerNetwork as network } from '../../gateway/src/adapters/net/guardedConnector.ts';
import { createPoller } from '../../gateway/src/application/generations/run/pollDue.ts';
import { warnOfRemovedKeys } from '../../gateway/src/application/generations/run/removedKeys.ts';
import { takeTestDatabase } from '../support/database.ts';
import { statedVideo } from '../support/statedSupport.ts';
import { forgetWork } from '../support/useWorkProcesses.ts';
import {
  acceptedBy,
  openWorkProcess,
  range,
  store,
  workGeneration,
  type WorkProcess,
} from '../support/workWorld.ts';

/*
 * Polls of the jobs of one provider by two processes over HTTP, by a clock of the test.
 */

const database = takeTestDatabase();
const { signal } = new AbortController();
const rate = { everySeconds: 10, perMinute: 24 };
let server: TinyServer;
let routes: OpenRoutes;
let processes: WorkProcess[];
let aheadMs = 0;
/** The time of each poll by the clock of the test, in ms, by task id. */
let polls: { id: string; atMs: number }[];
let respond: (response: ServerResponse, id: string) => void;

const running = (response: ServerResponse, id: string) =>
  json(response, 200, { id, status: 'running' });

beforeAll(async () => {
  server = await startTinyServer(({ path }, response) => {
    const id = path.split('/').at(-1) ?? '';
    polls.push({ id, atMs: aheadMs });
    respond(response, id);
  });
  const http = {
    kind: 'model-ark',
    baseURL: server.origin,
    allowPrivateNetwork: true,
    mediaHosts: ['files.example'],
  };
  const env = { ONE: 'secret-one', TWO: 'secret-two' };
  const file = parseRoutesFile(
    {
      providers: {
        rated: { ...http, apiKeyEnv: 'ONE', polls: rate },
        free: { ...http, apiKeyEnvs: ['ONE', 'TWO'] },
      },
      models: {
        m: ['rated', 'free'].map((provider) => ({ provider, model: 'up', does: statedVideo })),
      },
    },
    env,
    [{ id: 'm', type: 'video' }],
  );
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  routes = await createRoutes({ file, preview: null, log, network, now: Date.now });
  processes = await Promise.all([1, 2].map(() => openWorkProcess(database.uri, { routes })));
  // Behind the database's own clock, by which polls are reserved.
  const startedAt = (processes[0] as WorkProcess).mongo.clock.now() - 7200_000;
  for (const { mongo } of processes) {
    Object.assign(mongo.clock, { now: () => startedAt + aheadMs });
  }
});
beforeEach(async () => {
  polls = [];
  respond = running;
  // The orders of earlier tests have ended.
  aheadMs += 600_000;
  await forgetWork(processes[0] as WorkProcess);
});
afterAll(async () => {
  for (const { mongo } of processes) await mongo.close();
  await routes.close();
  await server.close();
  await database.drop();
});

/** Stores this many submitted jobs that are due. */
async function submit(provider: string, count: number, key = 'ONE', prefix = 'job'): Promise<void> {
  const { mongo } = processes[0] as WorkProcess;
  const nowMs = mongo.clock.now();
  await store(
    mongo,
    range(count).map((index) =>
      workGeneration(`gen_${prefix}_${index}`, 'acct_1', nowMs, {
        step: 'submitted',
        status: 'processing',
        startedAt: nowMs - minuteMs,
        deadlineAt: nowMs + 3600_000,
        dueAt: nowMs - 1_000 + index,
        attempts: [
          { ...acceptedBy(provider, nowMs), key, operation: { taskId: `${prefix}-${index}` } },
        ],
      }),
    ),
  );
}

async function lookEverywhere(): Promise<void> {
  for (const { deps } of processes) {
    const poller = createPoller(deps, signal);
    await poller.pollDue(signal);
    // Polls in memory follow the machine's clock; the database's polls follow the test's clock.
    poller.release();
    await poller.drain();
  }
}

test('everySeconds and perMinute apply to all processes together, and jobs take turns', async () => {
  await submit('rated', 30);
  for (let second = 0; second < 180; second += 1) {
    aheadMs += 1_000;
    await lookEverywhere();
  }
  const inWindow = polls.map(
    ({ atMs }) => polls.filter((each) => each.atMs >= atMs && each.atMs < atMs + minuteMs).length,
  );
  expect(Math.max(...inWindow)).toBeLessThanOrEqual(rate.perMinute);
  // Most of the allowance is used.
  expect(polls.length).toBeGreaterThan(1.5 * rate.perMinute);
  const byJob = Map.groupBy(polls, ({ id }) => id);
  const counts = [...byJob.values()].map((each) => each.length);
  expect(byJob.size).toBe(30);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  for (const each of byJob.values()) {
    const pauses = each.slice(1).map(({ atMs }, i) => atMs - (each[i]?.atMs ?? 0));
    expect(Math.min(Infinity, ...pauses)).toBeGreaterThanOrEqual(rate.everySeconds * 1_000);
  }
  // Turns come in blocks, which are cheaper than a write for each poll.
  const { slots } = (processes[0] as WorkProcess).mongo.collections;
  const found = await slots.findOne({ _id: 'polls:rated' });
  expect(found?.version).toBeLessThanOrEqual(polls.length);
}, 120_000);

test('a refused poll of a job whose key was removed is explained, and reported once and again by a reload', async () => {
  respond = (response) => json(response, 404, { error: { code: 'NotFound', message: 'no task' } });
  await submit('free', 2);
  const [{ deps, mongo, heard }] = processes as [WorkProcess];
  heard.lines.length = 0;
  const { generations } = mongo.collections;
  const keyPrint = routes.find('free', 'up')?.keyPrintOf?.('ONE') ?? '';
  expect(keyPrint).toMatch(/^[0-9a-f]{12}$/);
  for (const [id, print] of [
    ['gen_job_0', '0123456789ab'] as const,
    ['gen_job_1', keyPrint] as const,
  ]) {
    await generations.updateOne({ _id: id }, { $set: { 'attempts.0.keyPrint': print } });
  }
  const poller = createPoller(deps, signal);
  await poller.pollDue(signal);
  await poller.drain();
  const faultOf = async (id: string) =>
    (await mongo.database.generations.find(id))?.attempts[0]?.fault;
  expect(await faultOf('gen_job_0')).toBe('created with a removed key');
  expect(await faultOf('gen_job_1')).toBe('status 404');
  const alerts = () =>
    heard.lines.filter(({ level }) => level === 'error').map(({ fields }) => fields['alert']);
  expect(alerts()).toEqual(['key_changed']);

  const result = { result: 'reloaded', problems: [] } as const;
  const findKeysInUse = createFindKeysInUse(mongo.collections);
  const removedKeys = [{ provider: 'free', key: 'ONE', generations: 1 }];
  const told = await warnOfRemovedKeys(result, { routes, findKeysInUse, log: deps.log });
  expect(told).toEqual({ ...result, removedKeys });
  expect(alerts()).toEqual(['key_changed', 'key_changed']);
});

test.each([
  ['seconds', () => '30'],
  ['a date', (nowMs: number) => new Date(nowMs + 30_000).toUTCString()],
])('Retry-After in %s pauses all polls with that key', async (_, retryAfter) => {
  respond = (response, id) => {
    if (id.startsWith('other')) {
      running(response, id);
      return;
    }
    const nowMs = 1_900_000_000_000;
    response.writeHead(429, {
      date: new Date(nowMs).toUTCString(),
      'retry-after': retryAfter(nowMs),
      'content-type': 'application/json',
    });
    response.end('{"error":{"code":"TooManyRequests","message":"slower"}}');
  };
  await submit('free', 3);
  const [{ deps }] = processes as [WorkProcess];
  const poller = createPoller(deps, signal);
  const pollAgain = async () => {
    await poller.pollDue(signal);
    await poller.drain();
  };
  await pollAgain();
  expect(polls).toHaveLength(3);
  await submit('free', 2, 'ONE', 'later');
  await submit('free', 2, 'TWO', 'other');
  aheadMs += 29_000;
  await pollAgain();
  expect(polls.slice(3).map(({ id }) => id)).toEqual(['other-0', 'other-1']);
  poller.release();
  await poller.drain();
  aheadMs += 30_000;
  const next = createPoller(deps, signal);
  await next.pollDue(signal);
  next.release();
  await next.drain();
  expect(new Set(polls.slice(5).map(({ id }) => id)).size).toBeGreaterThanOrEqual(5);
});
