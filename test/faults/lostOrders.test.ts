import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AppCore } from '../../gateway/src/application/app.ts';
import { runGeneration } from '../../gateway/src/application/generations/run/runGeneration.ts';
import { defaultTimings } from '../../gateway/src/application/generations/timings.ts';
import { DatabaseUnavailableError } from '../../gateway/src/application/ports/database.ts';
import type { Generation } from '../../gateway/src/domain/generations/generation.ts';
import { useWorkProcesses } from '../support/useWorkProcesses.ts';
import {
  accountOf,
  jobOf,
  routesOf,
  routeTo,
  store,
  workGeneration,
  type WorkProcess,
} from '../support/workWorld.ts';

const id = 'gen_1';
const operation = { id: 'task 7' };
const timings = { ...defaultTimings, leaseMs: 30_000, deadlineGraceMs: 500 };
/** Happens before the provider has answered. */
let meanwhile: () => Promise<void>;
let runningDeadlineMs: number;
let submits: number;
let cancelled: unknown[];
let stop: AbortController;
let worker: WorkProcess;
let other: WorkProcess;

const route = routeTo('videos', {
  submit: async () => {
    submits += 1;
    await meanwhile();
    return { kind: 'accepted', operation };
  },
  cancel: async (asked) => {
    cancelled.push(asked);
    return { isAccepted: true, note: 'stopped' };
  },
});
const opened = useWorkProcesses(2, {
  routes: routesOf({ video: [route] }),
  timings,
  runningDeadlineMs: () => runningDeadlineMs,
});
beforeAll(() => {
  [worker, other] = opened() as [WorkProcess, WorkProcess];
});
beforeEach(async () => {
  meanwhile = async () => undefined;
  runningDeadlineMs = 3600_000;
  submits = 0;
  cancelled = [];
  stop = new AbortController();
  const nowMs = worker.mongo.clock.now();
  await worker.mongo.database.accounts.insert(accountOf('acct_1', nowMs, 1));
  await store(worker.mongo, [
    workGeneration(id, 'acct_1', nowMs, { model: 'video', step: 'ready' }),
  ]);
});

const find = async () => (await worker.mongo.database.generations.find(id)) as Generation;
const run = (more: Partial<AppCore> = {}) =>
  runGeneration({ ...worker.deps, ...more }, jobOf(id), stop.signal);
const alerts = () =>
  worker.heard.lines.flatMap(({ level, fields }) =>
    level === 'error' && 'alert' in fields ? [fields] : [],
  );
/** Another process takes over after the lease has expired. */
async function anotherTakesIt(): Promise<void> {
  const { generations } = worker.mongo.collections;
  await generations.updateOne({ _id: id }, { $set: { leaseUntil: new Date(0) } });
  await runGeneration(other.deps, jobOf(id), stop.signal);
}
/** A database that is unavailable for this many writes of an accepted order. */
function awayFor(writes: number): AppCore['database'] {
  const { database } = worker.deps;
  let left = writes;
  const update: typeof database.generations.update = async (generation, change, late) => {
    if (change.step === 'submitted' && (left -= 1) >= 0) throw new DatabaseUnavailableError('away');
    return database.generations.update(generation, change, late);
  };
  return { ...database, generations: { ...database.generations, update } };
}

