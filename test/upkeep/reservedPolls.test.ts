import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import type { PollResult } from '@framegate/provider-routes';
import { releaseLeases } from '../../gateway/src/adapters/mongo/jobs/releaseLeases.ts';
import {
  createPoller,
  type Poller,
} from '../../gateway/src/application/generations/run/pollDue.ts';
import { profile } from '../support/profile.ts';
import { until } from '../support/until.ts';
import { useWorkProcesses } from '../support/useWorkProcesses.ts';
import {
  acceptedBy,
  routesOf,
  routeTo,
  store,
  workGeneration,
  type WorkProcess,
} from '../support/workWorld.ts';

/* A process reserves generations for its polls; a lease is taken only for a poll's findings. */

let polls = 0;
let response: PollResult;
const route = routeTo('well', {
  poll: async () => {
    polls += 1;
    return response;
  },
});
const running = useWorkProcesses(2, { routes: routesOf({ W: [route] }) });
let ours: WorkProcess;
let other: WorkProcess;
let poller: Poller;
const stop = new AbortController();
let count = 0;
let id = '';

beforeAll(() => {
  [ours, other] = running() as [WorkProcess, WorkProcess];
});
beforeEach(async () => {
  [polls, response] = [0, { kind: 'pending' }];
  poller = createPoller(ours.deps, stop.signal);
  id = `gen_${(count += 1)}`;
  await storeSubmitted(id);
});
afterEach(async () => {
  poller.release();
  await poller.drain();
  await ours.mongo.collections.generations.deleteMany({});
});

async function storeSubmitted(generationId: string): Promise<void> {
  const nowMs = ours.mongo.clock.now();
  const submitted = workGeneration(generationId, 'acct_1', nowMs, {
    step: 'submitted',
    status: 'processing',
    startedAt: nowMs,
    dueAt: nowMs - 1_000,
    attempts: [acceptedBy('well', nowMs)],
  });
  await store(ours.mongo, [submitted]);
}

const find = async () => {
  const found = await ours.mongo.database.generations.find(id);
  if (!found) throw new Error('it is gone');
  return found;
};

test('polls that find nothing write once, for the reservation, and take no lease', async () => {
  const read = await profile(ours.mongo.db, ['generations'], async () => {
    await poller.pollDue(stop.signal);
    await until(async () => polls >= 3);
  });
  expect(read.filter(({ op }) => op === 'update')).toHaveLength(1);
  const { epoch, dueAt, leaseUntil } = await find();
  expect([epoch, leaseUntil]).toEqual([1, 0]);
  expect(dueAt).toBeGreaterThan(ours.mongo.clock.now() + minuteMs);
  // No other process finds it due in the meantime.
  const another = createPoller(other.deps, stop.signal);
  await another.pollDue(stop.signal);
  await another.drain();
  expect((await find()).epoch).toBe(1);
});

test('a generation that another process has leased since is left to it, whatever a poll finds', async () => {
  await poller.pollDue(stop.signal);
  await until(async () => polls >= 1);
  const wanted = { id, accountId: 'acct_1' };
  expect(await other.mongo.database.generations.acquireLease(wanted, 30_000)).toMatchObject({
    epoch: 2,
  });
  response = { kind: 'failed', code: 'generation_failed', note: 'as the test wants' };
  const before = polls;
  await until(async () => polls > before);
  await poller.drain();
  expect(await find()).toMatchObject({ step: 'submitted', epoch: 2 });
  expect(ours.heard.lines.filter(({ level }) => level === 'warn')).toEqual([]);
});

test('a stopping process returns them, and the next one polls immediately', async () => {
  await poller.pollDue(stop.signal);
  await until(async () => polls >= 1);
  // The next poll is planned once this one has ended.
  await poller.drain();
  poller.release();
  await poller.drain();
  expect((await find()).dueAt).toBeLessThanOrEqual(ours.mongo.clock.now());
  const before = polls;
  const another = createPoller(other.deps, stop.signal);
  await another.pollDue(stop.signal);
  await until(async () => polls > before);
  another.release();
  await another.drain();
});

test('polls reserved by a dead process are due immediately, but not later ones', async () => {
  const { mongo } = ours;
  await poller.pollDue(stop.signal);
  await until(async () => polls >= 1);
  const nowMs = mongo.clock.now();
  const waiting = workGeneration('gen_ready', 'acct_1', nowMs, {
    step: 'ready',
    dueAt: nowMs + 50_000,
  });
  await store(mongo, [waiting]);
  const { generations } = mongo.collections;
  const { leasedBy } = (await generations.findOne({ _id: id })) ?? {};
  await generations.updateOne({ _id: 'gen_ready' }, { $set: { leasedBy: String(leasedBy) } });
  expect(await releaseLeases(mongo.collections, mongo.clock, mongo.processId)).toBe(1);
  expect(await find()).toMatchObject({ epoch: 2 });
  expect((await find()).dueAt).toBeLessThanOrEqual(mongo.clock.now());
  expect((await mongo.database.generations.find('gen_ready'))?.dueAt).toBe(nowMs + 50_000);
});
