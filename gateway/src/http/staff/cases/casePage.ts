import type { App } from '../../../application/app.ts';
import {
  type Case,
  type CaseGeneration,
  loadCustomers,
  openCase,
} from '../../../application/staff/openCase.ts';
import type { SearchResult } from '../../../application/staff/search.ts';
import type { Account } from '../../../domain/accounts/account.ts';
import { availableCredits } from '../../../domain/credits/credits.ts';
import { mayDo } from '../../../domain/staff/staffRights.ts';
import { emailsIn } from '../../../domain/staff/staffSearch.ts';
import { languageNames } from '../../../domain/text/language.ts';
import { tokenField } from '../../pages/elements.ts';
import { formatNumber, type Html, html, timestamp } from '../../pages/html.ts';
import { actionLinks, type ConsoleAction } from '../actions/actionPages.ts';
import { actorOf, type StaffContext, staffOf } from '../context.ts';
import {
  accountLink,
  badge,
  formIdField,
  generationLink,
  missingPart,
  reasonField,
  table,
} from '../elements.ts';
import { actionButtons } from '../generations/generationPage.ts';
import { showPage } from '../layout.ts';
import { replyTo, verdictOf } from './caseReply.ts';

/** The actions that a case offers. */
export interface CaseActions {
  generationActions: readonly ConsoleAction[];
  accountActions: readonly ConsoleAction[];
}

interface PastedEmail {
  letter: string;
  found: SearchResult;
  actions: CaseActions;
}

/** Actions on the account that a reply may need. */
const caseSlugs = new Set(['goodwill', 'note']);

/**
 * Shows a customer's email as a case: the customer, the generations that it may mean with a verdict on each, and a
 * reply. If several customers are named, it asks which one.
 * @returns False, with nothing shown, if the email names no customer, or an item without the address of its customer.
 *   The caller then shows the search result.
 */
export async function answerCase(
  ctx: StaffContext,
  deps: App,
  { letter, found: result, actions }: PastedEmail,
): Promise<boolean> {
  const customers = await loadCustomers(deps, result, letter);
  const chosen = ctx.state.form.get('account');
  const account = customers.length === 1 ? customers[0] : customers.find(({ id }) => id === chosen);
  const isExact = result.generations.length > 0 || result.accounts.length > 0;
  const isOfCustomer = customers.some((each) => containsEmailOf(each, letter));
  if (customers.length === 0 || (isExact && !isOfCustomer)) return false;
  if (!account) {
    showPage(ctx, 'Case', whichPart(ctx, customers, letter));
    return true;
  }
  const openedCase = await openCase(deps, actorOf(ctx), { account, letter, search: result });
  const nowMs = deps.clock.now();
  const { staffRole } = staffOf(ctx);
  const generations = openedCase.likely.map((each) => generationPart(ctx, each, actions, nowMs));
  const content = html`<h1>Case of ${account.email}</h1>
    ${customerPart(openedCase, nowMs)} ${senderPart(account, letter)} ${missingPart(result.missing)}
    ${actionLinks(`/staff/accounts/${account.id}`, staffRole, actions.accountActions, (slug) => caseSlugs.has(slug))}
    <section>
      <h2>${openedCase.isGuess ? 'Newest generations' : 'Most likely generations'}</h2>
      ${openedCase.isGuess && html`<p class="notice">Nothing in the email identifies one of this customer's generations.</p>`}
      ${generations.length === 0 ? html`<p class="quiet">The customer has no generations.</p>` : generations}
      ${
        openedCase.compared > 0 &&
        html`<p class="quiet">
          The email was compared with ${formatNumber(openedCase.compared)} prompts, which the audit
          log records.
        </p>`
      }
    </section>
    ${replyPart(ctx, openedCase, deps, nowMs)}`;
  showPage(ctx, `Case of ${account.email}`, content);
  return true;
}

function customerPart({ account, language }: Case, nowMs: number): Html {
  const { id, email, status, lots, createdAt } = account;
  return html`<p>
    ${accountLink(id, email)} ${badge(status)} ·
    <b>${formatNumber(availableCredits(lots, nowMs))} credits</b> · ${languageNames[language]} ·
    since ${timestamp(createdAt)}
  </p>`;
}

/** Whether an email names the address of an account, or of a member. */
function containsEmailOf({ email, members = [] }: Account, letter: string): boolean {
  const own = new Set([email, ...members.map((each) => each.email)]);
  return emailsIn(letter).some((each) => own.has(each));
}

/** A warning if the email may come from someone else, because the rest of the page is for the customer only. */
function senderPart(account: Account, letter: string): Html | null {
  if (containsEmailOf(account, letter)) return null;
  return html`<p class="notice warning">
    The email does not contain this account's address. Check who sent it before you reply.
  </p>`;
}

function generationPart(
  ctx: StaffContext,
  { generation, because }: CaseGeneration,
  { generationActions }: CaseActions,
  nowMs: number,
): Html {
  const { id, status, model, mode } = generation;
  return html`<article>
    <h3>${generationLink(id)} ${badge(status)}</h3>
    <p><b>${verdictOf(generation, nowMs)}</b></p>
    <p class="quiet">
      ${model}${mode !== null && `, ${mode}`} · created ${timestamp(generation.createdAt)} · fits:
      ${because.join('; ')}
    </p>
    ${actionButtons(ctx, { generation }, generationActions, nowMs)}
  </article>`;
}

/** The reply, to copy or to send; only those who may email customers can send it. */
function replyPart(
  ctx: StaffContext,
  openedCase: Case,
  { accountUrl, random }: App,
  nowMs: number,
): Html {
  const { account } = openedCase;
  const maySend = account.isVerified && mayDo(staffOf(ctx).staffRole, 'mail customer');
  const box = html`<label
    >Reply (${languageNames[openedCase.language]})
    <textarea name="own" rows="10" lang="${openedCase.language}" dir="auto" required>
${replyTo(openedCase, { accountUrl, nowMs })}</textarea>
  </label>`;
  const form = html`<form class="stack" method="post" action="/staff/accounts/${account.id}/mail">
    ${tokenField(ctx)} ${formIdField(random)}
    <input type="hidden" name="template" value="reply" />
    ${box} ${reasonField('Reply to an email')}
    <p><button>Send to ${account.email}</button></p>
  </form>`;
  return html`<section>
    <h2>Reply</h2>
    ${maySend ? form : html`<div class="stack">${box}</div>`}
  </section>`;
}

function whichPart(ctx: StaffContext, customers: readonly Account[], letter: string): Html {
  const rows = customers.map(({ id, email, status }) => [
    accountLink(id, email),
    badge(status),
    html`<button name="account" value="${id}">Open the case</button>`,
  ]);
  return html`<h1>Which customer?</h1>
    <p>The email names several customers.</p>
    <form method="post" action="/staff/search">
      ${tokenField(ctx)} <input type="hidden" name="q" value="${letter.slice(0, 10_000)}" />
      ${table(['Customer', 'Status', ''], rows, '')}
    </form>`;
}
