import type { Router } from '@koa/router';
import type { StepSums } from '../../application/ports/staffQueries.ts';
import {
  countByName,
  createChartReader,
  depths,
  percentiles,
  ranges,
  refundsOf,
  sumsOfModel,
  type RangeName,
} from '../../application/staff/charts.ts';
import { formatMicros, sumCosts, type CostLine } from '../../domain/providers/cost.ts';
import {
  niceCeiling,
  barChart,
  chartTones,
  inColours,
  lineChart,
  type Series,
} from '../pages/chart.ts';
import { filterLinks, queryOf } from '../pages/elements.ts';
import { html, formatDuration, formatNumber, type Html } from '../pages/html.ts';
import { showPage, type StaffConsole, type StaffContext, type StaffState } from './layout.ts';
import { needs } from './needs.ts';

const width = 960;
const height = 180;
const left = 64;
const bottom = 22;
const top = 10;
/** Maximum number of day labels below the bars. */
const marks = 6;

/**
 * Bar chart of daily costs in one currency: costs of paid results below, losses above. The table of days has
 * the same figures.
 */
export function costsChart(
  lines: readonly CostLine[],
  days: readonly string[],
  currency: string,
): Html {
  const byDay = Map.groupBy(lines, ({ day }) => day);
  const bars = days.map((day) => {
    const { cost = 0, loss = 0 } = sumCosts(byDay.get(day) ?? []).spent.get(currency) ?? {};
    return { day, cost, loss };
  });
  const most = niceCeiling(Math.max(...bars.map(({ cost }) => cost)) / 10_000) * 10_000;
  const plot = height - top - bottom;
  const step = (width - left) / Math.max(1, days.length);
  const y = (value: number) => (top + plot - (plot * value) / most).toFixed(1);
  const shapes = bars.map(({ day, cost, loss }, index) => {
    const bar = (from: number, to: number, kind: string) =>
      to === from
        ? null
        : html`<rect
            class="${kind}"
            x="${(left + index * step + step * 0.1).toFixed(1)}"
            y="${y(to)}"
            width="${(step * 0.8).toFixed(1)}"
            height="${(Number(y(from)) - Number(y(to))).toFixed(1)}"
          />`;
    const paid = cost - loss;
    return html`<g>
      <title>${day}: ${formatMicros(cost)} ${currency}, ${formatMicros(loss)} of it lost</title>
      ${bar(0, paid, 'success')}${bar(paid, cost, 'danger')}
    </g>`;
  });
  const axis = [0, most / 2, most].map(
    (value) =>
      html`<line x1="${left}" x2="${width}" y1="${y(value)}" y2="${y(value)}" />
        <text x="${left - 6}" y="${Number(y(value)) + 4}" text-anchor="end"
          >${formatMicros(Math.round(value))}</text
        >`,
  );
  const every = Math.ceil(days.length / marks);
  const names = days.map((day, index) =>
    index % every === 0
      ? html`<text x="${(left + index * step).toFixed(1)}" y="${height - 6}">${day}</text>`
      : null,
  );
  const { cost = 0, loss = 0 } = sumCosts(lines).spent.get(currency) ?? {};
  const summary = `${formatMicros(cost)} ${currency} in total, ${formatMicros(loss)} of it for results no customer paid for.`;
  return html`<svg
      class="chart"
      viewBox="0 0 ${width} ${height}"
      role="img"
      aria-label="${summary}"
    >
      ${axis} ${names} ${shapes}
    </svg>
    <p class="quiet">${summary}</p>`;
}

/** Chart of ends per minute in the last hour. @param minutes Oldest first. */
export function minutesChart(minutes: readonly { completed: number; failed: number }[]): Html {
  const sum = (of: 'completed' | 'failed') => minutes.reduce((all, each) => all + each[of], 0);
  return barChart({
    columns: minutes.map((_, index) => `${minutes.length - index} min ago`),
    summary: `In the last hour ${sum('completed')} completed and ${sum('failed')} failed.`,
    series: [
      { name: 'completed', tone: 'success', values: minutes.map(({ completed }) => completed) },
      { name: 'failed', tone: 'danger', values: minutes.map(({ failed }) => failed) },
    ],
  });
}

