import type { Router } from '@koa/router';
import { sum } from '@framegate/contract';
import type { App } from '../../../application/app.ts';
import { listWithheld } from '../../../application/generations/run/withheldRoutes.ts';
import type { EndFigures, OpenFigure, OpenFigures } from '../../../application/ports/figures.ts';
import type { UpkeepState } from '../../../application/ports/upkeep.ts';
import { type Performance, performanceBy } from '../../../application/staff/figures.ts';
import type { Incident } from '../../../application/staff/incidents.ts';
import { listStops } from '../../../application/staff/modelStops.ts';
import { routeBreakers } from '../../../application/staff/routeBreakers.ts';
import { modelBreakerKey } from '../../../domain/providers/breakerKeys.ts';
import {
  durationElement,
  formatCount,
  formatDuration,
  formatNumber,
  type Html,
  html,
} from '../../pages/html.ts';
import type { StaffContext, StaffState } from '../context.ts';
import { creditRequestStrip, maxShown } from '../credits/creditRequestPages.ts';
import { badge, generationLink, table } from '../elements.ts';
import { listUrl } from '../generations/listPages.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';
import { breakerCells } from '../providers/breakerBadge.ts';
import { incidentStrip, signOnStrip } from '../providers/incidentStrip.ts';
import { minutesChart } from './chartPages.ts';

/** The first page of the console: the state of the whole gateway. */
export function addOverviewPages(router: Router<StaffState>, deps: App): void {
  router.get('/staff', needs('see'), async (ctx: StaffContext) => {
    const [figures, upkeepTasks, incidents, askers] = await Promise.all([
      deps.figures.loadAll(),
      deps.findUpkeepStates(),
      deps.findIncidents(),
      deps.staffQueries.listCreditRequests(maxShown),
    ]);
    const content = html`<h1>Overview</h1>
      ${creditRequestStrip(askers, figures.readAt)}
      ${contentOf(deps, figures, upkeepTasks, incidents)}`;
    showPage(ctx, 'Overview', content);
  });
}

function contentOf(
  deps: App,
  figures: OpenFigures & EndFigures,
  upkeepTasks: readonly UpkeepState[],
  incidents: readonly Incident[],
): Html {
  const { open, readAt, ended } = figures;
  const [oldest] = open;
  const countOf = (matches: (figure: OpenFigure) => boolean) =>
    sum(open.filter(matches).map((figure) => figure.count));
  const completed = ended.filter(({ status }) => status === 'completed').length;
  const rate = ended.length === 0 ? '–' : `${((100 * completed) / ended.length).toFixed(1)}%`;
  const { refundsToday, jobsDue, jobLagMs, unresolved } = figures;
  const oldestNote = oldest ? generationLink(oldest.oldestId) : 'nothing unfinished';
  const stops = listStops(deps);
  return html`${incidents.map((incident) => incidentStrip(incident, readAt))}
    ${
      stops.length > 0 &&
      html`<p class="notice warning">
        <a href="/staff/routes#stopped">Not sold: ${stops.map(({ model }) => model).join(', ')}</a>
      </p>`
    }
    ${signOnStrip(deps.signOn, readAt)}
    <div class="tiles">
      ${tile('queued', formatNumber(countOf(({ status }) => status === 'queued')), `${formatNumber(countOf(({ step }) => step === 'waiting'))} waiting for a slot, ${formatNumber(countOf(({ step }) => step === 'parked'))} for a provider`, false, listUrl({ state: 'queued' }))}
      ${tile('processing', formatNumber(countOf(({ status }) => status === 'processing')), 'with providers', false, listUrl({ state: 'processing' }))}
      ${tile('oldest unfinished', oldest ? formatDuration(readAt - oldest.oldestAt) : '–', oldestNote)}
      ${tile('queue lag', formatDuration(jobLagMs), `${formatCount(jobsDue, 'job')} due`, jobLagMs > 30_000, '/staff/jobs?state=queued')}
      ${tile('success', rate, `of the last ${formatNumber(ended.length)} that ended today`, false, listUrl({ state: 'completed' }))}
      ${tile('refunds today', formatNumber(refundsToday.count), `${formatNumber(refundsToday.credits)} credits`, false, listUrl({ state: 'failed', since: 'today' }))}
      ${tile('unknown outcomes', formatNumber(unresolved), 'to resolve', unresolved > 0, '/staff/unknown')}
      ${upkeepTile(upkeepTasks)}
    </div>
    <section>
      <h2>Finished per minute, last hour</h2>
      ${minutesChart(figures.minutes)}
      <p><a href="/staff/charts">More charts</a></p>
    </section>
    <div class="columns">
      <section>
        <h2>Unfinished, by status and age</h2>
        ${openTable(figures)}
      </section>
      <section>
        <h2>Providers</h2>
        ${providerTable(deps, figures)}
        <p><a href="/staff/routes">Routes: pause one, or stop selling a model</a></p>
      </section>
    </div>
    <section>
      <h2>By model</h2>
      ${performanceTable(
        'Model',
        performanceBy(ended, ({ model }) => model),
      )}
    </section>
    <section>
      <h2>By route</h2>
      ${performanceTable(
        'Route',
        performanceBy(ended, ({ route }) => route),
      )}
    </section>`;
}

