import { beforeAll, describe, expect, test } from '@jest/globals';
import { hourMs, minuteMs } from '@framegate/contract';
import { createStaffQueries } from '../../gateway/src/adapters/mongo/staff/staffQueries.ts';
import {
  countByName,
  createChartReader,
  openCountsOf,
  percentiles,
  refundsOf,
  sumsOfModel,
} from '../../gateway/src/application/staff/charts.ts';
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

const [second, minute, hour] = [1_000, minuteMs, hourMs];
const noon = Date.UTC(2026, 0, 15, 12, 0, 30);
let opened: WorkProcess;
let nowMs: number;
let stored = 0;

const running = useWorkProcesses(1);
beforeAll(() => {
  [opened] = running();
});

/** The charts of one process, by a clock that stands still. */
function newReader() {
  const clock = { now: () => nowMs };
  const { models, collections, lookups } = opened.mongo;
  const queries = createStaffQueries(models, collections, lookups, clock);
  const asked: number[] = [];
  const read = createChartReader(
    {
      openByAge: (step) => queries.openByAge(step),
      sumEnds: (step) => {
        asked.push(step.from);
        return queries.sumEnds(step);
      },
    },
    clock,
  );
  return { read, asked };
}
const generation = (createdAt: number, more: Partial<Generation> = {}) => {
  const id = `gen_${createdAt.toString(32).padStart(10, '0')}${(stored += 1)}`;
  return workGeneration(id, 'acct_1', createdAt, { step: 'ready', ...more });
};
const ended = (endedAt: number, tookMs: number, more: Partial<Generation> = {}) =>
  generation(endedAt - tookMs, {
    step: 'ended',
    status: 'completed',
    startedAt: endedAt - tookMs,
    endedAt,
    attempts: [acceptedBy('a', endedAt)],
    ...more,
  });
const failed = (endedAt: number, code: 'generation_timeout' | 'generation_failed') =>
  ended(endedAt, second, {
    status: 'failed',
    failure: { code },
    refundedCredits: 10,
  });

describe('the charts', () => {
  test('count every end by code and provider, with its refund and duration', async () => {
    nowMs = noon;
    await store(opened.mongo, [
      ...range(30).map(() => ended(nowMs - 10 * minute, 20 * second)),
      ...range(10).map(() => ended(nowMs - 10 * minute, 90 * second)),
      ended(nowMs - 10 * minute, hour, { model: 'other', attempts: [acceptedBy('b', nowMs)] }),
      failed(nowMs - 5 * minute, 'generation_timeout'),
      failed(nowMs - 5 * minute, 'generation_timeout'),
      failed(nowMs, 'generation_failed'),
      ended(nowMs - 2 * hour, second),
    ]);
    const { sums } = await newReader().read('hour');
    const at = (values: readonly unknown[], minutes: number) => values.at(-1 - minutes);
    const codes = countByName(sums, ({ code }) => code);
    expect(codes.map(({ name, values }) => [name, at(values, 5), at(values, 0)])).toEqual([
      ['generation_timeout', 2, 0],
      ['generation_failed', 0, 1],
    ]);
    const providers = countByName(sums, ({ provider }) => provider);
    expect(providers.map(({ name, values }) => [name, at(values, 10)])).toEqual([
      ['a', 40],
      ['b', 1],
    ]);
    expect([at(refundsOf(sums), 5), at(refundsOf(sums), 0)]).toEqual([20, 10]);
    const own = sumsOfModel(sums, 'm');
    expect(Number(at(percentiles(own, 0.5), 10)) / 20).toBeCloseTo(1, 1);
    expect(Number(at(percentiles(own, 0.95), 10)) / 90).toBeCloseTo(1, 1);
    expect(at(percentiles(sums, 1), 10)).toBeGreaterThan(3_500);
    expect(at(percentiles(sums, 0.5), 0)).toBeNull();
  });

  test('show how many were unfinished at the end of each step', async () => {
    nowMs = noon;
    await store(opened.mongo, [
      generation(nowMs - 3 * hour),
      generation(nowMs - 4 * minute),
      generation(nowMs),
      // Unfinished at the ends of the minutes 9 to 7 before this one.
      ended(nowMs - 6 * minute, 3 * minute),
      ended(nowMs - 20 * minute, second),
      // Created before the range.
      ended(nowMs - 58 * minute, 5 * hour),
    ]);
    const open = openCountsOf(await newReader().read('hour'));
    expect(open).toHaveLength(60);
    const last = open.slice(-11);
    expect(last).toEqual([1, 2, 2, 2, 1, 1, 2, 2, 2, 2, 3]);
    expect(open.slice(0, 3)).toEqual([2, 1, 1]);
  });

  test('read each past step once, and the last ones again', async () => {
    nowMs = noon;
    const { read, asked } = newReader();
    await read('hour');
    expect(asked).toHaveLength(60);
    await read('hour');
    expect(asked).toHaveLength(60);
    nowMs += 10 * second;
    await store(opened.mongo, [ended(nowMs - minute, second)]);
    const { sums } = await read('hour');
    expect(asked.length - 60).toBe(3);
    expect(sums.at(-2)?.ends).toMatchObject([{ model: 'm', status: 'completed', count: 1 }]);
  });

  test('refuse a range that takes too long, and keep the data read', async () => {
    nowMs = noon;
    const clock = { now: () => nowMs };
    let asked = 0;
    const read = createChartReader(
      {
        openByAge: async () => Promise.resolve(new Map()),
        sumEnds: async () => {
          asked += 1;
          nowMs += second;
          return Promise.resolve({ ends: [], spans: [] });
        },
      },
      clock,
    );
    await expect(read('month')).rejects.toMatchObject({ code: 'too_much_data' });
    const before = asked;
    await read('month');
    expect([before < 30, asked]).toEqual([true, 30]);
  });

  test('read an index, and no end of another step', async () => {
    nowMs = noon;
    await store(opened.mongo, [
      ...range(50).map((each) => ended(nowMs - each * minute, second)),
      ...range(50).map((each) => generation(nowMs - each * minute)),
    ]);
    const { read } = newReader();
    const found = await profile(opened.mongo.db, ['generations'], () => read('hour'));
    expect(found.filter(({ plan }) => plan.includes('COLLSCAN'))).toEqual([]);
    expect(found.filter(({ documents }) => documents > 2)).toEqual([]);
  });
});
