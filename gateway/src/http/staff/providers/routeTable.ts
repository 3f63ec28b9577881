import type { ModelRoutes, RouteState } from '../../../application/staff/routeStates.ts';
import { formatDuration, formatNumber, type Html, html, timestamp } from '../../pages/html.ts';
import { badge, generationLink, table } from '../elements.ts';
import { breakerCells } from './breakerBadge.ts';
import { costCell } from './costPages.ts';

/** Options of the page. */
interface RouteTableOptions {
  /** Path of the page. */
  path: string;
  mayStop: boolean;
  /** Models that are not sold. */
  stopped: readonly string[];
  nowMs: number;
}

const columns = ['Model', 'Route', 'Status', 'Last day', 'Cost today', 'Last errors', 'Deliveries'];

/** The routes of all models, with health, costs, errors and deliveries. */
export function routeTable(models: readonly ModelRoutes[], options: RouteTableOptions): Html {
  const rows = models.flatMap(({ model, ranking, routes }) => {
    const link = html`<a href="${options.path}?target=${model}#stop">Stop selling</a>`;
    const stop = options.stopped.includes(model) ? badge('not sold') : options.mayStop && link;
    const first = html`<b>${model}</b><br /><span class="quiet">tried ${rankingTexts[ranking]}</span
      ><br />${stop}`;
    return routes.map((route, index) => [index === 0 ? first : model, ...cellsOf(route, options)]);
  });
  return table(columns, rows, 'No model has a route.');
}

const rankingTexts = {
  listed: 'in order',
  cost: 'cheapest first',
  fastest: 'fastest first',
} as const;

function cellsOf(route: RouteState, { path, nowMs }: RouteTableOptions) {
  const { provider, providerModel, region, groups, key, cost } = route;
  const target = encodeURIComponent(key);
  const tags = [
    ...(region === undefined ? [] : [`region ${region}`]),
    ...(groups ? [`for ${groups.join(', ')}`] : []),
  ];
  return [
    html`${provider}<br /><span class="quiet">${providerModel}</span>
      ${tags.map((tag) => html`<br /><span class="quiet">${tag}</span>`)}<br />
      <a href="${path}?target=${target}#pause">Pause</a>`,
    stateOf(route, nowMs),
    performanceOf(route),
    cost === null ? '–' : costCell(cost, 'cost'),
    errorsOf(route),
    deliveriesOf(route),
  ];
}

/** Each breaker in an unusual state; otherwise that the route is in service. */
function stateOf({ breakers }: RouteState, nowMs: number): Html {
  const unusual = breakers.filter(
    ({ breaker }) =>
      breaker.openedAt !== null ||
      breaker.busyUntil > nowMs ||
      breaker.failures > 0 ||
      (breaker.identical?.holdsUntil ?? 0) > 0,
  );
  if (unusual.length === 0) return badge('in service');
  return html`${unusual.map(({ name, breaker }) => {
    const [state, lasting] = breakerCells(breaker, nowMs);
    return html`${state} ${lasting}<br /><span class="quiet">${name}</span><br />`;
  })}`;
}

function performanceOf({ performance }: RouteState): string {
  if (performance === null) return 'none';
  const { completed, failed, p50 } = performance;
  const median = p50 === null ? '' : `, median ${formatDuration(p50 * 1000)}`;
  return `${formatNumber(completed)} completed, ${formatNumber(failed)} failed${median}`;
}

/** Maximum characters shown of a message. */
const maxNote = 160;

function errorsOf({ errors }: RouteState): Html {
  return html`${errors.map(
    ({ generationId, endedAt, outcome, note }) =>
      html`${badge(outcome)} ${timestamp(endedAt)} ${generationLink(generationId)}<br /><span
          class="said"
          >${(note ?? '').slice(0, maxNote)}</span
        ><br />`,
  )}`;
}

function deliveriesOf({ differed, withheld }: RouteState): Html {
  const count = `${formatNumber(differed)} ${differed === 1 ? 'does not' : 'do not'} match the order`;
  return html`${differed > 0 && html`${count}<br />`}${withheld.map(
    ({ capability }) => html`${badge('withheld')} <a href="#withheld">${capability}</a><br />`,
  )}`;
}
