import type { Router } from '@koa/router';
import { dayMs } from '@framegate/contract';
import type { Money } from '@framegate/provider-routes';
import type { App } from '../../../application/app.ts';
import { createOrdersBelowCost } from '../../../application/catalogue/ordersBelowCost.ts';
import {
  type DayRange,
  dayRange,
  daysOf,
  maxReportDays,
} from '../../../application/staff/costs.ts';
import {
  type CostLine,
  costsBy,
  type CostSum,
  formatMicros,
  formatMoney,
  marginOf,
  moneyOf,
  sumCosts,
} from '../../../domain/providers/cost.ts';
import { dayOf } from '../../../domain/time/utcDay.ts';
import { does } from '../../atWork.ts';
import { formatCount, formatNumber, type Html, html } from '../../pages/html.ts';
import type { StaffContext, StaffState } from '../context.ts';
import { booksPart } from '../credits/bookPages.ts';
import { table } from '../elements.ts';
import { costsChart } from '../figures/chartPages.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';
import { sendCsv } from '../sendCsv.ts';
import { belowCostPart, offersIn } from './belowCostPart.ts';

/** Maximum rows of a table; the CSV has all of them. */
const maxRows = 100;

/** Costs of providers, revenue and margin. */
export function addCostPages(router: Router<StaffState>, deps: App): void {
  const { costs, creditValue, clock } = deps;
  const ordersBelowCost = createOrdersBelowCost(deps.routes);

  router.get('/staff/costs', needs('see costs'), does('search'), async (ctx: StaffContext) => {
    const nowMs = clock.now();
    const range = dayRange(ctx.query, nowMs);
    const [lines, spent] = await Promise.all([
      costs.findLines(range),
      deps.budgets.sumSpent(dayOf(nowMs)),
    ]);
    const budgets = deps.routes.providers().flatMap(({ provider, budget }) => {
      if (budget === null) return [];
      const spending = spent.find(
        (each) => each.provider === provider && each.spent.currency === budget.currency,
      );
      return [{ provider, budget, micros: spending?.spent.micros ?? 0 }];
    });
    const below = creditValue ? await ordersBelowCost(offersIn(deps), creditValue) : [];
    const content = html`<h1>Costs</h1>
      ${belowCostPart(below, creditValue)} ${rangePart(range, nowMs)}
      ${summaryPart(lines, creditValue)}
      ${lines.length === 0 ? html`<p>No generations ended on these days.</p>` : reportPart(lines, range, creditValue)}
      ${budgetPart(budgets)} ${notesPart(creditValue)} ${booksPart(nowMs)}`;
    showPage(ctx, 'Costs', content);
  });

  router.get('/staff/costs.csv', needs('see costs'), does('export'), (ctx: StaffContext) => {
    const range = dayRange(ctx.query, clock.now());
    sendCsv(ctx, `costs-${range.from}-${range.to}`, costs.writeCsv(range));
  });
}

function rangePart({ from, to }: DayRange, nowMs: number): Html {
  const today = dayOf(nowMs);
  const last = (days: number) => {
    const since = dayRange({ from: dayOf(nowMs - (days - 1) * dayMs) }, nowMs).from;
    return html`<a href="/staff/costs?from=${since}&amp;to=${today}">${days} days</a> `;
  };
  return html`<form class="inline" method="get" action="/staff/costs">
      <label>From <input type="date" name="from" value="${from}" max="${today}" required /></label>
      <label>To <input type="date" name="to" value="${to}" max="${today}" required /></label>
      <button>Show</button>
    </form>
    <p>
      The last ${[7, 30, 90, maxReportDays].map(last)} ·
      <a href="/staff/costs.csv?from=${from}&amp;to=${to}" download>Download these days as CSV</a>
    </p>`;
}

function summaryPart(lines: readonly CostLine[], creditValue: Money | null): Html {
  const sum = sumCosts(lines);
  const tile = (name: string, value: Html | string, note: string) =>
    html`<div class="tile"><b>${value}</b><span>${name}</span><small>${note}</small></div>`;
  const revenue = creditValue
    ? formatMoney(moneyOf(sum.credits, creditValue))
    : 'CREDIT_VALUE not set';
  return html`<div class="tiles">
    ${tile('cost', costCell(sum, 'cost'), 'billed, or may be billed')}
    ${tile('may be billed', costCell(sum, 'possible'), 'failed, or unknown outcome')}
    ${tile('loss', costCell(sum, 'loss'), 'results no customer paid for')}
    ${tile('credits earned', formatNumber(sum.credits), revenue)}
    ${tile('margin', marginCell(sum, creditValue), 'revenue minus all costs')}
  </div>`;
}

