import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  createJobs,
  type JobHandlers,
  type Jobs,
} from '../../gateway/src/adapters/agenda/createJobs.ts';
import { replaceJobState } from '../../gateway/src/adapters/agenda/jobRepository.ts';
import { createSupervisor } from '../../gateway/src/adapters/agenda/superviseJobs.ts';
import { runGeneration } from '../../gateway/src/application/generations/runGeneration.ts';
import { createTestDatabase } from '../support/database.ts';
import { collectLog } from '../support/mongod.ts';
import { until } from '../support/until.ts';
import { day, openUpkeepProcess, type UpkeepProcess } from './upkeepWorld.ts';

const database = createTestDatabase();
const timings = { lockMs: 3_000, reconcileEveryMs: 100, superviseEveryMs: 100 };
const never = new AbortController().signal;
const id = 'gen_01kaaaaaaaaaaaaaaaaaaaaaaa';
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
  for (const name of ['generations', 'jobs', 'lanes'] as const) {
    await first.mongo.collections[name].deleteMany({});
  }
});
afterAll(async () => {
  await first.close();
  await second.close();
  await database.drop();
});

/** Starts the jobs of a process, with handlers that do nothing but those given. */
async function start(
  { mongo }: UpkeepProcess,
  handlers: Partial<JobHandlers>,
  lanes: Record<string, number> = {},
): Promise<Jobs> {
  const nothing: JobHandlers = {
    run: async () => ({ at: mongo.clock.now() + day, held: false }),
    poll: async () => undefined,
    upkeep: async () => undefined,
  };
  const jobs = createJobs({
    db: mongo.db,
    log: collectLog().log,
    clock: mongo.clock,
    processName: 'test',
    runsAtOnce: 5,
    lanes,
    timings,
    handlers: { ...nothing, ...handlers },
  });
  running.push(jobs);
  await jobs.start();
  return jobs;
}

const jobOf = () => first.mongo.collections.jobs.findOne({ 'data.generationId': id });
const nextRunAt = async () => ((await jobOf())?.['nextRunAt'] as Date | null)?.getTime() ?? null;

describe('a wake-up', () => {
  test('that another process writes while the job runs has it run once more', async () => {
    let runs = 0;
    const run: JobHandlers['run'] = async () => {
      runs += 1;
      // It was parked just now, and another process has a place for it.
      if (runs === 1) await second.deps.database.jobs.wake(id);
      return { at: first.mongo.clock.now() + day, held: false };
    };
    await first.deps.database.jobs.insertMissing([
      { generationId: id, runAt: first.mongo.clock.now() },
    ]);
    await start(first, { run });
    await until(() => runs === 2, 'it has run again');
    await until(async () => ((await nextRunAt()) ?? 0) > first.mongo.clock.now() + day / 2);
    expect(runs).toBe(2);
    expect(await jobOf()).not.toHaveProperty('wokenAt');
  });

  test('before the run is answered by that run', async () => {
    let runs = 0;
    await first.deps.database.jobs.wake(id);
    await first.deps.database.jobs.wake(id);
    await start(first, {
      run: async () => {
        runs += 1;
        return { at: first.mongo.clock.now() + day, held: false };
      },
    });
    await until(async () => ((await nextRunAt()) ?? 0) > first.mongo.clock.now() + day / 2);
    expect(runs).toBe(1);
  });

  test('of a job that is due does not put it behind the others', async () => {
    const dueAt = first.mongo.clock.now() - 60_000;
    await first.deps.database.jobs.insertMissing([{ generationId: id, runAt: dueAt }]);
    await first.deps.database.jobs.wake(id);
    expect(await nextRunAt()).toBe(dueAt);
  });
});