describe('an order that a provider has accepted', () => {
  test('runs next at its deadline, for which it is not read again', async () => {
    const { database } = worker.deps;
    const failToFind = () => Promise.reject(new Error('read again'));
    const next = await run({
      database: { ...database, generations: { ...database.generations, find: failToFind } },
    });
    const { startedAt } = await database.generations.find(id).then((found) => found as Generation);
    expect(next).toEqual({ at: Number(startedAt) + runningDeadlineMs, isTaken: false });
  });

  test('is kept while the database is unavailable', async () => {
    await run({ database: awayFor(1) });
    expect(await find()).toMatchObject({ step: 'submitted', attempts: [{ operation }] });
    expect(worker.heard.lost).toEqual([]);
  });

  test('is reported and cancelled when the database stays unavailable past its deadline', async () => {
    runningDeadlineMs = 500;
    await run({ database: awayFor(Infinity) });
    const lost = { reason: 'not_stored', note: 'away' };
    expect(await find()).toMatchObject({ attempts: [{ operation, lost }] });
    expect(alerts()).toMatchObject([
      { alert: 'paid_result_lost', operation, reason: 'not_stored' },
    ]);
    expect(cancelled).toEqual([operation]);
  });

  test('is reported and cancelled when its process must stop first', async () => {
    meanwhile = async () => stop.abort(new Error('the process is stopping'));
    await run({ database: awayFor(Infinity) });
    expect(await find()).toMatchObject({ attempts: [{ lost: { reason: 'process_stopped' } }] });
    expect(worker.heard.lost).toEqual([{ provider: 'videos', reason: 'process_stopped' }]);
    expect(cancelled).toEqual([operation]);
  });

  test('is noted, reported and cancelled when another process has ended the generation', async () => {
    meanwhile = anotherTakesIt;
    await run();
    expect(await find()).toMatchObject({
      status: 'failed',
      failure: { code: 'generation_failed' },
      attempts: [
        {
          outcome: 'unknown',
          operation,
          lost: { reason: 'lease_lost' },
          cancel: { isAccepted: true, note: 'stopped' },
        },
      ],
    });
    expect(alerts()).toMatchObject([
      { alert: 'paid_result_lost', generationId: id, operation, reason: 'lease_lost' },
    ]);
    expect(worker.heard.lost).toEqual([{ provider: 'videos', reason: 'lease_lost' }]);
    expect(cancelled).toEqual([operation]);
    // Staff find the generation by the provider's id.
    const found = await worker.mongo.collections.generations.findOne({ operationIds: 'task 7' });
    expect(found?._id).toBe(id);
  });

  test('is not lost when its write arrived and only the response did not', async () => {
    const { database } = worker.deps;
    const update: typeof database.generations.update = async (generation, change, late) => {
      const left = await database.generations.update(generation, change, late);
      if (change.step !== 'submitted') return left;
      // Another process has polled it since.
      const due = { dueAt: new Date(0) };
      await worker.mongo.collections.generations.updateOne({ _id: id }, { $set: due });
      await other.mongo.database.generations.acquireLease(
        { id, accountId: 'acct_1' },
        timings.leaseMs,
      );
      throw new DatabaseUnavailableError('cut');
    };
    await run({ database: { ...database, generations: { ...database.generations, update } } });
    expect(await find()).toMatchObject({ step: 'submitted', attempts: [{ operation }] });
    expect([worker.heard.lost, cancelled]).toEqual([[], []]);
  });
});

describe('a process that paused before it called the provider', () => {
  /** A process whose clock jumps past its lease before it calls the provider. */
  const standStill = (before: () => Promise<void>): Partial<AppCore> => {
    let stoodMs = 0;
    const { clock } = worker.deps;
    return {
      clock: { ...clock, now: () => clock.now() + stoodMs },
      reachFaultPoint: async (point) => {
        if (point !== 'submit.beforeProvider') return;
        await before();
        stoodMs = timings.leaseMs;
      },
    };
  };

  test('sends nothing, and the generation is started again', async () => {
    await run(standStill(async () => undefined));
    expect(submits).toBe(0);
    expect(await find()).toMatchObject({ step: 'ready', status: 'queued', attempts: [] });
    await run();
    expect(submits).toBe(1);
    expect(await find()).toMatchObject({ step: 'submitted' });
  });

  test('sends nothing after another process has refunded it', async () => {
    await run(standStill(anotherTakesIt));
    expect(submits).toBe(0);
    expect(await find()).toMatchObject({ status: 'failed', attempts: [{ outcome: 'unknown' }] });
    expect(worker.heard.lost).toEqual([]);
  });
});
