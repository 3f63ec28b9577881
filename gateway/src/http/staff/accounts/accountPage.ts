import type { Router } from '@koa/router';
import type { App } from '../../../application/app.ts';
import { describeErasure } from '../../../application/generations/end/eraseGenerations.ts';
import type { AccountFilter } from '../../../application/ports/staffQueries.ts';
import type { Account } from '../../../domain/accounts/account.ts';
import { type ApiKey, isLive } from '../../../domain/accounts/apiKey.ts';
import { openCreditRequest } from '../../../domain/accounts/creditRequest.ts';
import { erasureDueAt } from '../../../domain/accounts/erasureRequest.ts';
import { leftToday } from '../../../domain/accounts/keyLimits.ts';
import { effectiveLimits } from '../../../domain/accounts/limits.ts';
import { compareLots, ownReference } from '../../../domain/credits/credits.ts';
import type { LedgerEntry } from '../../../domain/credits/ledgerChain.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { AuditEntry } from '../../../domain/staff/auditEntry.ts';
import { mayDo, type StaffRole } from '../../../domain/staff/staffRights.ts';
import { filterLinks, listLinks, type Query, queryOf } from '../../pages/elements.ts';
import { formatNumber, type Html, html, timestamp } from '../../pages/html.ts';
import { actionLinks, type ConsoleAction, targetOf } from '../actions/actionPages.ts';
import { auditTable } from '../audit/auditPages.ts';
import { type StaffContext, staffOf, type StaffState } from '../context.ts';
import { actionNotice, badge, facts, generationLink, hostLinks, table } from '../elements.ts';
import { ownLines } from '../generations/lineTable.ts';
import { states } from '../generations/listPages.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';
import { headOf, paymentPart } from './accountHead.ts';

const listLength = 30;
/** Actions on a key or host, which are not offered for the whole account. */
const keyAndHostSlugs = new Set(['approve-host', 'refuse-host', 'revoke-key']);

/** Page of an account: credits, keys, generations, ledger and actions. */
export function addAccountPages(
  router: Router<StaffState>,
  deps: App,
  actions: readonly ConsoleAction[],
): void {
  router.get('/staff/accounts/:id', needs('see'), async (ctx: StaffContext) => {
    const id = targetOf(ctx);
    const { entry: number, ...query } = queryOf(ctx.query, ['state', 'by', 'before', 'entry']);
    const { before = '' } = query;
    const isCursor = /^gen_\w{26}$/.test(before);
    const { database, clock } = deps;
    const account = await database.accounts.find(id);
    if (!account) throw new Refusal('account_not_found');
    const [generations, entries, payments, log, erasure, factor] = await Promise.all([
      deps.staffQueries.listOfAccount(id, filterOf(query), isCursor ? before : null, listLength),
      database.ledger.listNewest(id, null, listLength),
      /^\d{1,9}$/.test(number ?? '') ? database.ledger.listNewest(id, Number(number) + 1, 1) : [],
      deps.audit.search(id, null, 20),
      database.erasures.find(id),
      deps.customerFactors.find(id),
    ]);
    const { lines, older } = generations;
    // Charges have no audit entry.
    const acted = entries.filter(({ kind }) => kind !== 'charge');
    const acts = await deps.audit.findByRequests(acted.map(({ requestId }) => requestId));
    const nowMs = clock.now();
    const role = staffOf(ctx).staffRole;
    const isOfAccount = (slug: string) =>
      !keyAndHostSlugs.has(slug) &&
      fits(slug, account, {
        hasFactor: factor !== null,
        isErasureScheduled: erasureDueAt(account) !== null,
      });
    const content = html`${actionNotice(ctx, log)} ${headOf(account, nowMs, factor)}
      ${payments.map(paymentPart)}
      ${erasure && html`<p class="notice">${describeErasure(erasure)}</p>`}
      ${actionLinks(`/staff/accounts/${id}`, role, actions, isOfAccount)}
      <div class="columns">${keysOf(account, nowMs, role)} ${creditsOf(account, nowMs)}</div>
      <section>
        <h2>Generations</h2>
        ${filtersOf(account, query)}
        ${ownLines(lines, new Map([[id, account]]), older === null ? 'No generations with these filters.' : 'No matches in the latest 5,000.')}
        ${listLinks(`/staff/accounts/${id}`, query, older)}
      </section>
      <div class="columns">
        ${ledgerOf(entries, acts)}
        <section>
          <h2>Limits</h2>
          ${facts(Object.entries<number>({ ...effectiveLimits(account, deps.defaultLimits) }).map(([name, value]) => [limitLabel(name), formatNumber(value)] as const))}
        </section>
      </div>
      <section>
        <h2>Staff actions</h2>
        ${auditTable(log)}
      </section>`;
    showPage(ctx, account.email, content);
  });
}

