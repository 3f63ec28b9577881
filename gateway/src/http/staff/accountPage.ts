import type { Router } from '@koa/router';
import type { AuditEntry } from '../../application/ports/staff.ts';
import type { CustomerFactor } from '../../application/ports/site.ts';
import { erasureInWords } from '../../application/generations/end/eraseGenerations.ts';
import { erasureDueAt } from '../../domain/accounts/erasureRequest.ts';
import { openCreditRequest } from '../../domain/accounts/creditRequest.ts';
import { isLive, type Account, type ApiKey } from '../../domain/accounts/account.ts';
import { limitsOf } from '../../domain/accounts/limits.ts';
import {
  type LedgerEntry,
  availableCredits,
  compareLots,
  ownReference,
} from '../../domain/credits/credits.ts';
import { leftToday } from '../../domain/accounts/keyLimits.ts';
import type { AccountFilter } from '../../application/ports/staffQueries.ts';
import { html, formatNumber, timestamp, type Html } from '../pages/html.ts';
import { filterLinks, listLinks, queryOf, type Query } from '../pages/elements.ts';
import { actionLinks, targetOf, type ConsoleAction } from './actionPages.ts';
import { auditTable } from './auditPages.ts';
import {
  actionNotice,
  showPage,
  badge,
  accountLink,
  facts,
  generationLink,
  hostLinks,
  table,
  staffOf,
  type StaffConsole,
  type StaffContext,
  type StaffState,
} from './layout.ts';
import { ownLines } from './lineTable.ts';
import { states } from './listPages.ts';
import { Refusal } from '../../domain/refusal.ts';
import { mayDo, type StaffRole } from '../../domain/staff/staffRights.ts';
import { missingWords } from './creditRequestPages.ts';
import { needs } from './needs.ts';

const listLength = 30;
/** Actions on a key or host, which are not offered for the whole account. */
const ofKeys = new Set(['approve-host', 'refuse-host', 'revoke-key']);