describe('a run', () => {
  test('that fails again and again comes later each time', async () => {
    let runs = 0;
    await start(first, {
      run: async () => {
        runs += 1;
        throw new Error('its store is broken');
      },
    });
    const waits: number[] = [];
    for (let round = 1; round <= 4; round += 1) {
      await first.deps.database.jobs.wake(id);
      await until(async () => (await jobOf())?.['failCount'] === round, `run ${round} failed`);
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
    const next = await runGeneration(first.deps, held, never);
    expect(next).toEqual({ at: leaseUntil, held: true });
  });

  test('whose lock lapsed does not end the run of the process that took it over', async () => {
    const { jobs } = first.mongo.collections;
    await first.deps.database.jobs.insertMissing([
      { generationId: id, runAt: first.mongo.clock.now() },
    ]);
    const stored = await jobOf();
    const repository = {
      getNextJobToRun: async () => undefined,
      unlockJob: async () => undefined,
      unlockJobs: async () => undefined,
    } as unknown as Parameters<typeof replaceJobState>[0];
    replaceJobState(repository, jobs, () => undefined);
    if (!stored) throw new Error('the generation has no job');
    const run = { _id: stored._id, name: 'generation.run', lastRunAt: new Date(1_000) };
    const save = (attributes: object) =>
      repository.saveJobState({ ...run, ...attributes } as never, { lastModifiedBy: 'test' });
    // Another process found the lock lapsed, and runs the job.
    const taken = { lockedAt: new Date(), lastRunAt: new Date(2_000) };
    await jobs.updateOne({ _id: run._id }, { $set: taken });
    await expect(save({ lockedAt: new Date(500) })).rejects.toThrow('locked elsewhere');
    await expect(save({ lockedAt: undefined })).rejects.toThrow('run elsewhere');
    expect(await jobOf()).toMatchObject(taken);
  });
});

describe('a lane of upkeep', () => {
  test('runs in both processes: each shard in one of them at a time', async () => {
    const byProcess = [0, 0];
    const underWay = new Set<number>();
    const met: number[] = [];
    const both = Promise.withResolvers<true>();
    const upkeepOf =
      (index: number): JobHandlers['upkeep'] =>
      async (_lane, shard) => {
        if (underWay.has(shard)) met.push(shard);
        underWay.add(shard);
        byProcess[index] = (byProcess[index] ?? 0) + 1;
        if (byProcess.every((count) => count > 0)) both.resolve(true);
        // Until the other process has one, too.
        await both.promise;
        underWay.delete(shard);
      };
    await Promise.all([
      start(first, { upkeep: upkeepOf(0) }, { sweep: 4 }),
      start(second, { upkeep: upkeepOf(1) }, { sweep: 4 }),
    ]);
    await until(() => byProcess[0] !== 0 && byProcess[1] !== 0, 'both take shards');
    await until(() => (byProcess[0] ?? 0) + (byProcess[1] ?? 0) > 8);
    expect(met).toEqual([]);
  });
});

describe('Agenda', () => {
  /** Supervises over jobs that are overdue in the database. */
  async function supervise(place: { taken: number; beganMsAgo: () => number }, forgotten = 0) {
    const { mongo } = first;
    await first.deps.database.jobs.insertMissing([
      { generationId: id, runAt: mongo.clock.now() - 60_000 },
    ]);
    const counts = { looks: 0, halts: 0, starts: 0 };
    const stopping = new AbortController();
    const state = { taken: place.taken, atOnce: 50, beganAt: 0 };
    const supervisor = createSupervisor({
      db: mongo.db,
      log: collectLog().log,
      clock: mongo.clock,
      timings,
      skewed: () => false,
      places: new Map([['generation.run', state]]),
      async keepRecurring() {
        state.beganAt = performance.now() - place.beganMsAgo();
        counts.looks += 1;
      },
      forgottenLocks: () => forgotten,
      stopping: stopping.signal,
      resume: async () => void (counts.starts += 1),
      halt: async () => void (counts.halts += 1),
    });
    await supervisor.start();
    await until(() => counts.looks >= 6, 'it has looked some times');
    const found = { ...counts };
    stopping.abort();
    await supervisor.stop();
    return found;
  }

  test('is left alone under a backlog that it works on, and with all places taken', async () => {
    expect(await supervise({ taken: 3, beganMsAgo: () => 200 })).toMatchObject({ halts: 0 });
    await first.mongo.collections.jobs.deleteMany({});
    expect(await supervise({ taken: 50, beganMsAgo: () => 60_000 })).toMatchObject({ halts: 0 });
  });

  test('is started afresh when it begins nothing although there are places', async () => {
    const { halts, starts } = await supervise({ taken: 3, beganMsAgo: () => 60_000 });
    expect(halts).toBeGreaterThan(0);
    expect(starts).toBe(halts + 1);
  });

  test('is started afresh when it keeps locks of jobs that never begin', async () => {
    expect(await supervise({ taken: 3, beganMsAgo: () => 200 }, 1)).not.toMatchObject({ halts: 0 });
  });
});
