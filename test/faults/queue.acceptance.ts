import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { minuteMs, sum } from '@framegate/contract';
import { createRandom } from '../../gateway/src/adapters/system/random.ts';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import type { FaultPoint } from '../../gateway/src/application/ports/system.ts';
import { upkeepTasks } from '../../gateway/src/application/upkeep/upkeepTasks.ts';
import { until } from '../support/until.ts';
import { checkWorld, untilAllEnded } from './checkWorld.ts';
import { type FaultAccount, type FaultWorld, quickTimings } from './faultWorld.ts';
import { createPatiently, type History } from './patientClient.ts';
import type { GatewayProcess } from './startGatewayProcess.ts';
import { useFaultWorld } from './useFaultWorld.ts';
import { pickFor } from './wholeRun.ts';

const opened = useFaultWorld({ timings: quickTimings });
let world: FaultWorld;
let account: FaultAccount;
let steady: GatewayProcess;
let made = 0;

beforeAll(async () => {
  world = opened();
  account = await world.addAccount(1_000_000);
  steady = await world.start();
});

afterEach(() => {
  world.ark.reset();
});

/** Concurrent creates through one process. */
function createMany(through: GatewayProcess, count: number): Promise<History[]> {
  return Promise.all(
    Array.from({ length: count }, () => {
      made += 1;
      return createPatiently(() => [through.origin], account, `trouble ${made}.`);
    }),
  );
}

/** Every generation has ended, and no promise is broken. */
async function expectHealed(histories: readonly History[], expected: string): Promise<void> {
  await untilAllEnded(world, minuteMs);
  expect(await checkWorld(world, steady.origin, histories)).toEqual([]);
  const ids = histories.map(({ generationId }) => generationId);
  const { generations } = world.mongo.collections;
  const states = await generations.distinct('status', { _id: { $in: ids } });
  expect(states).toEqual([expected]);
}

/** Each recurring job exists once, is due soon, and is not locked in the future. */
async function expectLanes(): Promise<void> {
  const { jobs } = world.mongo.collections;
  const shards = sum(Object.values(upkeepTasks));
  const recurring = { name: /^upkeep\./ };
  await until(async () => {
    const soon = new Date(world.mongo.clock.now() + 10_000);
    const found = await jobs.find(recurring).toArray();
    const isFine = found.every(
      ({ nextRunAt, lockedAt }) => nextRunAt <= soon && (lockedAt === null || lockedAt <= soon),
    );
    return found.length === shards && isFine;
  }, 'the recurring jobs are as they should be');
}

/** Makes one process poll from now on, while the others leave the generations to it. */
async function leaveThePollsTo({ pid }: GatewayProcess): Promise<void> {
  const { leases, processes } = world.mongo.collections;
  const found = await processes.findOne({ _id: { $regex: `^${pid}-` } });
  const leasedUntil = new Date(world.mongo.clock.now() + minuteMs);
  if (!found) throw new Error(`process ${pid} has no heartbeat`);
  await leases.updateOne({}, { $set: { holder: found._id, until: leasedUntil } });
}

/** Waits until the provider has this many tasks. */
const untilSubmitted = (count: number) =>
  until(() => world.ark.submitted().length >= count, `${count} tasks are submitted`);

const pending = { on: 'task', plan: { polls: 3, end: 'succeeded' } } as const;

describe('the job collection', () => {
  test('emptied in the middle of the work delays generations and loses none', async () => {
    world.ark.script(pending);
    const histories = await createMany(steady, 6);
    await world.mongo.collections.jobs.deleteMany({});
    await expectHealed(histories, 'completed');
    await expectLanes();
  });

  test('emptied while a generation runs has a job for it again', async () => {
    world.ark.script({ on: 'task', plan: { polls: 0, end: 'never' } });
    const [history] = await createMany(steady, 1);
    await untilSubmitted(1);
    const { jobs, generations } = world.mongo.collections;
    await jobs.deleteMany({});
    const ofIt = { name: 'generation.run', 'data.generationId': history?.generationId };
    await until(async () => (await jobs.countDocuments(ofIt)) === 1, 'its job is there again');
    await generations.updateOne(
      { _id: history?.generationId ?? '' },
      { $set: { deadlineAt: new Date(0), dueAt: new Date(0) } },
    );
    await expectHealed(history ? [history] : [], 'failed');
  });

  test('with duplicate jobs still submits, charges and ends everything once', async () => {
    world.ark.script(pending);
    const histories = await createMany(steady, 6);
    const { jobs } = world.mongo.collections;
    const found = await jobs.find({}).toArray();
    await jobs.insertMany(
      found.map((job) => ({ ...job, _id: new mongoose.mongo.ObjectId(), lockedAt: null })),
    );
    await expectHealed(histories, 'completed');
    await expectLanes();
  });
});

