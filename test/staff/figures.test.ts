import { beforeAll, describe, expect, test } from '@jest/globals';
import { hourMs, minuteMs, sum } from '@framegate/contract';
import {
  createFindEndFigures,
  createFindOpenFigures,
} from '../../gateway/src/adapters/mongo/staff/figures.ts';
import type { Generation } from '../../gateway/src/domain/generations/generation.ts';
import { profile } from '../support/profile.ts';
import { useWorkProcesses } from '../support/useWorkProcesses.ts';
import {
  acceptedBy,
  range,
  store,
  workGeneration,
  type WorkProcess,
} from '../support/workWorld.ts';

const [minute, hour] = [minuteMs, hourMs];
const noon = Date.UTC(2026, 0, 15, 12, 0, 30);
let opened: WorkProcess;
let nowMs: number;
let stored = 0;

const running = useWorkProcesses(1);
beforeAll(() => {
  [opened] = running();
});

/** Figures of one process, by a clock that stands still. */
const newReader = () => {
  const clock = { now: () => nowMs };
  const { collections } = opened.mongo;
  return {
    open: createFindOpenFigures(collections, clock),
    ends: createFindEndFigures(collections, clock),
  };
};
const generation = (createdAt: number, more: Partial<Generation>) => {
  const id = `gen_${createdAt.toString(32).padStart(10, '0')}${(stored += 1)}`;
  return workGeneration(id, 'acct_1', createdAt, more);
};
const ended = (endedAt: number, status: 'completed' | 'failed' = 'completed') =>
  generation(endedAt - minute, {
    step: 'ended',
    status,
    startedAt: endedAt - minute,
    endedAt,
    refundedCredits: status === 'failed' ? 30 : 0,
    attempts: [acceptedBy('a', endedAt)],
  });
const withProvider = (createdAt: number, provider: string) =>
  generation(createdAt, {
    step: 'submitted',
    status: 'processing',
    attempts: [acceptedBy(provider, createdAt)],
  });
describe('figures of unfinished generations', () => {
  test('are given by step and age, with the oldest, and by provider', async () => {
    nowMs = noon;
    const oldest = withProvider(nowMs - 3 * hour, 'a');
    await store(opened.mongo, [
      ...[oldest, withProvider(nowMs - 2 * minute, 'b'), withProvider(nowMs - 3_000, 'a')],
      generation(nowMs - 20 * minute, { step: 'parked' }),
      // Called to a slot, but not yet at its provider.
      generation(nowMs - 20 * minute, { step: 'ready', providerSlot: 'b' }),
      ended(nowMs - minute),
    ]);
    const { open, withProviders, readAt } = await newReader().open();
    expect(readAt).toBe(nowMs);
    expect(withProviders).toEqual(new Map(Object.entries({ a: 2, b: 1 })));
    expect(open.toSorted((a, b) => (a.step < b.step ? -1 : 1))).toMatchObject([
      { step: 'parked', status: 'queued', model: 'm', count: 1, ages: [0, 0, 1, 0] },
      { step: 'ready', status: 'queued', count: 1, ages: [0, 0, 1, 0] },
      {
        step: 'submitted',
        status: 'processing',
        count: 3,
        ages: [1, 1, 0, 1],
        oldestAt: nowMs - 3 * hour,
        oldestId: oldest.id,
      },
    ]);
  });

  test('list the longest unfinished first, so that lines keep their places', async () => {
    nowMs = noon;
    const ages = [40, 700, 5, 90, 3_000, 20, 160];
    const models = ages.map((age) => ({ model: `m-${age}`, createdAt: nowMs - age * 1000 }));
    await store(
      opened.mongo,
      models.map(({ model, createdAt }) => generation(createdAt, { model, step: 'ready' })),
    );
    const { open } = await newReader().open();
    expect(open.map(({ model }) => model)).toEqual(
      ages.toSorted((a, b) => b - a).map((age) => `m-${age}`),
    );
  });

  test('are read from an index, however much is in flight', async () => {
    nowMs = noon;
    await store(
      opened.mongo,
      range(2_000).map((index) => withProvider(nowMs - index * 1_000, 'a')),
    );
    const read = await profile(opened.mongo.db, ['generations', 'agendaJobs'], async () => {
      expect((await newReader().open()).withProviders.get('a')).toBe(2_000);
    });
    expect(read.length).toBeGreaterThan(2);
    expect(read.filter(({ plan }) => plan.includes('COLLSCAN'))).toEqual([]);
    expect(sum(read.map(({ documents }) => documents))).toBe(0);
  });
});

