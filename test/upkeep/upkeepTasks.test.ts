import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dayMs, minuteMs } from '@framegate/contract';
import { defaultTimings } from '../../gateway/src/application/generations/timings.ts';
import type { Generation } from '../../gateway/src/domain/generations/generation.ts';
import { takeTestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { jobOf } from '../support/workWorld.ts';
import { useTwoProcesses } from './twoProcesses.ts';
import { openUpkeepProcess, type UpkeepProcess } from './upkeepWorld.ts';

const database = takeTestDatabase();
// Hooks run last first: it is dropped when the processes have closed.
afterAll(() => database.drop());
const processes = useTwoProcesses(database.uri);
let first: UpkeepProcess;
let second: UpkeepProcess;
beforeAll(() => {
  ({ first, second } = processes());
});

const now = () => first.mongo.clock.now();
const generations = () => first.mongo.collections.generations;
const jobs = () => first.mongo.collections.jobs;

describe('heal', () => {
  test('wakes stalled generations and never runs them', async () => {
    const due = now() - minuteMs;
    const ids = await first.addGenerations(3, 'acct_1', () => ({ dueAt: due }));
    const [asleep = '', lost = '', failing = ''] = ids;
    await first.deps.database.jobs.insertMissing([
      { ...jobOf(asleep), runAt: now() + dayMs },
      { ...jobOf(failing), runAt: now() + 300_000 },
    ]);
    await jobs().updateOne({ 'data.generationId': failing }, { $set: { failCount: 2 } });
    await first.round('heal');
    const runsAt = async (id: string) =>
      ((await jobs().findOne({ 'data.generationId': id }))?.['nextRunAt'] as Date).getTime();
    expect(await runsAt(asleep)).toBeLessThanOrEqual(now());
    expect(await runsAt(lost)).toBeLessThanOrEqual(now());
    // It waits out its own back-off.
    expect(await runsAt(failing)).toBeGreaterThan(now());
    const found = await generations().find({}).toArray();
    expect(found.map(({ step, epoch }) => [step, epoch])).toEqual(ids.map(() => ['ready', 0]));
  });

  test('makes generations due that a clock far ahead has delayed, unless a living holder moves it', async () => {
    const timings = { ...defaultTimings, leaseMs: 60 };
    const short = await openUpkeepProcess(database.uri, { timings });
    const [ahead, soon] = [now() + 20 * minuteMs, now() + 4 * minuteMs];
    const fields: Partial<Generation>[] = [
      { step: 'submitting', dueAt: ahead, leaseUntil: ahead },
      { step: 'submitted', dueAt: ahead },
      { step: 'submitting', dueAt: ahead, leaseUntil: ahead },
      // Its inputs wait for a turn, and its provider requested a pause.
      { step: 'ready', dueAt: soon },
      { step: 'submitted', dueAt: soon },
    ];
    const ids = await first.addGenerations(5, 'acct_1', (index) => fields[index] ?? {});
    const dueAfter = async (nowMs: number) => {
      const found = await generations()
        .find({ dueAt: { $gt: new Date(nowMs) } })
        .toArray();
      return ids.map((id) => found.some(({ _id }) => _id === id));
    };
    await short.round('heal');
    expect(await dueAfter(now())).toEqual([true, true, true, true, true]);
    let renewed = ahead;
    await until(async () => {
      // Its holder is alive.
      renewed += 1;
      await generations().updateOne({ _id: ids[2] ?? '' }, { $set: { dueAt: new Date(renewed) } });
      await short.round('heal');
      const [submitting, submitted] = await dueAfter(now());
      return submitting === false && submitted === false;
    });
    expect(await dueAfter(now())).toEqual([false, false, true, true, true]);
    await short.close();
  });

  test('leaves alone generations that are held, due in the queue or polled', async () => {
    const due = now() - minuteMs;
    const [held = '', queued = '', submitted = ''] = await first.addGenerations(
      3,
      'acct_1',
      (index) => ({
        dueAt: due,
        leaseUntil: index === 0 ? now() + 30_000 : 0,
        step: index === 2 ? 'submitted' : 'ready',
      }),
    );
    const later = now() + dayMs;
    await first.deps.database.jobs.insertMissing([
      { ...jobOf(held), runAt: later },
      { ...jobOf(queued), runAt: due },
      { ...jobOf(submitted), runAt: later },
    ]);
    await first.round('heal');
    const found = await jobs().find({}).toArray();
    const byId = new Map(
      found.map(({ data, nextRunAt }) => [
        (data as { generationId: string }).generationId,
        (nextRunAt as Date).getTime(),
      ]),
    );
    expect([byId.get(held), byId.get(queued), byId.get(submitted)]).toEqual([later, due, later]);
  });

  test('reaches generations beyond a page, even if those before them stay stalled', async () => {
    const count = 2_500;
    const due = now() - minuteMs;
    await first.addGenerations(count, 'acct_1', (index) => ({ dueAt: due - count + index }));
    // Every job except the youngest is already due, as in a backlog.
    for (let round = 0; round < 4; round += 1) await first.round('heal');
    expect(await jobs().countDocuments({})).toBe(count);
    const [youngest] = await generations().find({}).sort({ dueAt: -1 }).limit(1).toArray();
    const ofIt = { 'data.generationId': youngest?._id ?? '' };
    await jobs().updateMany({}, { $set: { nextRunAt: new Date(due) } });
    await jobs().updateOne(ofIt, { $set: { nextRunAt: new Date(now() + dayMs) } });
    for (let round = 0; round < 4; round += 1) await first.round('heal');
    expect((await jobs().findOne(ofIt))?.['nextRunAt']).not.toEqual(new Date(now() + dayMs));
    expect(await jobs().countDocuments({ nextRunAt: { $gt: new Date(now()) } })).toBe(0);
  });

  test('recreates every lost job within a minute of rounds, at any step', async () => {
    await first.addGenerations(6_000, 'acct_1', () => ({
      step: 'submitted',
      dueAt: now() + 8_000,
      deadlineAt: now() + dayMs,
    }));
    for (let round = 0; round < 6; round += 1) await first.round('heal');
    expect(await jobs().countDocuments({})).toBe(6_000);
    // It sleeps until its deadline: it is polled.
    expect(await jobs().countDocuments({ nextRunAt: { $lt: new Date(now() + minuteMs) } })).toBe(0);
  });

  test('of two processes at once makes each job once', async () => {
    await first.addGenerations(500, 'acct_1', () => ({ dueAt: now() - minuteMs }));
    await Promise.all([first.round('heal'), second.round('heal')]);
    expect(await jobs().countDocuments({})).toBe(500);
  });
});

describe('slots', () => {
  test('are given in every account with a free slot, however many wait in others', async () => {
    // More than one page of accounts without free slots, then those with free slots.
    const busy = { running: 10, waiting: 1 };
    for (let i = 0; i < 600; i += 1) await first.addAccount(busy);
    const starved: string[] = [];
    for (let i = 0; i < 20; i += 1) {
      const id = await first.addAccount({ running: 0, waiting: 1 });
      await first.addGenerations(1, id, () => ({ step: 'waiting', dueAt: now() + dayMs }));
      starved.push(id);
    }
    const asked: string[] = [];
    for await (const page of first.deps.upkeep.listStarvedAccounts({ index: 0, count: 1 }, 10)) {
      asked.push(...page);
    }
    expect(asked.toSorted()).toEqual(starved.toSorted());
    await Promise.all([first.round('slots'), second.round('slots')]);
    const waiting = { accountId: { $in: starved }, step: 'waiting' } as const;
    expect(await generations().countDocuments(waiting)).toBe(0);
    expect(await first.mongo.collections.accounts.countDocuments({ running: 1 })).toBe(20);
  });

  test('an account that cannot be served stops no other, and is left alone for a while', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) ids.push(await first.addAccount({ running: 0, waiting: 1 }));
    for (const id of ids) await first.addGenerations(1, id, () => ({ step: 'waiting' }));
    const tried: string[] = [];
    const whole = first.deps.database;
    const picky = await openUpkeepProcess(database.uri, {
      database: {
        ...whole,
        changeAccount: (id, ...more) => {
          if (tried.at(-1) !== id) tried.push(id);
          if (id === ids[0]) throw new Error('its document is broken');
          return whole.changeAccount(id, ...more);
        },
      },
    });
    await picky.round('slots');
    await picky.round('slots');
    const waits = await generations().find({ step: 'waiting' }).toArray();
    expect(waits.map(({ accountId }) => accountId)).toEqual([ids[0]]);
    expect(tried.filter((id) => id === ids[0])).toHaveLength(1);
    await picky.close();
  });

  test('expired credits are removed even while many generations are stalled', async () => {
    const lot = { id: 'lot_1', kind: 'promotional', amount: 500, remaining: 500 };
    const id = await first.addAccount({
      lots: [{ ...lot, expiresAt: now() - minuteMs, createdAt: 1 }],
    });
    await first.addGenerations(100, id, () => ({ dueAt: now() - minuteMs }));
    await Promise.all([first.round('heal'), first.round('slots')]);
    expect((await first.deps.database.accounts.find(id))?.lots).toMatchObject([{ remaining: 0 }]);
  });
});
