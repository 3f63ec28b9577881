import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { dayMs, minuteMs } from '@framegate/contract';
import type { JobHandlers, Jobs } from '../../gateway/src/adapters/agenda/createJobs.ts';
import { runGeneration } from '../../gateway/src/application/generations/run/runGeneration.ts';
import { takeTestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { jobOf } from '../support/workWorld.ts';
import { startJobs } from './startJobs.ts';
import { openUpkeepProcess, type UpkeepProcess } from './upkeepWorld.ts';

const database = takeTestDatabase();
const never = new AbortController().signal;
const id = 'gen_01kaaaaaaaaaaaaaaaaaaaaaaa';
const job = jobOf(id);
let first: UpkeepProcess;
let second: UpkeepProcess;
let running: Jobs[] = [];

beforeAll(async () => {
  first = await openUpkeepProcess(database.uri);
  second = await openUpkeepProcess(database.uri);
});
afterEach(async () => {
  await Promise.all(running.map((jobs) => jobs.stop(0)));
  running = [];
  for (const name of ['generations', 'jobs', 'upkeepRounds', 'leases'] as const) {
    await first.mongo.collections[name].deleteMany({});
  }
});
afterAll(async () => {
  await first.close();
  await second.close();
  await database.drop();
});

/** Starts the jobs of a process, which end with the test. */
async function start(...given: Parameters<typeof startJobs>): Promise<Jobs> {
  const jobs = await startJobs(...given);
  running.push(jobs);
  return jobs;
}

const findJob = () => first.mongo.collections.jobs.findOne({ 'data.generationId': id });
const nextRunAt = async () => ((await findJob())?.['nextRunAt'] as Date | null)?.getTime() ?? null;

describe('a wake-up', () => {
  test('that another process writes during the run makes the job run again', async () => {
    let runs = 0;
    const run: JobHandlers['run'] = async () => {
      runs += 1;
      // It was parked just now, and another process has a slot for it.
      if (runs === 1) await second.deps.database.jobs.wake(job);
      return { at: first.mongo.clock.now() + dayMs, isTaken: false };
    };
    await first.deps.database.jobs.insertMissing([{ ...job, runAt: first.mongo.clock.now() }]);
    await start(first, { run });
    await until(() => runs === 2, 'it has run again');
    await until(async () => ((await nextRunAt()) ?? 0) > first.mongo.clock.now() + dayMs / 2);
    expect(runs).toBe(2);
  });

  test('before the run is answered by that run', async () => {
    let runs = 0;
    await first.deps.database.jobs.wake(job);
    await first.deps.database.jobs.wake(job);
    await start(first, {
      run: async () => {
        runs += 1;
        return { at: first.mongo.clock.now() + dayMs, isTaken: false };
      },
    });
    await until(async () => ((await nextRunAt()) ?? 0) > first.mongo.clock.now() + dayMs / 2);
    expect(runs).toBe(1);
  });

  test('of a due job does not put it behind the others', async () => {
    const dueAt = first.mongo.clock.now() - minuteMs;
    await first.deps.database.jobs.insertMissing([{ ...job, runAt: dueAt }]);
    await first.deps.database.jobs.wake(job);
    expect(await nextRunAt()).toBe(dueAt);
  });
});

describe('a run', () => {
  test('that fails repeatedly comes later each time', async () => {
    let runs = 0;
    await start(first, {
      run: async () => {
        runs += 1;
        throw new Error('its store is broken');
      },
    });
    const waits: number[] = [];
    for (let round = 1; round <= 4; round += 1) {
      await first.deps.database.jobs.wake(job);
      await until(async () => (await findJob())?.['failCount'] === round, `run ${round} failed`);
      waits.push(((await nextRunAt()) ?? 0) - first.mongo.clock.now());
    }
    expect(runs).toBe(4);
    // Doubled each time, with a quarter of jitter on both sides.
    expect(waits[3]).toBeGreaterThan(2 * (waits[0] ?? Infinity));
    // Healing leaves it to its back-off.
    expect(await second.deps.database.jobs.wakeSleeping([id])).toBe(0);
  });

  test('of a generation past its deadline that is held waits for the lease', async () => {
    const { clock } = first.mongo;
    const leaseUntil = clock.now() + 25_000;
    const [held = ''] = await first.addGenerations(1, 'acct_1', () => ({
      step: 'submitted',
      status: 'processing',
      dueAt: leaseUntil,
      leaseUntil,
      deadlineAt: clock.now() - 1_000,
    }));
    const next = await runGeneration(first.deps, jobOf(held), never);
    expect(next).toEqual({ at: leaseUntil, isTaken: true });
  });

  test('whose lock expired does not end the run of the process that took it over', async () => {
    const { jobs } = first.mongo.collections;
    const lockMs = 200;
    const begun = Promise.withResolvers<undefined>();
    const taken = Promise.withResolvers<undefined>();
    const ended = Promise.withResolvers<undefined>();
    await first.deps.database.jobs.wake(job);
    await start(
      first,
      {
        async run() {
          begun.resolve(undefined);
          await taken.promise;
          ended.resolve(undefined);
          return { at: null, isTaken: false };
        },
      },
      { lockMs },
    );
    await begun.promise;
    // Another process found the lock expired, and runs the job.
    const lockedAt = new Date(Date.now() + 4_000);
    const others = { lockedAt, lastRunAt: lockedAt, lastModifiedBy: 'another process' };
    await jobs.updateOne({ 'data.generationId': id }, { $set: others });
    const takenAt = performance.now();
    await until(() => performance.now() - takenAt > lockMs, 'the lock was to be renewed');
    taken.resolve(undefined);
    await ended.promise;
    await Promise.all(running.map((each) => each.stop(0)));
    expect(await findJob()).toMatchObject(others);
  });

  test('that another process holds keeps its earlier failures', async () => {
    await first.deps.database.jobs.wake(job);
    await first.mongo.collections.jobs.updateOne({}, { $set: { failCount: 3 } });
    const at = first.mongo.clock.now() + dayMs;
    await start(first, { run: async () => ({ at, isTaken: true }) });
    await until(async () => (await nextRunAt()) === at, 'it waits for the lease');
    expect(await findJob()).toMatchObject({ failCount: 3 });
  });
});

describe('many due jobs', () => {
  const ids = Array.from({ length: 40 }, (_, index) => `gen_${index}`);
  const runAt = () => first.mongo.clock.now() - minuteMs;
  const jobsOf = () => first.mongo.collections.jobs.find({ name: 'generation.run' }).toArray();
  /** Counts the runs of each, whose next one is tomorrow. */
  const counter = () => {
    const runs = new Map<string, number>();
    const run: JobHandlers['run'] = async ({ generationId }) => {
      runs.set(generationId, (runs.get(generationId) ?? 0) + 1);
      return { at: first.mongo.clock.now() + dayMs, isTaken: false };
    };
    return { runs, run };
  };

  test('are run by two processes, each job once', async () => {
    const { runs, run } = counter();
    await first.deps.database.jobs.insertMissing(
      ids.map((generationId) => ({ ...jobOf(generationId), runAt: runAt() })),
    );
    await Promise.all([start(first, { run }), start(second, { run })]);
    await until(async () => (await jobsOf()).every((each) => each['lastFinishedAt']), 'all ended');
    expect([...runs.values()]).toEqual(ids.map(() => 1));
    for (const each of await jobsOf()) {
      expect(each).toMatchObject({
        lockedAt: null,
        lastModifiedBy: expect.stringContaining('worker '),
      });
      expect(each['lastRunAt']).toBeInstanceOf(Date);
      expect((each['nextRunAt'] as Date).getTime()).toBeGreaterThan(first.mongo.clock.now());
    }
  });

  test('follow one another without a further query', async () => {
    const { runs, run } = counter();
    await first.deps.database.jobs.insertMissing(
      ids.map((generationId) => ({ ...jobOf(generationId), runAt: runAt() })),
    );
    // Agenda itself checks every four seconds, for five jobs.
    await start(first, { run }, { looks: false, lockMs: dayMs });
    await until(() => runs.size === ids.length, 'all have run', 20_000);
  });

  test('are removed when their generations have ended', async () => {
    await first.deps.database.jobs.insertMissing(
      ids.map((generationId) => ({ ...jobOf(generationId), runAt: runAt() })),
    );
    await start(first, { run: async () => ({ at: null, isTaken: false }) });
    await until(async () => (await jobsOf()).length === 0, 'all are gone');
  });
});

describe('an upkeep task', () => {
  test('runs in both processes: each shard in one of them at a time', async () => {
    const sweep = { shards: 4, everyMs: 100 };
    const byProcess = [0, 0];
    const underWay = new Set<number>();
    const met: number[] = [];
    const both = Promise.withResolvers<true>();
    const upkeepOf =
      (index: number): JobHandlers['runUpkeep'] =>
      async (_task, shard) => {
        if (underWay.has(shard)) met.push(shard);
        underWay.add(shard);
        byProcess[index] = (byProcess[index] ?? 0) + 1;
        if (byProcess.every((count) => count > 0)) both.resolve(true);
        // Until the other process has one as well.
        await both.promise;
        underWay.delete(shard);
      };
    await Promise.all([
      start(first, { runUpkeep: upkeepOf(0) }, { upkeepTasks: { sweep } }),
      start(second, { runUpkeep: upkeepOf(1) }, { upkeepTasks: { sweep } }),
    ]);
    await until(() => byProcess[0] !== 0 && byProcess[1] !== 0, 'both take shards');
    await until(() => (byProcess[0] ?? 0) + (byProcess[1] ?? 0) > 8);
    expect(met).toEqual([]);
  });

  test('whose round is cut off by the stop of its process has not failed', async () => {
    const heard: string[] = [];
    const begun = Promise.withResolvers<undefined>();
    const upkeep: JobHandlers['runUpkeep'] = (_task, _shard, signal) => {
      begun.resolve(undefined);
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    };
    const upkeepTasks = { sweep: { shards: 1, everyMs: 100 } };
    const jobs = await start(
      first,
      { runUpkeep: upkeep },
      { upkeepTasks, heard: (line) => void heard.push(line) },
    );
    await begun.promise;
    await jobs.stop(dayMs);
    expect(heard).not.toContain('job failed');
  });

  test('runs at its own interval, and a second job of it is removed', async () => {
    const { jobs } = first.mongo.collections;
    const laterAt = new Date(first.mongo.clock.now() + dayMs);
    await jobs.insertOne({
      name: 'upkeep.often',
      type: 'normal',
      data: { task: 9 },
      nextRunAt: laterAt,
    });
    const rounds = { often: 0, rarely: 0 };
    await start(
      first,
      { runUpkeep: async (task) => void (rounds[task as keyof typeof rounds] += 1) },
      { upkeepTasks: { often: { shards: 1, everyMs: 50 }, rarely: { shards: 1, everyMs: dayMs } } },
    );
    await until(() => rounds.often > 5, 'it has had rounds');
    expect(rounds.rarely).toBe(1);
    const found = await jobs.find({}, { sort: { name: 1 } }).toArray();
    expect(found.map(({ name, repeatInterval }) => [name, repeatInterval])).toEqual([
      ['upkeep.often', 50],
      ['upkeep.rarely', dayMs],
    ]);
  });
});
