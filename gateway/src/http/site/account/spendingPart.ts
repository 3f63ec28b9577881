import {
  spendingDays,
  spendingSeries,
  type AccountSpending,
} from '../../../application/site/credits.ts';
import type { Account } from '../../../domain/account.ts';
import { barChart, inColours } from '../../pages/chart.ts';
import { formatDate, formatNumber, html, type Html } from '../../pages/html.ts';
import { filterLinks } from '../../pages/elements.ts';
import { keyNames } from './historyPages.ts';
import type { Site } from './site.ts';

/** What was spent on each of the last days, by model or by key; null before anything was spent. */
export async function spendingPart(
  site: Site,
  account: Account,
  spending: AccountSpending,
  isByKey: boolean,
): Promise<Html | null> {
  const { parts, days, isPartial } = spending;
  const names = await keyNames(site, account, isByKey ? parts : []);
  const models = new Map(site.models.map(({ id, displayName }) => [id, displayName]));
  const sums = spendingSeries(spending, ({ model, keyId }) => {
    if (!isByKey) return models.get(model) ?? model;
    return keyId === null ? 'this site' : (names.get(keyId) ?? 'removed key');
  });
  if (sums.length === 0) return null;
  const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const total = sumOf(sums.map(({ values }) => sumOf(values)));
  const series = inColours(sums).map((each) => ({
    ...each,
    name: `${each.name} ${formatNumber(sumOf(each.values))}`,
  }));
  return html`<h2 id="spent">Spent in ${spendingDays} days</h2>
    ${filterLinks('By', '/credits', { by: isByKey ? 'key' : '' }, 'by', [
      ['', 'model'],
      ['key', 'key'],
    ])}
    ${barChart({
      series,
      columns: days.map(formatDate),
      summary: `${formatNumber(total)} credits for generations, refunded ones not counted${isPartial ? '; of the newest 20,000 generations only' : ''}. Days are UTC.`,
    })}`;
}