const skews = [60 * minuteMs, -60 * minuteMs, 15 * minuteMs, -15 * minuteMs];

describe('a worker whose clock is wrong', () => {
  test.each(pickFor(skews, 1))(
    'by %i ms fails nothing early, expires nothing early and stops no other worker',
    async (skewMs) => {
      const soon = new Date(world.mongo.clock.now() + 10 * minuteMs);
      const spare = await world.addAccount(1);
      const { accounts, jobs } = world.mongo.collections;
      const { clock, database } = world.mongo;
      const grant = { amountCredits: 1, kind: 'promotional', expiresAt: soon.getTime() } as const;
      await grantCredits(
        { database, clock, random: createRandom(clock) },
        { ...grant, accountId: spare.accountId, reason: null },
      );
      world.ark.script(pending);
      const skewed = await world.start({ FAULT_SKEW_MS: String(skewMs) });
      const early = await createMany(skewed, 3);
      // Its clock also jumps while it works: Agenda has locked jobs by then.
      skewed.command({ skewMs: 0 });
      await until(
        async () =>
          (await jobs.countDocuments({
            lastModifiedBy: { $regex: `^framegate ${skewed.pid}-` },
          })) > 0,
        'it works with a right clock',
      );
      skewed.command({ skewMs });
      const late = await createMany(skewed, 3);
      await expectHealed([...early, ...late], 'completed');
      await expectLanes();
      const kept = await accounts.findOne({ _id: spare.accountId });
      expect(kept?.['lots']).toMatchObject([{ remaining: 1 }, { remaining: 1 }]);
      skewed.signal('SIGKILL');
      await skewed.ended;
    },
  );
});

const stops: FaultPoint[] = [
  'end.beforeTransaction',
  'submit.afterProvider',
  'submit.beforeProvider',
  'complete.afterStored',
  'poll.afterProvider',
];

describe('a worker stopped for longer than its lease, and continued', () => {
  test.each(pickFor(stops, 1))('at %s has no effect with its late writes', async (point) => {
    const stopped = await world.start();
    await leaveThePollsTo(stopped);
    stopped.command({ arm: { point, times: 1, signal: 'SIGSTOP' } });
    const histories: History[] = [];
    const hasStopped = () => stopped.log().includes(`stopping at ${point}`);
    for (let attempts = 0; attempts < 50 && !hasStopped(); attempts += 1) {
      histories.push(...(await createMany(steady, 3)));
      // It may have stopped before it submitted one.
      const submitted = () => world.ark.submitted().length >= histories.length;
      await until(() => hasStopped() || submitted(), 'they are submitted');
    }
    await untilAllEnded(world, minuteMs);
    expect(hasStopped()).toBe(true);
    const { generations } = world.mongo.collections;
    // A late response about an order is recorded in its attempt, even after the end.
    const all = async () =>
      (await generations.find({}).sort({ _id: 1 }).toArray()).map(({ attempts, ...rest }) => ({
        ...rest,
        operationIds: null,
        attempts: (attempts as { number: number; outcome: string }[]).map(({ number, outcome }) => [
          number,
          outcome,
        ]),
      }));
    const before = await all();
    stopped.signal('SIGCONT');
    const response = await fetch(`${stopped.origin}/readyz`);
    await response.arrayBuffer();
    await stopped.stop();
    expect(await all()).toEqual(before);
    expect(await checkWorld(world, steady.origin, histories)).toEqual([]);
  });
});

test('a worker killed in the middle of a batch of polls leaves its batch to the others', async () => {
  world.ark.script({ on: 'task', plan: { polls: 6, end: 'succeeded' } });
  const doomed = await world.start();
  await leaveThePollsTo(doomed);
  doomed.command({ arm: { point: 'poll.afterProvider', times: 4, signal: 'SIGKILL' } });
  const histories = await createMany(steady, 12);
  // The others may have polled all of them: then create more.
  const isOver = () => Promise.race([doomed.ended.then(() => true), untilSome(5_000)]);
  while (!(await isOver())) histories.push(...(await createMany(steady, 12)));
  await expectHealed(histories, 'completed');
});

const untilSome = (ms: number) => pause(ms).then(() => false);
