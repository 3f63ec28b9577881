import { dayMs, minuteMs, sum } from '@framegate/contract';
import { dayNumberOf } from '../../domain/time/utcDay.ts';
import { createCachedReads } from '../cachedReads.ts';
import type { Database } from '../ports/database.ts';
import type { Spending } from '../ports/generations.ts';
import type { Clock } from '../ports/system.ts';

/** Days in the chart of an account's spending, including today. */
export const spendingDays = 30;

/** Maximum generations read; a larger account sees the newest ones. */
const maxGenerations = 20_000;

/** Lifetime of a cached result, in ms, and maximum number of cached accounts. */
const cachedMs = minuteMs;
const maxCached = 500;

/** The cost of an account's generations in the last days. */
export interface AccountSpending {
  parts: Spending[];
  /** The start of each UTC day, oldest first, in ms since the epoch. */
  days: number[];
  /** Whether there were more generations than were read. */
  isPartial: boolean;
}

/** Creates a reader of accounts' spending that reads each account at most once a minute. */
export function createSpendingReader({
  database,
  clock,
}: {
  database: Pick<Database, 'generations'>;
  clock: Pick<Clock, 'now'>;
}): (accountId: string) => Promise<AccountSpending> {
  async function read(accountId: string, nowMs: number): Promise<AccountSpending> {
    const first = dayNumberOf(nowMs) - spendingDays + 1;
    const since = first * dayMs;
    const parts = await database.generations.sumSpending(accountId, since, maxGenerations);
    const count = sum(parts.map((part) => part.count));
    const days = Array.from({ length: spendingDays }, (_, index) => (first + index) * dayMs);
    return { parts, days, isPartial: count >= maxGenerations };
  }

  const cachedUntil = (_accountId: string, startedAt: number) => startedAt + cachedMs;
  return createCachedReads(clock, { max: maxCached, read, cachedUntil });
}

/** Sums by name and day, most expensive first. */
export function spendingSeries(
  { parts, days }: AccountSpending,
  nameOf: (part: Spending) => string,
): { name: string; values: number[] }[] {
  return [...Map.groupBy(parts, nameOf)]
    .map(([name, own]) => {
      const values = days.map((day) =>
        sum(own.filter((part) => part.day === day).map((part) => part.credits)),
      );
      return { name, values, total: sum(values) };
    })
    .filter(({ total }) => total > 0)
    .toSorted((a, b) => b.total - a.total)
    .map(({ name, values }) => ({ name, values }));
}
