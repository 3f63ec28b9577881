import { dayMs, dayNumberOf } from '../../domain/utcDay.ts';
import type { Database } from '../ports/database.ts';
import type { Spending } from '../ports/generations.ts';
import type { Clock } from '../ports/system.ts';
import { createKeptReads } from '../keptReads.ts';

/** Days that the chart of an account's spending shows, today among them. */
export const spendingDays = 30;

/** Generations that are looked at for it; an account that makes more sees the newest ones. */
const mostGenerations = 20_000;

/** For how long what was read is shown again, and of how many accounts. */
const keptMs = 60_000;
const mostKept = 500;

/** What an account's generations of the last days have cost. */
export interface AccountSpending {
  parts: Spending[];
  /** The first moment of each day (UTC), the oldest first, in ms since the epoch. */
  days: number[];
  /** Whether there were more generations than are looked at. */
  isPartial: boolean;
}

/** Makes a reader of accounts' spending, which reads the same account's at most once a minute. */
export function createSpendingReader({
  database,
  clock,
}: {
  database: Pick<Database, 'generations'>;
  clock: Pick<Clock, 'now'>;
}): (accountId: string) => Promise<AccountSpending> {
  async function read(accountId: string, now: number): Promise<AccountSpending> {
    const first = dayNumberOf(now) - spendingDays + 1;
    const since = first * dayMs;
    const parts = await database.generations.spending(accountId, since, mostGenerations);
    const count = parts.reduce((sum, part) => sum + part.count, 0);
    const days = Array.from({ length: spendingDays }, (_, index) => (first + index) * dayMs);
    return { parts, days, isPartial: count >= mostGenerations };
  }

  const keptUntil = (_accountId: string, begunAt: number) => begunAt + keptMs;
  return createKeptReads(clock, { most: mostKept, read, keptUntil });
}

/** Sums by name and day, the most expensive first. */
export function spendingSeries(
  { parts, days }: AccountSpending,
  nameOf: (part: Spending) => string,
): { name: string; values: number[] }[] {
  return [...Map.groupBy(parts, nameOf)]
    .map(([name, own]) => {
      const values = days.map((day) =>
        own.reduce((sum, part) => sum + (part.day === day ? part.credits : 0), 0),
      );
      return { name, values, total: values.reduce((sum, value) => sum + value, 0) };
    })
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total)
    .map(({ name, values }) => ({ name, values }));
}
