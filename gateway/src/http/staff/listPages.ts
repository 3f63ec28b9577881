import { failureCodes } from '@framegate/contract';
import type { Router } from '@koa/router';
import type { LineFilter, GenerationLine } from '../../application/ports/staffQueries.ts';
import { searchAll } from '../../application/staff/search.ts';
import { refundedCredits } from '../../domain/refund.ts';
import { startOfDay } from '../../domain/utcDay.ts';
import { redirect } from '../pages/context.ts';
import { addressOf, filterLinks, listLinks, queryOf } from '../pages/elements.ts';
import { html, formatDuration, formatNumber, timestamp, type Html } from '../pages/html.ts';
import {
  showPage,
  accountLink,
  badge,
  generationLink,
  hostLinks,
  table,
  type StaffConsole,
  type StaffContext,
  type StaffState,
} from './layout.ts';

const path = '/staff/generations';
const perPage = 50;

/** Address of a list of generations, for the figures of the overview. */
export const listOf = (query: { state: LineFilter['status']; since?: 'today'; code?: string }) =>
  addressOf(path, query);

/** States with labels, for filter links. */
export const states = [
  ['failed', 'failed and refunded'],
  ['completed', 'completed'],
  ['queued', 'queued'],
  ['processing', 'processing'],
] as const;

/** List of generations by state, model and failure code, newest first. */
export function listPages(router: Router<StaffState>, { deps }: StaffConsole): void {
  router.get(path, async (ctx: StaffContext) => {
    const requested = queryOf(ctx.query, ['state', 'since', 'model', 'code', 'before']);
    const { since, model, code, before = '' } = requested;
    const status = states.find(([state]) => state === requested['state'])?.[0] ?? 'failed';
    const query = { ...requested, state: status };
    const midnight = startOfDay(deps.work.clock.now());
    const isEnded = status === 'failed' || status === 'completed';
    const isCursor = isEnded ? /^\d{1,15}$/.test(before) : /^gen_\w{26}$/.test(before);
    const filter: LineFilter = {
      status,
      ...(since === 'today' && { since: midnight }),
      ...(model !== undefined && { model }),
      ...(code !== undefined && status === 'failed' && { code }),
    };
    const { lines, older } = await deps.queries.list(filter, isCursor ? before : null, perPage);
    const models = deps.site.everyModel().map(({ id }) => [id, id] as const);
    const codes = Object.keys(failureCodes).map((each) => [each, each] as const);
    const content = html`<h1>Generations</h1>
      ${filterLinks('State', path, { state: status, since, model }, 'state', states)}
      ${
        isEnded &&
        filterLinks('Ended', path, query, 'since', [
          ['', 'at any time'],
          ['today', 'today (UTC)'],
        ])
      }
      <details ${(model ?? code) !== undefined && html`open`}>
        <summary>Model and failure code</summary>
        ${filterLinks('Model', path, query, 'model', [['', 'all'], ...models])}
        ${status === 'failed' && filterLinks('Failure', path, query, 'code', [['', 'all'], ...codes])}
      </details>
      ${generationTable(lines, older === null ? 'None.' : 'No matches among the last 5,000.')}
      ${listLinks(path, query, older)}`;
    showPage(ctx, `Generations, ${status}`, content);
  });
}

/** Search, hosts awaiting approval, and unknown outcomes. */
export function searchPages(router: Router<StaffState>, { deps }: StaffConsole): void {
  // POST keeps addresses and keys out of browser histories and logs.
  router.post('/staff/search', async (ctx: StaffContext) => {
    const typed = ctx.state.form.get('q');
    const { generations, accounts } = await searchAll(deps, typed);
    const [generation, ...more] = generations;
    const [found, ...others] = accounts;
    if (generation && more.length + accounts.length === 0) {
      redirect(ctx, `/staff/generations/${generation.id}`);
      return;
    }
    if (found && others.length + generations.length === 0) {
      redirect(ctx, `/staff/accounts/${found.account.id}`);
      return;
    }
    const accountRows = accounts.map(({ account, key }) => [
      accountLink(account.id),
      account.email,
      badge(account.status),
      key && html`${key.name} …${key.lastFour}`,
    ]);
    const nothing = generations.length + accounts.length === 0;
    const content = nothing
      ? html`<h1>Nothing found</h1>
          <p>
            No generation, request, account, key, consent reference or task id matches your text or
            begins with it. You can paste ids together with surrounding text.
          </p>`
      : html`<h1>Search</h1>
          ${accounts.length === 0 ? null : table(['Account', 'E-mail', 'State', 'Key'], accountRows, '')}
          ${generations.length === 0 ? null : generationTable(generations, '')}`;
    showPage(ctx, 'Search', content, nothing ? 404 : 200);
  });

  router.get('/staff/hosts', async (ctx: StaffContext) => {
    const requests = await deps.queries.hostRequests(200);
    const rows = requests.map(({ accountId, email, keyId, keyName, rule }) => [
      html`<b>${rule}</b>`,
      html`<a href="/staff/accounts/${accountId}">${email}</a>`,
      html`${keyName}<br /><code>${keyId}</code>`,
      hostLinks(accountId, keyId, rule, 'requested'),
    ]);
    const content = html`<h1>Hosts awaiting approval</h1>
      ${table(['Host', 'Account', 'Key', ''], rows, 'No hosts are waiting.')}`;
    showPage(ctx, 'Hosts', content);
  });

  router.get('/staff/unknown', async (ctx: StaffContext) => {
    const lines = await deps.queries.unresolved(200);
    const content = html`<h1>Unknown outcomes</h1>
      <p>
        The provider was called but did not answer. The customer was refunded immediately. Look up
        the outcome at the provider.
      </p>
      ${generationTable(lines, 'All are resolved.')}`;
    showPage(ctx, 'Unknown outcomes', content);
  });
}

const lineColumns = [
  'Generation',
  'State',
  'Failure',
  'Model',
  'Credits',
  'Refunded',
  'Key or site',
  'Created (UTC)',
  'Took',
];

export function generationTable(lines: readonly GenerationLine[], none: string): Html {
  const rows = lines.map((line) => [
    generationLink(line.id),
    badge(line.status),
    line.failure && html`<code>${line.failure.code}</code>`,
    line.model,
    formatNumber(line.costCredits),
    line.status === 'failed' ? formatNumber(refundedCredits(line)) : null,
    line.keyId === null
      ? 'site'
      : html`<code title="${line.keyId}">…${line.keyId.slice(-6)}</code>`,
    timestamp(line.createdAt),
    line.endedAt === null
      ? null
      : formatDuration(line.endedAt - line.createdAt).replaceAll(' ', '\u00a0'),
  ]);
  return table(lineColumns, rows, none);
}