/** Filter of the list of generations, without unknown values. */
function filterOf({ state, by }: Query): AccountFilter {
  const status = states.find(([each]) => each === state)?.[0];
  return {
    ...(status !== undefined && { status }),
    ...(by === 'site' && { channel: 'pc' as const }),
    ...(by === 'api' && { channel: 'api' as const }),
    ...(by?.startsWith('key_') === true && { keyId: by }),
  };
}

function filtersOf({ id, keys }: Account, query: Query): Html {
  const path = `/staff/accounts/${id}`;
  const makers = keys.toReversed().map((key) => [key.id, `${key.name} …${key.lastFour}`] as const);
  return html`${filterLinks('Status', path, query, 'state', [['', 'all'], ...states])}
  ${filterLinks('Created with', path, query, 'by', [['', 'all'], ['site', 'studio'], ['api', 'any key'], ...makers])}`;
}

/** Readable name of a limit: `creates per minute`. */
function limitLabel(limit: string): string {
  return limit.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function fits(
  slug: string,
  account: Account,
  { hasFactor, isErasureScheduled }: { hasFactor: boolean; isErasureScheduled: boolean },
): boolean {
  const { status, isVerified } = account;
  if (slug === 'withdraw-erasure') return isErasureScheduled;
  if (slug === 'decline-credits') return openCreditRequest(account) !== null;
  if (slug === 'remove-second-factor') return hasFactor;
  if (slug === 'mail') return isVerified;
  if (slug === 'suspend') return status === 'active';
  return slug === 'resume' ? status === 'suspended' : true;
}

function creditsOf({ lots }: Account, nowMs: number): Html {
  const rows = lots
    .filter(({ remaining }) => remaining > 0)
    .toSorted(compareLots)
    .map((lot) => [
      html`<code>${lot.id}</code>`,
      lot.kind,
      `${formatNumber(lot.remaining)} of ${formatNumber(lot.amount)}`,
      lot.expiresAt !== null && lot.expiresAt <= nowMs ? 'expired' : timestamp(lot.expiresAt),
    ]);
  return html`<section>
    <h2>Credit balance</h2>
    ${table(['Lot', 'Type', 'Remaining', 'Expires'], rows, 'No credits.')}
  </section>`;
}

function keysOf(account: Account, nowMs: number, role: StaffRole): Html {
  const mayJudge = mayDo(role, 'approve host') && mayDo(role, 'refuse host');
  const rows = account.keys
    .toReversed()
    .map((key) => [
      html`${key.name}<br /><code>${key.id}</code> …${key.lastFour}${dailyLimitOf(key, nowMs)}`,
      key.models === null ? 'all models' : key.models.join(', '),
      html`${key.hosts.map(
        ({ rule, state }) =>
          html`${badge(state)} ${rule}
            ${mayJudge && isLive(key, nowMs) && hostLinks(account.id, key.id, rule, state)}<br />`,
      )}`,
      !isLive(key, nowMs)
        ? html`revoked ${timestamp(key.revokedAt)}`
        : mayDo(role, 'revoke key')
          ? html`<a href="/staff/accounts/${account.id}/revoke-key?key=${key.id}">revoke</a>`
          : null,
    ]);
  return html`<section>
    <h2>API keys</h2>
    ${table(['Key', 'Models', 'Hosts', ''], rows, 'No keys.')}
  </section>`;
}

/** Daily limit of a key with the remaining credits. */
function dailyLimitOf(key: ApiKey, nowMs: number): Html | null {
  const left = leftToday(key, nowMs);
  if (left === null || key.dailyCredits === undefined) return null;
  return html`<br />${formatNumber(key.dailyCredits)} credits per day, ${formatNumber(left)} left
    today (UTC)`;
}

/** @param acts The operators' acts behind entries, by request id. */
function ledgerOf(entries: readonly LedgerEntry[], acts: ReadonlyMap<string, AuditEntry>): Html {
  const rows = entries.map((entry) => {
    const { at, number, kind, amount, generationId, reason, reference } = entry;
    const act = acts.get(entry.requestId);
    return [
      number,
      timestamp(at),
      kind,
      html`<b>${formatNumber(amount)}</b>`,
      html`${generationId !== null && generationLink(generationId)} ${ownReference(reference)}
      ${reason} ${act && html`<span class="quiet">by ${act.email}</span>`}`,
    ];
  });
  return html`<section>
    <h2>Latest ledger entries</h2>
    ${table(['No.', 'Time (UTC)', 'Entry', 'Credits', 'For'], rows, 'No ledger entries yet.')}
  </section>`;
}