const path = '/staff/charts';
const names = Object.keys(ranges) as RangeName[];

/** Charts of failures, latency, success, refunds and the queue. */
export function chartPages(router: Router<StaffState>, { deps }: StaffConsole): void {
  const readChart = createChartReader(deps.staffQueries, deps.clock);

  router.get(path, needs('see'), async (ctx: StaffContext) => {
    const query = queryOf(ctx.query, ['range', 'model']);
    const range = names.find((each) => each === query['range']) ?? 'day';
    const read = await readChart(range);
    const { steps } = read;
    const { model } = query;
    const sums = model === undefined ? read.sums : sumsOfModel(read.sums, model);
    const columns = steps.map((step) => labelOf(range, step));
    const failures = countByName(sums, ({ code }) => code);
    const seconds = (value: number) => formatDuration(value * 1000);
    const refunds = refundsOf(sums);
    const models = [
      ...new Set(read.sums.flatMap(({ ends }) => ends.map((end) => end.model))),
    ].sort();
    const content = html`<h1>Charts</h1>
      ${filterLinks('Range', path, { ...query, range }, 'range', [
        ['hour', 'hour'],
        ['day', 'day'],
        ['week', '7 days'],
        ['month', '30 days'],
      ])}
      ${filterLinks('Model', path, query, 'model', [['', 'all'], ...models.map((id) => [id, id] as const)])}
      <div class="tiles charts">
        ${barChart({ columns, series: inColours(failures), summary: `${formatNumber(sumOf(failures))} failures, by code` })}
        ${lineChart({
          columns,
          format: seconds,
          summary: 'From creation to end: median and 95th percentile of completed generations',
          series: [
            { name: 'p50', tone: 'progress', values: percentiles(sums, 0.5) },
            { name: 'p95', tone: 'warning', values: percentiles(sums, 0.95) },
          ],
        })}
        ${successCharts(sums, columns)}
        ${barChart({
          columns,
          summary: `${formatNumber(refunds.reduce((sum, each) => sum + each, 0))} credits refunded`,
          series: [{ name: 'refunded', tone: 'danger', values: refunds }],
        })}
        ${lineChart({
          columns,
          summary: 'Unfinished generations over time, all models',
          series: [{ name: 'unfinished', tone: 'progress', values: depths(read) }],
        })}
      </div>`;
    showPage(ctx, 'Charts', content);
  });
}

/** Success rate of each provider, in percent. */
function successCharts(sums: readonly StepSums[], columns: readonly string[]) {
  const tried = countByName(sums, ({ provider }) => provider);
  const completed = countByName(sums, ({ provider, status }) =>
    status === 'completed' ? provider : null,
  );
  const series = tried.slice(0, chartTones.length).map(({ name, values }, at): Series => {
    const succeeded = completed.find((each) => each.name === name)?.values ?? [];
    const rates = values.map((all, step) =>
      all === 0 ? null : (100 * (succeeded[step] ?? 0)) / all,
    );
    return { name, tone: chartTones[at] ?? chartTones[0], values: rates };
  });
  const format = (value: number) => `${value.toFixed(0)} %`;
  return lineChart({ columns, series, format, summary: 'Success by provider of the last attempt' });
}

function sumOf(sums: readonly { values: number[] }[]): number {
  return sums.flatMap(({ values }) => values).reduce((sum, each) => sum + each, 0);
}

/** Label of a step (UTC): the minute, or the day for a month's range. */
function labelOf(range: RangeName, step: number): string {
  const text = new Date(step).toISOString();
  return range === 'month' ? text.slice(0, 10) : `${text.slice(5, 10)} ${text.slice(11, 16)}`;
}
