import { dayMs, hourMs, minuteMs, sum } from '@framegate/contract';
import { percentileOf } from '../../domain/generations/durationBuckets.ts';
import { openSpans, type TimeSpan } from '../../domain/providers/openSpans.ts';
import type { App } from '../app.ts';
import { cachedUntilSettled, createCachedReads, readInOrder } from '../cachedReads.ts';
import type { ChartQueries, EndCount, StepSums } from '../ports/staffCharts.ts';
import type { Clock } from '../ports/system.ts';

/** Ranges of the console's charts: number of steps, and their length in ms. */
export const chartRanges = {
  hour: { steps: 60, stepMs: minuteMs },
  day: { steps: 24, stepMs: hourMs },
  week: { steps: 28, stepMs: 6 * hourMs },
  month: { steps: 30, stepMs: dayMs },
} as const;

/** A range of the console's charts, by its name. */
export type RangeName = keyof typeof chartRanges;

/** Starts of a range's steps, oldest first, in ms since the epoch; the last step is still in progress. */
export function stepsOf(range: RangeName, nowMs: number): number[] {
  const { steps, stepMs } = chartRanges[range];
  const last = Math.floor(nowMs / stepMs) * stepMs;
  return Array.from({ length: steps }, (_, index) => last - (steps - 1 - index) * stepMs);
}

/** How long sums that can still change are cached. */
const cacheTimes = { minMs: 4_000, times: 20 };
/** Steps cached: twice those of all ranges. */
const maxCached = 2 * sum(Object.values(chartRanges).map(({ steps }) => steps));
/** Time limit for reading a range, in ms. */
const readWithinMs = 20_000;

/** The data of one range of the charts. */
export interface ChartSums {
  /** Start of each step, oldest first, in ms since the epoch. */
  steps: number[];
  sums: StepSums[];
  /** Unfinished generations of today by the number of steps since their creation. */
  openByAge: Map<number, number>;
}

/**
 * Creates the charts' reader. It covers all ends, however many; each process reads a past step only once.
 * @throws Refusal `too_much_data` (the reader) if a range is too large for one page; steps already read are cached.
 */
export function createChartReader(
  queries: Pick<ChartQueries, 'sumEnds' | 'openByAge'>,
  clock: Pick<Clock, 'now'>,
): (range: RangeName) => Promise<ChartSums> {
  const sumsOf = createCachedReads(clock, {
    max: maxCached,
    read: (key) => queries.sumEnds(stepOf(key)),
    cachedUntil(key, startedAt, endedAt) {
      const { from, lengthMs } = stepOf(key);
      return cachedUntilSettled(from + lengthMs, { startedAt, endedAt }, cacheTimes);
    },
  });
  return async (range) => {
    const { stepMs } = chartRanges[range];
    const steps = stepsOf(range, clock.now());
    const keys = steps.map((from) => `${from} ${stepMs}`);
    const sums = await readInOrder(keys, sumsOf, { clock, withinMs: readWithinMs });
    const until = (steps.at(-1) ?? 0) + stepMs;
    return { steps, sums, openByAge: await queries.openByAge({ until, lengthMs: stepMs }) };
  };
}

function stepOf(key: string) {
  const [from = 0, lengthMs = 0] = key.split(' ').map(Number);
  return { from, lengthMs };
}

/** Periods in which the circuits of providers were open in a span; those without any are left out. */
export async function loadCircuitOpenTimes(
  { staffQueries, breakers }: Pick<App, 'staffQueries' | 'breakers'>,
  providers: readonly string[],
  span: TimeSpan,
): Promise<{ provider: string; spans: TimeSpan[] }[]> {
  const changes = await staffQueries.listCircuitChanges(providers, span);
  return providers.flatMap((provider) => {
    const own = changes.filter((change) => change.provider === provider);
    const { openedAt } = breakers.get(provider);
    const spans = openSpans(own, span, openedAt !== null && openedAt < span.until);
    return spans.length === 0 ? [] : [{ provider, spans }];
  });
}

/** The sums of one model. */
export function sumsOfModel(sums: readonly StepSums[], model: string): StepSums[] {
  const isOf = (each: { model: string }) => each.model === model;
  return sums.map(({ ends, spans }) => ({ ends: ends.filter(isOf), spans: spans.filter(isOf) }));
}

/** Ends per step by name, most frequent name first; unnamed ends are left out. */
export function countByName(
  sums: readonly StepSums[],
  nameOf: (end: EndCount) => string | null,
): { name: string; values: number[] }[] {
  const names = new Map<string, number[]>();
  for (const [step, { ends }] of sums.entries()) {
    for (const end of ends) {
      const name = nameOf(end);
      if (name === null) continue;
      const values = names.get(name) ?? sums.map(() => 0);
      values[step] = (values[step] ?? 0) + end.count;
      names.set(name, values);
    }
  }
  return [...names]
    .map(([name, values]) => ({ name, values }))
    .toSorted((a, b) => sum(b.values) - sum(a.values));
}

/**
 * The time in seconds within which this share of each step's completed generations ended, within 2.5 %; null
 * without any.
 */
export function percentiles(sums: readonly StepSums[], part: number): (number | null)[] {
  return sums.map(({ spans }) => {
    const counts = new Map<number, number>();
    for (const { bucket, count } of spans) {
      if (bucket !== null) counts.set(bucket, (counts.get(bucket) ?? 0) + count);
    }
    return percentileOf(counts, part);
  });
}

/** Credits refunded in each step. */
export function refundsOf(sums: readonly StepSums[]): number[] {
  return sums.map(({ ends }) => sum(ends.map((each) => each.refundedCredits)));
}

/** Unfinished generations at the end of each step. */
export function openCountsOf({ sums, openByAge }: Pick<ChartSums, 'sums' | 'openByAge'>): number[] {
  const last = sums.length - 1;
  const openCounts = sums.map(() => 0);
  /** Adds generations that were created in one step and were unfinished until another. */
  const add = (count: number, fromMs: number, untilMs: number) => {
    for (let step = Math.max(0, fromMs); step < untilMs; step += 1) {
      openCounts[step] = (openCounts[step] ?? 0) + count;
    }
  };
  for (const [age, count] of openByAge) add(count, last - age, last + 1);
  for (const [ended, { spans }] of sums.entries()) {
    for (const { lag, count } of spans) add(count, ended - lag, ended);
  }
  return openCounts;
}
