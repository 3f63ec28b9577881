import type { Router } from '@koa/router';
import { failureCodes, sum } from '@framegate/contract';
import type { App } from '../../../application/app.ts';
import type { StepSums } from '../../../application/ports/staffCharts.ts';
import {
  chartRanges,
  countByName,
  createChartReader,
  loadCircuitOpenTimes,
  openCountsOf,
  percentiles,
  type RangeName,
  refundsOf,
  sumsOfModel,
} from '../../../application/staff/charts.ts';
import { type CostLine, formatMicros, sumCosts } from '../../../domain/providers/cost.ts';
import { isoTime } from '../../../domain/time/isoTime.ts';
import {
  barChart,
  failureTones,
  inColours,
  lineChart,
  nameTones,
  type Series,
} from '../../pages/chart.ts';
import { filterLinks, queryOf } from '../../pages/elements.ts';
import { formatCount, formatDuration, type Html, html } from '../../pages/html.ts';
import type { StaffContext, StaffState } from '../context.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';

/** Bar chart of daily costs in one currency: costs of paid results below, losses above. */
export function costsChart(
  lines: readonly CostLine[],
  days: readonly string[],
  currency: string,
): Html {
  const byDay = Map.groupBy(lines, ({ day }) => day);
  const sumSpent = (costs: readonly CostLine[]) =>
    sumCosts(costs).spent.get(currency) ?? { cost: 0, loss: 0 };
  const sums = days.map((day) => sumSpent(byDay.get(day) ?? []));
  const { cost, loss } = sumSpent(lines);
  return barChart({
    columns: days,
    format: (micros) => `${formatMicros(Math.round(micros))} ${currency}`,
    summary: `${formatMicros(cost)} ${currency} in total, ${formatMicros(loss)} of it for results no customer paid for.`,
    series: [
      { name: 'paid', tone: 'success', values: sums.map((each) => each.cost - each.loss) },
      { name: 'lost', tone: 'danger', values: sums.map((each) => each.loss) },
    ],
  });
}

/** Chart of ends per minute in the last hour. @param minutes Oldest first. */
export function minutesChart(minutes: readonly { completed: number; failed: number }[]): Html {
  const countOf = (status: 'completed' | 'failed') => sum(minutes.map((each) => each[status]));
  return barChart({
    columns: minutes.map((_, index) => `${minutes.length - index} min ago`),
    summary: `In the last hour, ${countOf('completed')} completed and ${countOf('failed')} failed.`,
    series: [
      { name: 'completed', tone: 'success', values: minutes.map(({ completed }) => completed) },
      { name: 'failed', tone: 'danger', values: minutes.map(({ failed }) => failed) },
    ],
  });
}

const path = '/staff/charts';
const names = Object.keys(chartRanges) as RangeName[];

/** Charts of failures, latency, success, refunds and the queue. */
export function addChartPages(router: Router<StaffState>, deps: App): void {
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
    ].toSorted();
    const providers = deps.routes.providers().map(({ provider }) => provider);
    const { stepMs } = chartRanges[range];
    const span = { from: steps[0] ?? 0, until: deps.clock.now() };
    const circuits = await loadCircuitOpenTimes(deps, providers, span);
    const marks = steps.map((from) => {
      const open = circuits.filter(({ spans }) =>
        spans.some((each) => each.from < from + stepMs && each.until > from),
      );
      const named = open.map(({ provider }) => provider).join(', ');
      return named === '' ? null : `circuit open: ${named}`;
    });
    const content = html`<h1>Charts</h1>
      ${filterLinks('Range', path, { ...query, range }, 'range', [
        ['hour', 'hour'],
        ['day', 'day'],
        ['week', '7 days'],
        ['month', '30 days'],
      ])}
      ${filterLinks('Model', path, query, 'model', [['', 'all'], ...models.map((id) => [id, id] as const)])}
      <div class="tiles charts">
        ${barChart({ columns, series: inColours(failures, Object.keys(failureCodes), failureTones), summary: `${formatCount(sumOf(failures), 'failure')}, by code` })}
        ${lineChart({
          columns,
          format: seconds,
          summary: 'From creation to end: median and 95th percentile of completed generations',
          series: [
            { name: 'p50', tone: 'progress', values: percentiles(sums, 0.5) },
            { name: 'p95', tone: 'violet', values: percentiles(sums, 0.95) },
          ],
        })}
        ${successChart(sums, columns, providers, marks)}
        ${barChart({
          columns,
          summary: `${formatCount(sum(refunds), 'credit')} refunded`,
          series: [{ name: 'refunded', tone: 'danger', values: refunds }],
        })}
        ${lineChart({
          columns,
          summary: 'Unfinished generations over time, all models',
          series: [{ name: 'unfinished', tone: 'progress', values: openCountsOf(read) }],
        })}
      </div>`;
    showPage(ctx, 'Charts', content);
  });
}

/** Success rate of the most used providers, in percent. @param all All providers. */
function successChart(
  sums: readonly StepSums[],
  columns: readonly string[],
  all: readonly string[],
  marks: readonly (string | null)[],
) {
  const providers = countByName(sums, ({ provider }) => provider).slice(0, nameTones.length);
  const completed = countByName(sums, ({ provider, status }) =>
    status === 'completed' ? provider : null,
  );
  const series = inColours(providers, all).map(({ name, tone, values }): Series => {
    const succeeded = completed.find((each) => each.name === name)?.values ?? [];
    const rates = values.map((count, step) =>
      count === 0 ? null : (100 * (succeeded[step] ?? 0)) / count,
    );
    return { name, tone, values: rates };
  });
  const format = (value: number) => `${value.toFixed(0)}%`;
  const shaded = marks.some((mark) => mark !== null) ? '; shaded while a circuit was open' : '';
  const summary = `Success rate, by provider of the last attempt${shaded}`;
  return lineChart({ columns, series, format, summary, ...(shaded && { marks }) });
}

function sumOf(sums: readonly { values: number[] }[]): number {
  return sum(sums.flatMap(({ values }) => values));
}

/** Label of a step (UTC): the minute, or the day for a month's range. */
function labelOf(range: RangeName, step: number): string {
  const text = isoTime(step);
  return range === 'month' ? text.slice(0, 10) : `${text.slice(5, 10)} ${text.slice(11, 16)}`;
}
