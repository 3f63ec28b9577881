import { dayMs } from '@framegate/contract';
import { type CostLine, formatMicros } from '../../domain/providers/cost.ts';
import { csvLine, escapeFormula } from '../../domain/text/text.ts';
import { dayOf } from '../../domain/time/utcDay.ts';
import { cachedUntilSettled, createCachedReads, readInOrder } from '../cachedReads.ts';
import type { FindCostLines } from '../ports/staffQueries.ts';
import type { Clock } from '../ports/system.ts';

/** Maximum days of a report. */
export const maxReportDays = 366;
/** Maximum days cached. */
const maxCached = 800;
/** How long figures of the current day are cached. */
const cacheTimes = { minMs: 5_000, times: 20 };
/** Time limit for reading a page's days, in ms. */
const readWithinMs = 20_000;

/** A range of UTC days, inclusive. */
export interface DayRange {
  from: string;
  to: string;
}

/** Costs of attempts by day; each process reads past days once. */
export interface CostReports {
  /** @throws Refusal `too_much_data` if the range is too large for one page; days already read are cached. */
  findLines(range: DayRange): Promise<CostLine[]>;
  /** The lines as CSV (RFC 4180), one day per text; the next day is read once the previous one was consumed. */
  writeCsv(range: DayRange): AsyncGenerator<string>;
}

/** Creates the reader of costs of one process. */
export function createCostReports(
  findLines: FindCostLines,
  clock: Pick<Clock, 'now'>,
): CostReports {
  const linesOf = createCachedReads(clock, {
    max: maxCached,
    read: (day) => findLines(Date.parse(day)),
    cachedUntil: (day, startedAt, endedAt) =>
      cachedUntilSettled(Date.parse(day) + dayMs, { startedAt, endedAt }, cacheTimes),
  });

  return {
    async findLines(range) {
      const days = daysOf(range);
      return (await readInOrder(days, linesOf, { clock, withinMs: readWithinMs })).flat();
    },
    async *writeCsv(range) {
      yield csvLine(columns);
      for (const day of daysOf(range)) {
        const lines = await linesOf(day);
        if (lines.length > 0) yield lines.map((line) => csvLine(cells(line))).join('');
      }
    },
  };
}

const columns = [
  'day',
  'provider',
  'provider_model',
  'model',
  'charge',
  'delivered',
  'attempts',
  'currency',
  'cost',
  'credits',
];

/** An unknown cost gives an empty cell. */
function cells(line: CostLine): string[] {
  const { day, provider, providerModel, model, charge, isDelivered, attempts, currency, credits } =
    line;
  return [
    day,
    escapeFormula(provider),
    escapeFormula(providerModel),
    model,
    charge,
    isDelivered ? 'yes' : 'no',
    String(attempts),
    currency ?? '',
    currency === null ? '' : formatMicros(line.micros),
    String(credits),
  ];
}

/**
 * The days requested by a query; invalid or missing ones default to the last thirty days. At most a year, ending no
 * later than today.
 */
export function dayRange(query: { from?: unknown; to?: unknown }, nowMs: number): DayRange {
  const today = dayOf(nowMs);
  const to = isDay(query.to) && query.to < today ? query.to : today;
  const back = (days: number) => dayOf(Date.parse(to) - days * dayMs);
  const from = isDay(query.from) ? query.from : back(29);
  const earliest = back(maxReportDays - 1);
  return { from: from > to ? to : from < earliest ? earliest : from, to };
}

function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^20\d\d-\d\d-\d\d$/.test(value)) return false;
  const at = Date.parse(value);
  return !Number.isNaN(at) && dayOf(at) === value;
}

/** Each day of a range, oldest first. */
export function daysOf({ from, to }: DayRange): string[] {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
  return Array.from({ length: days }, (_, index) => dayOf(Date.parse(from) + index * dayMs));
}
