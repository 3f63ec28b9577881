import type { Router } from '@koa/router';
import { dayMs, failureCodes, hourMs } from '@framegate/contract';
import type { App } from '../../../application/app.ts';
import type {
  GenerationLine,
  LineFilter,
  LineOwner,
} from '../../../application/ports/staffQueries.ts';
import { mayDo } from '../../../domain/staff/staffRights.ts';
import { csvLine, escapeFormula } from '../../../domain/text/text.ts';
import { isoTime } from '../../../domain/time/isoTime.ts';
import { startOfDayMs } from '../../../domain/time/utcDay.ts';
import { does } from '../../atWork.ts';
import { filterLinks, listLinks, queryOf, tokenField, urlOf } from '../../pages/elements.ts';
import { type Html, html, timestamp } from '../../pages/html.ts';
import { chosenPaths } from '../actions/chosenPages.ts';
import { type StaffContext, staffOf, type StaffState } from '../context.ts';
import { accountLink, formIdField, reasonField } from '../elements.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';
import { proofFields } from '../proofFields.ts';
import { sendCsv } from '../sendCsv.ts';
import { renderCustomersPart } from './customersPart.ts';
import { keyName, linesTable } from './lineTable.ts';

const path = '/staff/generations';
const perPage = 50;
/** Maximum lines of a CSV file: as many as one page inspects. */
const maxCsvLines = 5_000;

/** States with labels, for filter links. */
export const states = [
  ['failed', 'failed and refunded'],
  ['completed', 'completed'],
  ['queued', 'queued'],
  ['processing', 'processing'],
] as const;

/** Spans of the filter by end, with their length in ms; `today` begins at midnight (UTC). */
const spans = {
  hour: ['in the last hour', hourMs],
  today: ['today (UTC)', null],
  day: ['in 24 hours', dayMs],
  week: ['in 7 days', 7 * dayMs],
} as const;

const names = [
  ...(['state', 'since', 'model', 'code', 'provider', 'customer', 'by', 'before'] as const),
  // Whether the boxes of all lines are selected.
  'chosen',
] as const;
/** The query of a list of generations, without unknown parameters. */
export type ListQuery = Partial<Record<(typeof names)[number], string>>;

/** Path of a list of generations. @param query `since` is a span, or ms since the epoch. */
export const listUrl = (query: ListQuery) => urlOf(path, query);

/** The list query equivalent to a filter. */
export function queryFor({ status, since, model, code, provider }: LineFilter): ListQuery {
  return {
    state: status,
    ...(since !== undefined && { since: String(since) }),
    ...(model !== undefined && { model }),
    ...(code !== undefined && { code }),
    ...(provider !== undefined && { provider }),
  };
}

/** Fields with which the form of a list sends its filter. */
export const filterNames = ['state', 'since', 'model', 'code', 'provider'] as const;

function filterFields(filter: LineFilter): Html {
  const query = queryFor(filter);
  return html`${filterNames.map(
    (name) => html`<input type="hidden" name="${name}" value="${query[name] ?? ''}" />`,
  )}`;
}

/** The filter of a list's query, without unknown values. */
export function filterFor(query: ListQuery, nowMs: number): LineFilter {
  const { model, code, provider, customer: accountId } = query;
  const status = states.find(([state]) => state === query.state)?.[0] ?? 'failed';
  const since = sinceOf(query.since, nowMs);
  return {
    status,
    ...(since !== null && { since }),
    ...(model !== undefined && { model }),
    ...(code !== undefined && status === 'failed' && { code }),
    ...(provider !== undefined && { provider }),
    ...(accountId !== undefined && { accountId }),
  };
}

function sinceOf(text: string | undefined, nowMs: number): number | null {
  if (text !== undefined && /^\d{13}$/.test(text)) return Number(text);
  const span = Object.entries(spans).find(([name]) => name === text);
  if (!span) return null;
  const [, [, ms]] = span;
  return ms === null ? startOfDayMs(nowMs) : nowMs - ms;
}

