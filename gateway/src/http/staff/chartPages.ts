import type { Router } from '@koa/router';
import type { EndedPoint } from '../../application/ports/staffQueries.ts';
import {
  keepFor,
  countByName,
  depths,
  endsByStep,
  percentiles,
  ranges,
  stepsOf,
  type RangeName,
} from '../../application/staff/figures.ts';
import { barChart, chartTones, inColours, lineChart, type Series } from '../pages/chart.ts';
import { formatDuration, formatNumber, html } from '../pages/html.ts';
import { filterLinks, queryOf } from '../pages/elements.ts';
import { showPage } from './layout.ts';
import type { StaffConsole, StaffContext, StaffState } from './staffContext.ts';

const path = '/staff/charts';
const names = Object.keys(ranges) as RangeName[];

/** Ends and open ones that a page of charts is drawn from; of more, the newest. */
const most = 20_000;

/** Failures, latency, success, refunds and the queue over a range of time. */
export function chartPages(router: Router<StaffState>, { deps }: StaffConsole): void {
  const { clock } = deps.work;
  const readers = new Map(
    names.map((range) => [
      range,
      keepFor(async () => {
        const now = clock.now();
        const steps = stepsOf(range, now);
        const [ends, openSince] = await Promise.all([
          deps.queries.ends(steps[0] ?? now, most),
          deps.queries.openSince(most),
        ]);
        return { now, steps, ends, openSince };
      }, clock),
    ]),
  );

  router.get(path, async (ctx: StaffContext) => {
    const query = queryOf(ctx.query, ['range', 'model']);
    const range = names.find((each) => each === query['range']) ?? 'day';
    const read = await readers.get(range)?.();
    if (!read) return;
    const { now, steps, ends, openSince } = read;
    const { model } = query;
    const chosen = model === undefined ? ends : ends.filter((end) => end.model === model);
    const size = { stepMs: ranges[range].stepMs, now };
    const groups = endsByStep(chosen, steps, size);
    const columns = steps.map((step) => wordsOf(range, step));
    const failures = countByName(groups, ({ code }) => code);
    const seconds = (value: number) => formatDuration(value * 1000);
    const refunds = groups.map((group) =>
      group.reduce((sum, { status, credits }) => sum + (status === 'failed' ? credits : 0), 0),
    );
    const models = [...new Set(ends.map((end) => end.model))].sort();
    const content = html`<h1>Charts</h1>
      ${filterLinks('Range', path, { ...query, range }, 'range', [
        ['hour', 'hour'],
        ['day', 'day'],
        ['week', '7 days'],
        ['month', '30 days'],
      ])}
      ${filterLinks('Model', path, query, 'model', [['', 'all'], ...models.map((id) => [id, id] as const)])}
      ${ends.length >= most && html`<p class="notice warning">Of the newest ${formatNumber(most)} ends only.</p>`}
      <div class="tiles charts">
        ${barChart({ columns, series: inColours(failures), summary: `${formatNumber(sumOf(failures))} failures, by code` })}
        ${lineChart({
          columns,
          format: seconds,
          summary: 'From creation to end: median and 95th percentile of completed ones',
          series: [
            { name: 'p50', tone: 'progress', values: percentiles(groups, 0.5) },
            { name: 'p95', tone: 'warning', values: percentiles(groups, 0.95) },
          ],
        })}
        ${successCharts(groups, columns)}
        ${barChart({
          columns,
          summary: `${formatNumber(refunds.reduce((sum, each) => sum + each, 0))} credits refunded`,
          series: [{ name: 'refunded', tone: 'danger', values: refunds }],
        })}
        ${lineChart({
          columns,
          summary: 'Unfinished generations of all models, at the end of each step',
          series: [
            { name: 'unfinished', tone: 'progress', values: depths(ends, openSince, steps, size) },
          ],
        })}
      </div>`;
    showPage(ctx, 'Charts', content);
  });
}

/** For each provider the part of its ends that completed, in percent. */
function successCharts(groups: readonly EndedPoint[][], columns: readonly string[]) {
  const tried = countByName(groups, ({ provider }) => provider);
  const series = tried.slice(0, chartTones.length).map(({ name, values }, at): Series => {
    const completed = groups.map(
      (group) =>
        group.filter(({ provider, status }) => provider === name && status === 'completed').length,
    );
    const rates = values.map((all, step) =>
      all === 0 ? null : (100 * (completed[step] ?? 0)) / all,
    );
    return { name, tone: chartTones[at] ?? chartTones[0], values: rates };
  });
  const format = (value: number) => `${value.toFixed(0)} %`;
  return lineChart({ columns, series, format, summary: 'Success by provider of the last attempt' });
}

function sumOf(sums: readonly { values: number[] }[]): number {
  return sums.flatMap(({ values }) => values).reduce((sum, each) => sum + each, 0);
}

/** A step in words, UTC: to the minute, or the day of a long range. */
function wordsOf(range: RangeName, step: number): string {
  const text = new Date(step).toISOString();
  return range === 'month' ? text.slice(0, 10) : `${text.slice(5, 10)} ${text.slice(11, 16)}`;
}
