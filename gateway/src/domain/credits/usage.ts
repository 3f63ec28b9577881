import { sum } from '@framegate/contract';
import type { Money } from '@framegate/provider-routes';
import { formatMicros } from '../providers/cost.ts';
import { csvLine } from '../text/text.ts';

/** The subject of a report row; dimensions that do not split the report are null. */
export interface UsageKey {
  /** Day (UTC) on which the generations ended, such as `2026-11-22`. */
  day: string | null;
  accountId: string | null;
  model: string | null;
}

/** Counts and credits of generations that have ended. */
export interface UsageCount extends UsageKey {
  generations: number;
  completed: number;
  chargedCredits: number;
  refundedCredits: number;
}

/** Costs of their attempts in one currency (null: attempts of unknown cost). */
export interface UsageCost extends UsageKey {
  currency: string | null;
  attempts: number;
  /** Amount in millionths of the currency. */
  micros: number;
}

/** A report row. Amounts of money in millionths. */
export interface UsageRow extends UsageCount {
  /** Charged minus refunded. */
  credits: number;
  /** Costs by currency, alphabetically. */
  costs: Money[];
  /** Attempts of unknown cost. */
  unknownCosts: number;
  /** Null if the value of a credit is not set. */
  revenueMicros: number | null;
  /** Null if a cost is unknown or not in the revenue's currency. */
  marginMicros: number | null;
}

const usageRowKey = ({ day, accountId, model }: UsageKey) => [day, accountId, model].join(' ');

/** Joins counts and costs into rows, in the order of the counts. */
export function usageRows(
  counts: readonly UsageCount[],
  costs: readonly UsageCost[],
  value: Money | null,
): UsageRow[] {
  const byKey = Map.groupBy(costs, usageRowKey);
  return counts.map((count) => {
    const own = byKey.get(usageRowKey(count)) ?? [];
    const knownCosts = own
      .flatMap(({ currency, micros }) => (currency === null ? [] : [{ currency, micros }]))
      .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
    const unknownCosts = own.find(({ currency }) => currency === null)?.attempts ?? 0;
    const credits = count.chargedCredits - count.refundedCredits;
    const revenueMicros = value && credits * value.micros;
    const isComparable =
      unknownCosts === 0 && knownCosts.every(({ currency }) => currency === value?.currency);
    const costMicros = sum(knownCosts.map(({ micros }) => micros));
    const marginMicros =
      revenueMicros === null || !isComparable ? null : revenueMicros - costMicros;
    return { ...count, credits, costs: knownCosts, unknownCosts, revenueMicros, marginMicros };
  });
}

/** Formats an amount such as `1.25`; null stays null. */
export const amountOrNull = (micros: number | null) =>
  micros === null ? null : formatMicros(micros);

/** Later versions may append columns. */
const columns = [
  'day',
  'account_id',
  'model',
  'generations',
  'completed',
  'failed',
  'charged_credits',
  'refunded_credits',
  'credits',
  'currency',
  'revenue',
  'costs',
  'unknown_costs',
  'margin',
];

/** The rows as CSV (RFC 4180). Several costs are separated by semicolons; unknown amounts are empty. */
export function usageCsv(rows: readonly UsageRow[], value: Money | null): string {
  const lines = rows.map((row) =>
    csvLine([
      row.day ?? '',
      row.accountId ?? '',
      row.model ?? '',
      String(row.generations),
      String(row.completed),
      String(row.generations - row.completed),
      String(row.chargedCredits),
      String(row.refundedCredits),
      String(row.credits),
      value?.currency ?? '',
      amountOrNull(row.revenueMicros) ?? '',
      row.costs.map(({ currency, micros }) => `${formatMicros(micros)} ${currency}`).join('; '),
      String(row.unknownCosts),
      amountOrNull(row.marginMicros) ?? '',
    ]),
  );
  return [csvLine(columns), ...lines].join('');
}
