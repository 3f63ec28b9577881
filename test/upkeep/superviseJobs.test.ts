import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { createSupervisor } from '../../gateway/src/adapters/agenda/superviseJobs.ts';
import { takeTestDatabase } from '../support/database.ts';
import { collectLog } from '../support/mongod.ts';
import { until } from '../support/until.ts';
import { jobOf } from '../support/workWorld.ts';
import { openUpkeepProcess, type UpkeepProcess } from './upkeepWorld.ts';

const database = takeTestDatabase();
let worker: UpkeepProcess;

beforeAll(async () => {
  worker = await openUpkeepProcess(database.uri);
});
afterEach(() => worker.mongo.collections.jobs.deleteMany({}));
afterAll(async () => {
  await worker.close();
  await database.drop();
});

describe('Agenda', () => {
  /**
   * Supervises jobs that are overdue in the database.
   * @param providerSlot.awayMs How long the database is unreachable.
   */
  async function supervise(providerSlot: {
    taken: number;
    beganMsAgo: () => number;
    awayMs?: number;
  }) {
    const { mongo } = worker;
    await worker.deps.database.jobs.insertMissing([
      { ...jobOf('gen_01kaaaaaaaaaaaaaaaaaaaaaaa'), runAt: mongo.clock.now() - minuteMs },
    ]);
    const counts = { looks: 0, stops: 0, starts: 0 };
    const stopping = new AbortController();
    const state = { taken: providerSlot.taken, atOnce: 50, startedAt: 0 };
    const { awayMs = 0 } = providerSlot;
    let awayFrom: number | null = null;
    const isAway = () => awayFrom !== null && performance.now() - awayFrom < awayMs;
    const supervisor = createSupervisor({
      jobs: mongo.db.collection('agendaJobs'),
      log: collectLog().log,
      clock: mongo.clock,
      timings: { superviseEveryMs: 100, lockMs: 800 },
      mayWork: () => true,
      slots: new Map([['generation.run', state]]),
      leads: () => true,
      async keepRecurring() {
        state.startedAt = performance.now() - providerSlot.beganMsAgo();
        counts.looks += 1;
        if (counts.looks === 2) awayFrom = performance.now();
        if (isAway()) throw new Error('the database is away');
      },
      stopping: stopping.signal,
      resume: async () => void (counts.starts += 1),
      stopTakingJobs: async () => void (counts.stops += 1),
    });
    await supervisor.start();
    let looks = Infinity;
    await until(() => {
      if (counts.looks >= 2 && looks === Infinity && !isAway()) looks = counts.looks;
      return counts.looks >= looks + 4;
    }, 'it has looked some times');
    const found = { ...counts };
    stopping.abort();
    await supervisor.stop();
    return found;
  }

  test('is left alone while it works on a backlog, and with all slots taken', async () => {
    expect(await supervise({ taken: 3, beganMsAgo: () => 200 })).toMatchObject({ stops: 0 });
    await worker.mongo.collections.jobs.deleteMany({});
    expect(await supervise({ taken: 50, beganMsAgo: () => minuteMs })).toMatchObject({ stops: 0 });
  });

  test('is restarted when it starts no job despite free slots', async () => {
    const { stops, starts } = await supervise({ taken: 3, beganMsAgo: () => minuteMs });
    expect(stops).toBeGreaterThan(0);
    expect(starts).toBe(stops + 1);
  });

  test('is restarted when locks may have expired before their runs began', async () => {
    const away = { taken: 3, beganMsAgo: () => 200, awayMs: 600 };
    expect(await supervise(away)).toMatchObject({ stops: 1, starts: 2 });
  });
});
