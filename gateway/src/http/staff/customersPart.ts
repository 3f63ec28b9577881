import type { Router } from '@koa/router';
import type { LineFilter } from '../../application/ports/staffQueries.ts';
import { goodwillForMany, maxCustomers } from '../../application/staff/goodwillForMany.ts';
import { requireReason } from '../../application/staff/runAction.ts';
import { PlainRefusal } from '../../domain/refusal.ts';
import { mayDo } from '../../domain/staffRights.ts';
import { parseInteger } from '../pages/form.ts';
import { html, formatNumber, timestamp, type Html } from '../pages/html.ts';
import { tokenField } from '../pages/layout.ts';
import { formIdField, reasonField } from './formFields.ts';
import {
  actorOf,
  badge,
  problemBox,
  showPage,
  staffOf,
  table,
  type StaffConsole,
  type StaffContext,
  type StaffState,
} from './layout.ts';

const path = '/staff/goodwill';

/**
 * The customers of a list, those with most generations first, with a form that compensates several of them.
 * @param linkOf Address of the list of one customer.
 */
export async function customersPart(
  ctx: StaffContext,
  { deps }: StaffConsole,
  filter: LineFilter,
  linkOf: (accountId: string) => string,
): Promise<Html> {
  const { customers, isWhole } = await deps.queries.byCustomer(filter);
  const shown = customers.slice(0, maxCustomers);
  const owners = await deps.queries.ownersOf(shown.map(({ accountId }) => accountId));
  const mayGive = mayDo(staffOf(ctx).staffRole, 'goodwill credits');
  const rows = shown.map(({ accountId, count, refundedCredits, lastEndedAt }) => {
    const name = owners.get(accountId)?.email ?? accountId;
    return [
      mayGive
        ? html`<input type="checkbox" name="account" value="${accountId}" aria-label="${name}" />`
        : null,
      html`<a href="/staff/accounts/${accountId}">${name}</a>`,
      html`<a href="${linkOf(accountId)}">${formatNumber(count)}</a>`,
      formatNumber(refundedCredits),
      timestamp(lastEndedAt),
    ];
  });
  const columns = ['', 'Customer', 'Generations', 'Refunded', 'Last end (UTC)'];
  const list = table(columns, rows, 'None.');
  return html`<p>
      ${formatNumber(customers.length)}
      ${customers.length === 1 ? 'customer' : 'customers'}${isWhole ? '' : ' among the newest 5,000 ends'}${customers.length > shown.length && `, the first ${maxCustomers} shown`}
    </p>
    ${
      mayGive && rows.length > 0
        ? html`<form method="post" action="${path}">
            ${tokenField(ctx)} ${formIdField(deps.work.random)} ${list}
            <div class="inline">
              <label>Credits for each <input type="number" name="amount" min="1" required /></label>
              ${reasonField()}
              <button>Give goodwill credits</button>
            </div>
          </form>`
        : list
    }`;
}

/** Gives goodwill credits to the customers chosen in a list. */
export function goodwillPages(router: Router<StaffState>, { deps }: StaffConsole): void {
  router.post(path, async (ctx: StaffContext) => {
    const { form } = ctx.state;
    try {
      const outcomes = await goodwillForMany(deps, actorOf(ctx), {
        accountIds: form.all('account').map((id) => id.slice(0, 60)),
        amount: parseInteger(form, 'amount'),
        reason: requireReason(form.get('reason')),
        formId: form.get('form_id').slice(0, 60),
      });
      const given = outcomes.filter(({ isGiven }) => isGiven).length;
      const rows = outcomes.map(({ accountId, isGiven, said }) => [
        html`<a href="/staff/accounts/${accountId}"><code>${accountId}</code></a>`,
        badge(isGiven ? 'done' : 'refused'),
        said,
      ]);
      show(
        ctx,
        html`<p class="notice" role="status">
            ${formatNumber(given)} of ${formatNumber(outcomes.length)} customers were given credits.
          </p>
          ${table(['Account', 'Outcome', ''], rows, '')}`,
      );
    } catch (error) {
      if (!(error instanceof PlainRefusal)) throw error;
      const allowed = mayDo(staffOf(ctx).staffRole, 'goodwill credits');
      const content = html`${problemBox(error.message)}
        <p>Go back to the list: your choice is still there.</p>`;
      show(ctx, content, allowed ? 409 : 403);
    }
  });

  function show(ctx: StaffContext, content: Html, status = 200): void {
    const title = 'Goodwill credits';
    showPage(
      ctx,
      title,
      html`<h1>${title}</h1>
        ${content}`,
      status,
    );
  }
}
