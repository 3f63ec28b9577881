import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { until } from '../support/until.ts';
import { type N8nWorld, prepareN8nWorld } from './support/n8nWorld.ts';
import { video } from './support/parameters.ts';
import { type Redis, startRedis } from './support/startRedis.ts';
import { items } from './support/useN8n.ts';
import { workflow } from './support/workflows.ts';

/* n8n's queue mode: one process takes the run, another one works, and Redis is between them. */

const retried = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
const workflows = [
  workflow('queued', [{}], video('queued', { download: true })),
  workflow('queuedRetry', [{}], video('queued retry'), { node: retried }),
  workflow('queuedStop', [{}], video('queued stop')),
];

let redis: Redis;
let world: N8nWorld;
let workerLog: () => string;
beforeAll(async () => {
  redis = await startRedis();
  const settings = {
    EXECUTIONS_MODE: 'queue',
    OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
    QUEUE_BULL_REDIS_HOST: '127.0.0.1',
    QUEUE_BULL_REDIS_PORT: String(redis.port),
  };
  world = await prepareN8nWorld(workflows, undefined, { settings });
  await world.start();
  workerLog = await world.n8n.startWorker();
}, 900_000);
afterEach(() => {
  world.framegate.line.reset();
  world.framegate.ark.reset();
});
afterAll(async () => {
  await world.stop();
  await redis.stop();
}, minuteMs);

const posts = () => world.framegate.line.seen.filter(({ method }) => method === 'POST');
const polls = () => world.framegate.line.seen.filter(({ path }) => path.includes('/generations/'));

test('a worker creates once, waits and passes on the file', async () => {
  const execution = await world.n8n.runToEnd('queued');
  expect(execution).toMatchObject({ status: 'success' });
  const [item] = items(execution);
  expect(item).toMatchObject({
    json: { status: 'completed' },
    binary: { data: { mimeType: 'video/mp4' } },
  });
  expect(posts()).toHaveLength(1);
  expect(workerLog()).toMatch(new RegExp(`execution ${execution.id}\\b`));
});

test('Retry On Fail in a worker keeps the key', async () => {
  const before = await world.framegate.spent(world.account);
  const response = { status: 500, headers: { 'retry-after': '0' }, body: 'lost' };
  world.framegate.line.disturb({
    method: 'POST',
    path: '/v1/videos',
    times: 4,
    forwarded: true,
    response,
  });
  const execution = await world.n8n.runToEnd('queuedRetry');
  expect(execution).toMatchObject({ status: 'success' });
  expect(posts()).toHaveLength(5);
  expect(new Set(posts().map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect((await world.framegate.spent(world.account)) - before).toBe(12);
});

test('Stop in the editor ends the waiting in the worker, and no poll follows', async () => {
  world.framegate.ark.script({ on: 'task', plan: { polls: 0, end: 'never' } });
  const id = await world.n8n.run('queuedStop');
  await until(() => polls().length > 0);
  await world.n8n.request('POST', `/executions/${id}/stop`);
  expect(await world.n8n.until(id, 'canceled')).toMatchObject({ status: 'canceled' });
  const [stopped = ''] = polls().map(({ path }) => path);
  const pollsOfIt = () => polls().filter(({ path }) => path === stopped).length;
  world.framegate.ark.reset();
  // By the end of the first run the worker has been told; the second one polls for longer than a hint.
  await world.n8n.runToEnd('queued');
  const told = pollsOfIt();
  await world.n8n.runToEnd('queued');
  expect(pollsOfIt()).toBe(told);
});
