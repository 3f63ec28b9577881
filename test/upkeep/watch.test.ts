import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { upkeepTasks } from '../../gateway/src/application/upkeep/upkeepTasks.ts';
import { upkeepStatesOf, watchUpkeep } from '../../gateway/src/application/upkeep/upkeepWatch.ts';
import { takeTestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { openUpkeepProcess, type UpkeepProcess } from './upkeepWorld.ts';

const database = takeTestDatabase();
let upkeep: UpkeepProcess;
beforeAll(async () => {
  upkeep = await openUpkeepProcess(database.uri);
});
afterAll(async () => {
  await upkeep.close();
  await database.drop();
});

test('a task is as late as its latest shard', () => {
  const finished = (task: keyof typeof upkeepTasks, at: number) =>
    Array.from({ length: upkeepTasks[task] }, (_, shard) => ({ task, shard, finishedAt: at }));
  const rounds = [...finished('heal', 9 * minuteMs), ...finished('slots', 9 * minuteMs)];
  // A shard of `slots` is late, and `tidy`, `erase` and `notices` have not run since the process began.
  const [stands] = rounds.slice(-1);
  if (stands) stands.finishedAt = 2 * minuteMs;
  expect(upkeepStatesOf(rounds, 8 * minuteMs, 10 * minuteMs)).toEqual([
    { task: 'heal', idleMs: minuteMs, isLate: false },
    { task: 'slots', idleMs: 8 * minuteMs, isLate: true },
    { task: 'tidy', idleMs: 2 * minuteMs, isLate: false },
    { task: 'erase', idleMs: 2 * minuteMs, isLate: false },
    { task: 'notices', idleMs: 2 * minuteMs, isLate: false },
  ]);
});

test('rounds are recorded, and a stalled shard is reported once, until it runs again', async () => {
  const { deps, mongo } = upkeep;
  let nowMs = mongo.clock.now();
  let readAtMs = nowMs;
  const alerts: object[] = [];
  let looks = 0;
  const ignore = () => undefined;
  const log = {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: (fields: object) => void alerts.push(fields),
  };
  const rounds = async () => {
    looks += 1;
    const beganAtMs = nowMs;
    const listed = await deps.upkeep.listRounds();
    readAtMs = beganAtMs;
    return listed;
  };
  const watch = watchUpkeep(
    { upkeep: { listRounds: rounds }, clock: { now: () => readAtMs }, log },
    20,
  );
  const someLooks = async () => {
    const before = looks;
    await until(() => looks >= before + 3, 'it has looked');
  };
  try {
    for (const task of Object.keys(upkeepTasks) as (keyof typeof upkeepTasks)[]) {
      await upkeep.round(task);
    }
    await someLooks();
    expect(alerts).toEqual([]);
    // Four minutes on: the others have run, `tidy` has not.
    const later = nowMs + 4 * minuteMs;
    await mongo.collections.upkeepRounds.updateMany(
      { task: { $ne: 'tidy' } },
      { $set: { finishedAt: new Date(later) } },
    );
    nowMs = later;
    await someLooks();
    expect(alerts).toMatchObject([{ alert: 'upkeep_stands_still', task: 'tidy' }]);
    const states = await watch.findStates();
    expect(states.filter(({ isLate }) => isLate).map(({ task }) => task)).toEqual(['tidy']);
    await mongo.collections.upkeepRounds.updateMany({}, { $set: { finishedAt: new Date(nowMs) } });
    await someLooks();
    expect(alerts).toHaveLength(1);
  } finally {
    watch.stop();
  }
});

test('a failed round is not recorded as finished', async () => {
  await upkeep.mongo.collections.upkeepRounds.deleteMany({});
  const broken = await openUpkeepProcess(database.uri, {
    upkeep: {
      ...upkeep.deps.upkeep,
      acquireTidyLeases: () => Promise.reject(new Error('the database is gone')),
    },
  });
  await expect(broken.round('tidy')).rejects.toThrow('the database is gone');
  await broken.round('heal');
  const noted = await upkeep.deps.upkeep.listRounds();
  expect(new Set(noted.map(({ task }) => task))).toEqual(new Set(['heal']));
  await broken.close();
});
