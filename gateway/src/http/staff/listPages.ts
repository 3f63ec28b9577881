import type { Router } from '@koa/router';
import { catalogue, failureCodes } from '@framegate/contract';
import type { LineFilter } from '../../application/ports/staffQueries.ts';
import { startOfDay } from '../../domain/utcDay.ts';
import { html } from '../pages/html.ts';
import { addressOf, filterLinks, listLinks, queryOf } from '../pages/elements.ts';
import { showPage } from './layout.ts';
import { generationTable } from './searchPages.ts';
import type { StaffConsole, StaffContext, StaffState } from './staffContext.ts';

const path = '/staff/generations';
const perPage = 50;

/** The address of a list of generations; behind the overview's figures. */
export const listOf = (query: { state: LineFilter['status']; since?: 'today'; code?: string }) =>
  addressOf(path, query);

/** States as links to a list of them. */
export const states = [
  ['failed', 'failed and refunded'],
  ['completed', 'completed'],
  ['queued', 'queued'],
  ['processing', 'processing'],
] as const;

/** Generations by state, model and reason, the newest first. */
export function listPages(router: Router<StaffState>, { deps }: StaffConsole): void {
  router.get(path, async (ctx: StaffContext) => {
    const asked = queryOf(ctx.query, ['state', 'since', 'model', 'code', 'before']);
    const { since, model, code, before = '' } = asked;
    const status = states.find(([state]) => state === asked['state'])?.[0] ?? 'failed';
    const query = { ...asked, state: status };
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
    const models = catalogue.map(({ id }) => [id, id] as const);
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
        <summary>Model and reason</summary>
        ${filterLinks('Model', path, query, 'model', [['', 'all'], ...models])}
        ${status === 'failed' && filterLinks('Why', path, query, 'code', [['', 'all'], ...codes])}
      </details>
      ${generationTable(lines, older === null ? 'None.' : 'None of the last 5,000 fits.')}
      ${listLinks(path, query, older)}`;
    showPage(ctx, `Generations, ${status}`, content);
  });
}