/** Page of an account: credits, keys, generations, ledger and actions. */
export function accountPages(
  router: Router<StaffState>,
  { deps }: StaffConsole,
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
    const [generations, entries, found, log, erasure, factor] = await Promise.all([
      deps.staffQueries.ofAccount(id, filterOf(query), isCursor ? before : null, listLength),
      database.ledger.newest(id, null, listLength),
      /^\d{1,9}$/.test(number ?? '') ? database.ledger.newest(id, Number(number) + 1, 1) : [],
      deps.audit.search(id, null, 20),
      database.erasures.find(id),
      deps.customerFactors.find(id),
    ]);
    const { lines, older } = generations;
    // Charges have no audit entry.
    const acted = entries.filter(({ kind }) => kind !== 'charge');
    const acts = await deps.audit.byRequest(acted.map(({ requestId }) => requestId));
    const now = clock.now();
    const role = staffOf(ctx).staffRole;
    const ofAccount = (slug: string) =>
      !ofKeys.has(slug) &&
      fits(slug, account, {
        hasFactor: factor !== null,
        isErasureScheduled: erasureDueAt(account) !== null,
      });
    const content = html`${actionNotice(ctx, log)} ${headOf(account, now, factor)}
      ${found.map(paymentPart)} ${erasure && html`<p class="notice">${erasureInWords(erasure)}</p>`}
      ${actionLinks(`/staff/accounts/${id}`, role, actions, ofAccount)}
      <div class="columns">${keysOf(account, now, role)} ${creditsOf(account, now)}</div>
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
          ${facts(Object.entries<number>({ ...limitsOf(account, deps.defaultLimits) }).map(([name, value]) => [limitLabel(name), formatNumber(value)] as const))}
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
  const { status, verified } = account;
  if (slug === 'withdraw-erasure') return isErasureScheduled;
  if (slug === 'decline-credits') return openCreditRequest(account) !== null;
  if (slug === 'remove-second-factor') return hasFactor;
  if (slug === 'mail') return verified;
  if (slug === 'suspend') return status === 'active';
  return slug === 'resume' ? status === 'suspended' : true;
}

function headOf(account: Account, now: number, factor: CustomerFactor | null): Html {
  const { id, email, status, verified, staffRole, running, waiting } = account;
  return html`<h1>${email}</h1>
    <p>
      ${badge(status)} ${verified ? 'email verified' : 'email not verified'}
      ${factor && html`· two-factor authentication since ${timestamp(factor.enabledAt)}`}
      ${staffRole === null ? null : html`· staff (${staffRole})`} · <code>${id}</code> ·
      <b>${formatNumber(availableCredits(account.lots, now))} credits</b>,
      ${formatNumber(account.inFlightCredits)} held · ${running} running, ${waiting} waiting · since
      ${timestamp(account.createdAt)}
    </p>
    ${planOf(account)} ${erasureRequestOf(account)} ${creditRequestOf(account)}`;
}

function erasureRequestOf(account: Account): Html | null {
  const dueAt = erasureDueAt(account);
  if (dueAt === null) return null;
  const { by } = account.erasureRequest ?? {};
  return html`<p class="notice">
    ${by ? `The operator key ${by.name}` : 'The customer'} asked to erase this account on
    <b>${timestamp(dueAt)}</b> (UTC).
  </p>`;
}

function creditRequestOf(account: Account): Html | null {
  const request = openCreditRequest(account);
  if (request === null) return null;
  return html`<p class="notice">
    Asked for credits:
    <b>${timestamp(request.askedAt)}</b>
    (UTC)${missingWords(request)}${request.by !== account.id && html`, by ${accountLink(request.by)}`}.
    ${request.message !== '' && html`<q dir="auto">${request.message}</q>`}
  </p>`;
}

/** The ledger entry of the searched payment. */
function paymentPart({ at, number, kind, amount, reference }: LedgerEntry): Html {
  return html`<p class="notice">
    <b>${ownReference(reference)}</b>: ${kind} of ${formatNumber(amount)} credits, ${timestamp(at)}
    (UTC), ledger entry ${number}
  </p>`;
}

function planOf({ plan }: Account): Html | null {
  if (plan === undefined) return null;
  const { id, name, credits, months, nextAt, startedAt, endedAt } = plan;
  return html`<p>
    Plan <b>${name}</b>: ${formatNumber(credits)} credits per month · since ${timestamp(startedAt)},
    ${formatNumber(months)} granted ·
    ${nextAt === null ? html`ended ${timestamp(endedAt)}` : html`next ${timestamp(nextAt)}`} ·
    <code>${id}</code>
  </p>`;
}

function creditsOf({ lots }: Account, now: number): Html {
  const rows = lots
    .filter(({ remaining }) => remaining > 0)
    .toSorted(compareLots)
    .map((lot) => [
      html`<code>${lot.id}</code>`,
      lot.kind,
      `${formatNumber(lot.remaining)} of ${formatNumber(lot.amount)}`,
      lot.expiresAt !== null && lot.expiresAt <= now ? 'expired' : timestamp(lot.expiresAt),
    ]);
  return html`<section>
    <h2>Credit balance</h2>
    ${table(['Lot', 'Type', 'Remaining', 'Expires'], rows, 'No credits.')}
  </section>`;
}

function keysOf(account: Account, now: number, role: StaffRole): Html {
  const judges = mayDo(role, 'approve host') && mayDo(role, 'refuse host');
  const rows = account.keys
    .toReversed()
    .map((key) => [
      html`${key.name}<br /><code>${key.id}</code> …${key.lastFour}${dailyLimitOf(key, now)}`,
      key.models === null ? 'all models' : key.models.join(', '),
      html`${key.hosts.map(
        ({ rule, state }) =>
          html`${badge(state)} ${rule}
            ${judges && isLive(key, now) ? hostLinks(account.id, key.id, rule, state) : null}<br />`,
      )}`,
      !isLive(key, now)
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
function dailyLimitOf(key: ApiKey, now: number): Html | null {
  const left = leftToday(key, now);
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