/** Generations by state, newest first, or their customers; filterable, and as CSV. */
export function addListPages(router: Router<StaffState>, deps: App): void {
  const { staffQueries, clock, random, routes, allModels } = deps;
  const filterOf = (query: ListQuery) => filterFor(query, clock.now());

  router.get(path, needs('see'), does('search'), async (ctx: StaffContext) => {
    const listQuery: ListQuery = queryOf(ctx.query, names);
    const filter = filterOf(listQuery);
    const query = { ...listQuery, state: filter.status };
    const isEnded = filter.status === 'failed' || filter.status === 'completed';
    const list =
      isEnded && query.by === 'customer'
        ? await renderCustomersPart(ctx, deps, filter, {
            linkOf: (accountId) =>
              urlOf(path, { ...query, by: '', before: '', chosen: '', customer: accountId }),
            ...choiceOf(query),
            hidden: filterFields(filter),
          })
        : await renderLinesPart(ctx, query, filter);
    const content = html`<h1>Generations</h1>
      ${filtersPart({ ...query, chosen: '' }, isEnded, Object.keys(failureCodes))}
      <p>
        <a href="${urlOf(`${path}.csv`, { ...query, by: '', chosen: '', before: '' })}" download
          >Download up to 5,000 as CSV</a
        >
      </p>
      ${list}`;
    showPage(ctx, `Generations, ${filter.status}`, content);
  });

  router.get(`${path}.csv`, needs('see'), does('export'), async (ctx: StaffContext) => {
    const filter = filterOf(queryOf(ctx.query, names));
    const { lines } = await staffQueries.list(filter, null, maxCsvLines);
    const owners = await staffQueries.findOwners(lines.map(({ accountId }) => accountId));
    sendCsv(ctx, 'generations', csvOf(lines, owners));
  });

  async function renderLinesPart(ctx: StaffContext, query: ListQuery, filter: LineFilter) {
    const { before = '' } = query;
    const isEnded = filter.status === 'failed' || filter.status === 'completed';
    const isCursor = isEnded ? /^\d{1,15}$/.test(before) : /^gen_\w{26}$/.test(before);
    const { lines, older } = await staffQueries.list(filter, isCursor ? before : null, perPage);
    const owners = await staffQueries.findOwners(lines.map(({ accountId }) => accountId));
    const none =
      older === null
        ? `No generation with these filters ${isEnded ? `has ${filter.status}` : `is ${filter.status}`}.`
        : 'No matches in the latest 5,000.';
    const canChoose =
      !isEnded && lines.length > 0 && mayDo(staffOf(ctx).staffRole, 'fail and refund');
    const { isChosen, choice } = choiceOf(query);
    const content = linesTable(lines, owners, { none, canChoose, isChosen });
    const list = canChoose
      ? html`<form method="post" action="${chosenPaths.refund}">
          ${tokenField(ctx)} ${formIdField(random)} ${choice} ${content}
          <div class="inline">
            ${reasonField()} ${proofFields(ctx, deps, chosenPaths.refund)}
            <button class="danger">Fail and refund</button>
          </div>
        </form>`
      : content;
    return html`${list} ${listLinks(path, { ...query, chosen: '' }, older)}`;
  }

  function filtersPart(query: ListQuery, isEnded: boolean, codes: readonly string[]) {
    const { since, model, code, provider, customer } = query;
    const all = (values: readonly string[]) =>
      [['', 'all'], ...values.map((value) => [value, value] as const)] as const;
    const own = since !== undefined && /^\d+$/.test(since) ? Number(since) : null;
    const ends = Object.entries(spans).map(([name, [label]]) => [name, label] as const);
    const chosen = [model, provider, code].filter((each) => each !== undefined).join(', ');
    const providers = routes.providers().map((each) => each.provider);
    return html`${filterLinks('Status', path, { ...query, code: '' }, 'state', states)}
      ${isEnded && filterLinks('Ended', path, query, 'since', [['', 'at any time'], ...ends])}
      ${
        isEnded &&
        filterLinks('Show', path, query, 'by', [
          ['', 'generations'],
          ['customer', 'customers'],
        ])
      }
      ${own !== null && html`<p class="quiet">Ended since ${timestamp(own)} (UTC)</p>`}
      ${
        customer !== undefined &&
        html`<p>
          Only ${accountLink(customer)}.
          <a href="${urlOf(path, { ...query, customer: '' })}">Show all customers</a>
        </p>`
      }
      <details>
        <summary>Model, provider and failure code${chosen !== '' && `: ${chosen}`}</summary>
        ${filterLinks('Model', path, query, 'model', all(allModels().map(({ id }) => id)))}
        ${filterLinks('Provider', path, query, 'provider', all(providers))}
        ${query.state === 'failed' && filterLinks('Failure', path, query, 'code', all(codes))}
      </details>`;
  }
}

/** Whether a list's boxes are ticked, with the link that ticks them all or none. */
function choiceOf(query: ListQuery): { isChosen: boolean; choice: Html } {
  const isChosen = query.chosen === 'all';
  const choice = html`<p>
    <a href="${listUrl({ ...query, chosen: isChosen ? '' : 'all' })}"
      >${isChosen ? 'Clear selection' : 'Select all'}</a
    >
  </p>`;
  return { isChosen, choice };
}

const csvColumns = [
  ...['generation', 'account', 'email', 'state', 'failure', 'model', 'provider'],
  ...['credits', 'refunded', 'key', 'created', 'ended'],
];

/** The lines of a CSV file, made one by one while it is sent. */
function* csvOf(
  lines: readonly GenerationLine[],
  owners: ReadonlyMap<string, LineOwner>,
): Generator<string> {
  yield csvLine(csvColumns);
  for (const line of lines) yield csvLine(cellsOf(line, owners.get(line.accountId)));
}

function cellsOf(line: GenerationLine, owner: LineOwner | undefined): string[] {
  const time = (ms: number | null) => (ms === null ? '' : isoTime(ms));
  return [
    ...[line.id, line.accountId, escapeFormula(owner?.email ?? ''), line.status],
    ...[line.failure?.code ?? '', line.model, line.provider ?? ''],
    ...[String(line.costCredits), String(line.refundedCredits)],
    ...[escapeFormula(keyName(line, owner) ?? 'site'), time(line.createdAt), time(line.endedAt)],
  ];
}