/** @param to Address of the list behind the figure. */
function tile(
  name: string,
  value: string,
  note: Html | string,
  isAlarming = false,
  to?: string,
): Html {
  const inner = html`<b>${value}</b><span>${name}</span><small>${note}</small>`;
  const look = `tile ${isAlarming ? 'danger' : ''}`;
  return to === undefined
    ? html`<div class="${look}">${inner}</div>`
    : html`<a class="${look}" href="${to}">${inner}</a>`;
}

/** Time since each upkeep task finished a round. */
function upkeepTile(upkeepTasks: readonly UpkeepState[]): Html {
  const longest = Math.max(0, ...upkeepTasks.map(({ idleMs }) => idleMs));
  const each = upkeepTasks
    .map(({ task, idleMs }) => `${task} ${formatDuration(idleMs)}`)
    .join(', ');
  const late = upkeepTasks.filter(({ isLate }) => isLate).map(({ task }) => task);
  const note = late.length > 0 ? `stalled: ${late.join(', ')}` : each;
  return tile('since the last upkeep', formatDuration(longest), note, late.length > 0);
}

function openTable({ open, readAt }: OpenFigures): Html {
  const rows = open.map(({ status, step, model, ages, oldestAt, oldestId }) => [
    html`${badge(status)} ${step}`,
    model,
    ...ages.map(formatNumber),
    html`<a href="/staff/generations/${oldestId}">${formatDuration(readAt - oldestAt)}</a>`,
  ]);
  const columns = ['Status', 'Model', '< 1 min', '< 10 min', '< 1 h', 'older', 'Oldest'];
  return table(columns, rows, 'No unfinished generations.');
}

function providerTable(deps: App, figures: OpenFigures): Html {
  const { breakers, deliveries } = deps;
  const withheld = listWithheld(deliveries);
  const rows = routeBreakers(deps).flatMap(({ key, of: part, provider, name }) => {
    const breaker = breakers.get(key);
    const running = formatNumber(figures.withProviders.get(provider) ?? 0);
    const isShown = part === 'provider' || breaker.openedAt !== null;
    const cells = breakerCells(breaker, figures.readAt);
    return [
      ...(isShown ? [[name, ...cells, part === 'provider' ? running : '']] : []),
      ...withheld
        .filter((each) => modelBreakerKey(each) === key)
        .map(({ capability, since }) => [
          name,
          html`${badge('withheld')} <a href="/staff/routes#withheld">${capability}</a>`,
          html`for ${durationElement(since, figures.readAt)}`,
          '',
        ]),
    ];
  });
  return table(['Provider', 'Circuit', 'Since', 'Running'], rows, 'No providers.');
}

function performanceTable(column: string, lines: readonly Performance[]): Html {
  const seconds = (value: number | null) => (value === null ? '–' : formatDuration(value * 1000));
  const rows = lines.map(({ name, completed, failed, p50, p95, p99 }) => [
    name,
    `${((100 * completed) / (completed + failed)).toFixed(1)}%`,
    formatNumber(completed),
    formatNumber(failed),
    ...[p50, p95, p99].map(seconds),
  ]);
  const columns = [column, 'Success', 'Completed', 'Failed', 'p50', 'p95', 'p99'];
  return table(columns, rows, 'Nothing finished in the last day.');
}
