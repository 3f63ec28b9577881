import type { Router } from '@koa/router';
import type { App } from '../../../application/app.ts';
import type { GenerationLine } from '../../../application/ports/staffQueries.ts';
import {
  type AccountMatch,
  searchAll,
  type SearchResult,
} from '../../../application/staff/search.ts';
import { availableCredits } from '../../../domain/credits/credits.ts';
import { isProse } from '../../../domain/staff/caseClues.ts';
import { mayDo } from '../../../domain/staff/staffRights.ts';
import { does } from '../../atWork.ts';
import { redirect } from '../../pages/context.ts';
import { urlOf } from '../../pages/elements.ts';
import { formatNumber, type Html, html } from '../../pages/html.ts';
import { type StaffContext, staffOf, type StaffState } from '../context.ts';
import { accountLink, badge, hostLinks, missingPart, table } from '../elements.ts';
import { linesTable } from '../generations/lineTable.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';
import { answerCase, type CaseActions } from './casePage.ts';

/** Search, hosts awaiting approval, and unknown outcomes. */
export function addSearchPages(router: Router<StaffState>, deps: App, actions: CaseActions): void {
  const renderTable = async (lines: readonly GenerationLine[], none: string): Promise<Html> =>
    linesTable(lines, await deps.staffQueries.findOwners(lines.map((line) => line.accountId)), {
      none,
    });

  // POST keeps addresses and keys out of browser histories and logs.
  router.post('/staff/search', needs('see'), does('search'), async (ctx: StaffContext) => {
    const typed = ctx.state.form.get('q');
    const answer = await searchAll(deps, typed);
    if (
      isProse(typed) &&
      (await answerCase(ctx, deps, { letter: typed, found: answer, actions }))
    ) {
      return;
    }
    const { generations, accounts } = answer;
    const only = onlyPageOf(answer);
    if (only !== null) {
      redirect(ctx, only);
      return;
    }
    const accountRows = accounts.map(({ account, key, entry }) => [
      html`<a href="${pageOf({ account, entry })}"><code>${account.id}</code></a>`,
      account.email,
      badge(account.status),
      `${formatNumber(availableCredits(account.lots, deps.clock.now()))} credits`,
      key && html`${key.name} …${key.lastFour}`,
    ]);
    const isEmpty = generations.length + accounts.length === 0;
    const near =
      answer.near.length > 0 &&
      html`<h2>Created at the same time as an ID that was not found</h2>
        ${await renderTable(answer.near, '')}`;
    const content = isEmpty
      ? html`<h1>Nothing found</h1>
          <p>
            ${
              near
                ? 'The ID may contain a typo: compare it with the IDs below.'
                : "Your text contains no known ID, address, key or reference, not even the start of one. If a customer wrote it, add the customer's email address to compare the text with the account's prompts."
            }
          </p>
          ${leftOutPart(answer)} ${near}`
      : html`<h1>Search</h1>
          ${leftOutPart(answer)} ${near}
          ${accounts.length > 0 && table(['Account', 'Email', 'Status', 'Available', 'Key'], accountRows, '')}
          ${generations.length > 0 && (await renderTable(generations, ''))}`;
    showPage(ctx, 'Search', content, isEmpty ? 404 : 200);
  });

  router.get('/staff/hosts', needs('see'), async (ctx: StaffContext) => {
    const requests = await deps.staffQueries.listHostRequests(200);
    const mayApprove = mayDo(staffOf(ctx).staffRole, 'approve host');
    const rows = requests.map(({ accountId, email, keyId, keyName, rule }) => [
      html`<b>${rule}</b>`,
      accountLink(accountId, email),
      html`${keyName}<br /><code>${keyId}</code>`,
      mayApprove ? hostLinks(accountId, keyId, rule, 'requested') : null,
    ]);
    const content = html`<h1>Hosts awaiting approval</h1>
      ${table(['Host', 'Account', 'Key', ''], rows, 'No hosts are waiting.')}`;
    showPage(ctx, 'Hosts', content);
  });

  router.get('/staff/unknown', needs('see'), async (ctx: StaffContext) => {
    const lines = await deps.staffQueries.listUnresolved(200);
    const content = html`<h1>Unknown outcomes</h1>
      <p>
        The provider was called but did not respond. The customer was refunded immediately. Look up
        the outcome at the provider.
      </p>
      ${await renderTable(lines, 'All outcomes are resolved.')}`;
    showPage(ctx, 'Unknown outcomes', content);
  });
}

const pageOf = ({ account, entry }: Pick<AccountMatch, 'account' | 'entry'>) =>
  urlOf(`/staff/accounts/${account.id}`, { entry: entry?.toString() });

/** The page of the only match, unless the other ids need mentioning. */
function onlyPageOf({ generations, accounts, missing, idsLeftOut }: SearchResult): string | null {
  const pages = [
    ...generations.map(({ id }) => `/staff/generations/${id}`),
    ...accounts.map(pageOf),
  ];
  const isAll = pages.length === 1 && missing.length + idsLeftOut === 0;
  return isAll ? (pages[0] ?? null) : null;
}

/** The ids that were not found or not looked up. */
function leftOutPart({ missing, idsLeftOut }: SearchResult): Html {
  return html`${missingPart(missing)}
  ${
    idsLeftOut > 0 &&
    html`<p class="notice">
      Your text has ${formatNumber(idsLeftOut)} more IDs than one search can look up.
    </p>`
  }`;
}
