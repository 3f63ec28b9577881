import { dayMs } from '@framegate/contract';
import { type QueryOf, reportLimits } from '@framegate/contract/operator';
import { amountOrNull, usageCsv, type UsageRow, usageRows } from '../../domain/credits/usage.ts';
import { formatMicros } from '../../domain/providers/cost.ts';
import { invalidFieldRefusal } from '../../domain/refusal.ts';
import { parseDay } from '../../domain/time/utcDay.ts';
import type { App } from '../app.ts';
import type { UsageDimension } from '../ports/operator.ts';
import type { OperatorUseCases } from './operatorCall.ts';

type ReportDeps = Pick<App, 'findUsage' | 'creditValue'>;

export const reportUseCases = {
  /** Usage, revenue, costs and margin. @throws Refusal `invalid_request` for a wrong range or too many rows. */
  async getUsage(deps, { query }) {
    const rows = await findRows(deps, query);
    const { creditValue: value } = deps;
    return {
      object: 'usage_report',
      from: query.from,
      to: query.to,
      currency: value?.currency ?? null,
      rows: rows.map((row) => ({
        day: row.day,
        account_id: row.accountId,
        model: row.model,
        generations: row.generations,
        completed: row.completed,
        failed: row.generations - row.completed,
        charged_credits: row.chargedCredits,
        refunded_credits: row.refundedCredits,
        credits: row.credits,
        revenue: amountOrNull(row.revenueMicros),
        costs: row.costs.map(({ currency, micros }) => ({
          currency,
          amount: formatMicros(micros),
        })),
        unknown_costs: row.unknownCosts,
        margin: amountOrNull(row.marginMicros),
      })),
    };
  },

  /** The usage report as CSV. @throws Refusal `invalid_request`. */
  async getUsageCsv(deps, { query }) {
    return usageCsv(await findRows(deps, query), deps.creditValue);
  },
} satisfies Partial<OperatorUseCases>;

async function findRows(
  { findUsage, creditValue }: ReportDeps,
  { from, to, by }: QueryOf<'getUsage'>,
): Promise<UsageRow[]> {
  const [start, end] = [requireDay('from', from), requireDay('to', to) + dayMs];
  const days = (end - start) / dayMs;
  if (days < 1 || days > reportLimits.days) {
    const message = `Must be 1 to ${reportLimits.days} days from the first, inclusive.`;
    throw invalidFieldRefusal('to', 'out_of_range', message);
  }
  const { rows: max } = reportLimits;
  const dimensions = by.split(',') as UsageDimension[];
  const usage = await findUsage({ from: start, until: end, by: dimensions, limit: max + 1 });
  if (usage.counts.length > max) {
    const message = `There are more than ${max} rows: request fewer days or a coarser split.`;
    throw invalidFieldRefusal('by', 'too_many', message);
  }
  return usageRows(usage.counts, usage.costs, creditValue);
}

function requireDay(param: string, text: string): number {
  const day = parseDay(text);
  if (day) return day.from;
  throw invalidFieldRefusal(param, 'invalid_value', `"${text}" is not a day.`);
}