describe('figures of ended generations', () => {
  test('are given by minute of the last hour, and refunds since midnight', async () => {
    nowMs = noon;
    await store(opened.mongo, [
      ...[
        ended(nowMs),
        ended(nowMs - 10_000, 'failed'),
        ended(nowMs - minute),
        ended(nowMs - 59 * minute),
      ],
      ...[ended(nowMs - hour), { ...ended(nowMs - 11 * hour, 'failed'), refundedCredits: 15 }],
      ended(nowMs - 13 * hour, 'failed'),
    ]);
    const read = await newReader().ends();
    expect(read.minutes).toHaveLength(60);
    expect(read.minutes.at(-1)).toEqual({ completed: 1, failed: 1 });
    expect(read.minutes.at(-2)).toEqual({ completed: 1, failed: 0 });
    expect(read.minutes.at(0)).toEqual({ completed: 1, failed: 0 });
    expect(sum(read.minutes.map(({ completed }) => completed))).toBe(3);
    // One full refund, and a half one.
    expect(read.refundsToday).toEqual({ count: 2, credits: 45 });
    expect(read.ended).toHaveLength(7);
    expect(read.ended[0]).toEqual({
      model: 'm',
      route: 'a up',
      status: 'completed',
      seconds: 60,
    });
  });

  test('advance with time, across midnight, also in a process that has just started', async () => {
    nowMs = Date.UTC(2026, 0, 15, 23, 58, 30);
    const [first, at] = [newReader(), nowMs];
    await store(opened.mongo, [ended(nowMs - 3 * minute, 'failed')]);
    expect((await first.ends()).refundsToday.count).toBe(1);
    // Written some time after its end.
    await store(opened.mongo, [ended(at - minute, 'failed')]);
    expect((await first.ends()).refundsToday.count).toBe(2);
    for (const [later, failed, refunds] of [
      [minute, 3, 3],
      [2 * minute, 4, 1],
      [62 * minute, 1, 2],
    ] as const) {
      nowMs = at + later;
      await store(opened.mongo, [ended(nowMs, 'failed')]);
      const [known, fresh] = [await first.ends(), await newReader().ends()];
      expect(known).toEqual(fresh);
      expect(sum(known.minutes.map((each) => each.failed))).toBe(failed);
      expect(known.refundsToday.count).toBe(refunds);
    }
  });

  test('do not cost more as more generations end', async () => {
    nowMs = noon;
    const reader = newReader();
    const costs = [];
    for (const count of [3_200, 1_800]) {
      await store(
        opened.mongo,
        range(count).map((index) =>
          ended(nowMs - 3 * minute - index * 500, index % 10 === 0 ? 'failed' : 'completed'),
        ),
      );
      const first = await profile(opened.mongo.db, ['generations'], () => newReader().ends());
      await reader.ends();
      const again = await profile(opened.mongo.db, ['generations'], () => reader.ends());
      expect(first.filter(({ plan }) => plan.includes('COLLSCAN'))).toEqual([]);
      costs.push({
        documents: sum(first.map((each) => each.documents)),
        keysAgain: sum(again.map((each) => each.keys)),
      });
    }
    const [few, many] = costs;
    expect(few?.documents).toBe(3_000);
    expect(many?.documents).toBe(3_000);
    // Past minutes are not read again, only the newest ends.
    expect(few?.keysAgain).toBeLessThan(3_050);
    expect(many?.keysAgain).toBeLessThan(3_050);
  });
});