function reportPart(lines: readonly CostLine[], range: DayRange, creditValue: Money | null): Html {
  const days = daysOf(range);
  const currencies = [...sumCosts(lines).spent.keys()].toSorted();
  const parts: [string, ReturnType<typeof costsBy>][] = [
    ['Route', costsBy(lines, ({ provider, providerModel }) => `${provider} ${providerModel}`)],
    ['Model', costsBy(lines, ({ model }) => model)],
    ['Provider', costsBy(lines, ({ provider }) => provider)],
    ['Day', costsBy(lines, ({ day }) => day).toSorted((a, b) => (a.name < b.name ? 1 : -1))],
  ];
  return html`${currencies.map(
    (currency) =>
      html`<section>
        <h2>Cost per day in ${currency}</h2>
        ${costsChart(lines, days, currency)}
      </section>`,
  )}
  ${parts.map(
    ([column, groups]) =>
      html`<section>
        <h2>By ${column.toLowerCase()}</h2>
        ${costTable(column, groups, creditValue)}
      </section>`,
  )}`;
}

function costTable(
  column: string,
  groups: ReturnType<typeof costsBy>,
  creditValue: Money | null,
): Html {
  const rows = groups
    .slice(0, maxRows)
    .map(({ name, sum }) => [
      name,
      formatNumber(sum.attempts),
      costCell(sum, 'cost'),
      costCell(sum, 'possible'),
      costCell(sum, 'loss'),
      formatNumber(sum.credits),
      marginCell(sum, creditValue),
    ]);
  const more = groups.length - rows.length;
  const columns = [
    ...[column, 'Attempts', 'Cost', 'May be billed', 'Loss', 'Credits earned', 'Margin'],
  ];
  return html`${table(columns, rows, 'No costs.')}
  ${more > 0 && html`<p class="quiet">${more} more in the CSV.</p>`}`;
}

/** Amounts by currency, with the number of unknown costs. */
export function costCell(
  { spent, unknown }: CostSum,
  part: 'cost' | 'possible' | 'loss',
): Html | string {
  const amounts = [...spent]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, each]) => formatMoney({ currency, micros: each[part] }));
  const count = unknown[part];
  if (count > 0) {
    amounts.push(`unknown (${formatCount(count, 'attempt')})`);
  }
  if (amounts.length === 0) return '0';
  return html`${amounts.map((amount, index) => html`${index > 0 && html`<br />`}${amount}`)}`;
}

function marginCell(sum: CostSum, creditValue: Money | null): string {
  const margin = marginOf(sum, creditValue);
  return margin === null || creditValue === null
    ? 'unknown'
    : `${formatMicros(margin)} ${creditValue.currency}`;
}

function budgetPart(
  budgets: readonly { provider: string; budget: Money; micros: number }[],
): Html | null {
  if (budgets.length === 0) return null;
  const rows = budgets.map(({ provider, budget, micros }) => [
    provider,
    formatMoney(budget),
    formatMoney({ ...budget, micros }),
    formatMoney({ ...budget, micros: Math.max(0, budget.micros - micros) }),
  ]);
  return html`<section>
    <h2>Budgets today (UTC)</h2>
    ${table(['Provider', 'Budget', 'Ordered', 'Remaining'], rows, '')}
  </section>`;
}

function notesPart(creditValue: Money | null): Html {
  return html`<p class="quiet">
    Generations count on the day (UTC) they ended; unfinished ones are excluded. Costs are those
    that providers report, otherwise those of the routes file at the time of the order, and include
    amounts that may be billed.
    ${
      creditValue === null
        ? html`Margins need the setting <code>CREDIT_VALUE</code>.`
        : html`The value of a credit is ${formatMoney(creditValue)}.`
    }
    A margin is unknown if any cost is unknown or in another currency.
  </p>`;
}
