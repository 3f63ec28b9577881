import type { Router } from '@koa/router';
import type { GenerationLine } from '../../application/ports/staffQueries.ts';
import { searchAll } from '../../application/staff/search.ts';
import { redirect } from '../pages/context.ts';
import { html, type Html } from '../pages/html.ts';
import {
  showPage,
  accountLink,
  badge,
  hostLinks,
  table,
  type StaffConsole,
  type StaffContext,
  type StaffState,
} from './layout.ts';
import { linesTable } from './lineTable.ts';

/** Search, hosts awaiting approval, and unknown outcomes. */
export function searchPages(router: Router<StaffState>, { deps }: StaffConsole): void {
  const tableOf = async (lines: readonly GenerationLine[], none: string): Promise<Html> =>
    linesTable(lines, await deps.queries.ownersOf(lines.map((line) => line.accountId)), { none });

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
          ${generations.length === 0 ? null : await tableOf(generations, '')}`;
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
      ${await tableOf(lines, 'All are resolved.')}`;
    showPage(ctx, 'Unknown outcomes', content);
  });
}
