import type { Router } from '@koa/router';
import type { App } from '../../../application/app.ts';
import type { CreditAsker } from '../../../application/ports/staffQueries.ts';
import type { CreditRequest } from '../../../domain/accounts/account.ts';
import { availableCredits } from '../../../domain/credits/credits.ts';
import { mayDo, type StaffAction } from '../../../domain/staff/staffRights.ts';
import {
  durationElement,
  formatCount,
  formatNumber,
  type Html,
  html,
  timestamp,
} from '../../pages/html.ts';
import { type StaffContext, staffOf, type StaffState } from '../context.ts';
import { accountLink, table } from '../elements.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';

/** Not in the navigation: the overview links here while there are any. */
const path = '/staff/credit-requests';

/** Maximum requests on a page; the longest waiting come first. */
export const maxShown = 200;

/** The actions on a request that the role of the staff member allows. */
const answers: readonly (readonly [StaffAction, slug: string, label: string])[] = [
  ['grant credits', 'grant', 'grant'],
  ['goodwill credits', 'goodwill', 'goodwill'],
  ['decline credits', 'decline-credits', 'decline'],
];

/** The customers who have requested credits. */
export function addCreditRequestPages(router: Router<StaffState>, deps: App): void {
  router.get(path, needs('see'), async (ctx: StaffContext) => {
    const askers = await deps.staffQueries.listCreditRequests(maxShown);
    const nowMs = deps.clock.now();
    const offered = answers.filter(([action]) => mayDo(staffOf(ctx).staffRole, action));
    const rows = askers.map(({ id, email, lots, request }) => [
      timestamp(request.askedAt),
      accountLink(id, email),
      formatNumber(availableCredits(lots, nowMs)),
      request.missing === undefined ? '–' : formatNumber(request.missing),
      html`<span dir="auto">${request.message}</span>`,
      html`${offered.map(
        ([, slug, label]) =>
          html`<a href="/staff/accounts/${id}/${slug}"
            >${label}<span class="visually-hidden"> for ${email}</span></a
          > `,
      )}`,
    ]);
    const columns = ['Requested (UTC)', 'Account', 'Available', 'Missing', 'Message', 'Answer'];
    const content = html`<h1>Credit requests</h1>
      <p class="quiet">Granting credits to an account closes its request, whoever grants them.</p>
      ${table(columns, rows, 'No one is asking for credits.')}`;
    showPage(ctx, 'Credit requests', content);
  });
}

/**
 * For the overview: the number of customers who have requested credits, with the longest wait; null if there are none.
 */
export function creditRequestStrip(askers: readonly CreditAsker[], nowMs: number): Html | null {
  const [first] = askers;
  if (first === undefined) return null;
  const count = formatCount(askers.length, 'customer asks', 'customers ask');
  return html`<p class="notice warning">
    <a href="${path}"><b>${count} for credits</b></a> · longest wait
    ${durationElement(first.request.askedAt, nowMs)}
  </p>`;
}

/** The missing credits at the end of a sentence; empty if they are unknown. */
export const describeMissing = ({ missing }: CreditRequest): string =>
  missing === undefined ? '' : `, ${formatNumber(missing)} missing`;
