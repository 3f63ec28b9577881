import type { Router } from '@koa/router';
import type { LineFilter } from '../../application/ports/staffQueries.ts';
import { mailTemplates } from '../../application/staff/customerMails.ts';
import {
  goodwillForMany,
  mailToMany,
  maxCustomers,
  type ChosenCustomers,
  type CustomerOutcome,
} from '../../application/staff/forCustomers.ts';
import { requireReason } from '../../application/staff/runAction.ts';
import { PlainRefusal } from '../../domain/refusal.ts';
import { mayDo, type StaffAction } from '../../domain/staffRights.ts';
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
const mailPath = '/staff/customer-mails';

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
              ${reasonField()}
              <label>Credits for each <input type="number" name="amount" min="1" required /></label>
              <button>Give goodwill credits</button>
            </div>
            <div class="inline">
              <label
                >Mail
                <select name="template">
                  ${mailTemplates.map(({ id, subject }) => html`<option value="${id}">${subject}</option>`)}
                </select></label
              >
              <button formaction="${mailPath}" formnovalidate>Send to each</button>
            </div>
          </form>`
        : list
    }`;
}

/** Gives goodwill credits, or sends a mail, to the customers chosen in a list. */
export function chosenCustomersPages(router: Router<StaffState>, { deps }: StaffConsole): void {
  const act = async (
    ctx: StaffContext,
    { action, title, done }: { action: StaffAction; title: string; done: string },
    work: (of: ChosenCustomers) => Promise<CustomerOutcome[]>,
  ): Promise<void> => {
    const { form } = ctx.state;
    const show = (content: Html, status = 200) => {
      const page = html`<h1>${title}</h1>
        ${content}`;
      showPage(ctx, title, page, status);
    };
    try {
      const outcomes = await work({
        accountIds: form.all('account').map((id) => id.slice(0, 60)),
        reason: requireReason(form.get('reason')),
        formId: form.get('form_id').slice(0, 60),
      });
      const count = outcomes.filter(({ isDone }) => isDone).length;
      const rows = outcomes.map(({ accountId, isDone, said }) => [
        html`<a href="/staff/accounts/${accountId}"><code>${accountId}</code></a>`,
        badge(isDone ? 'done' : 'refused'),
        said,
      ]);
      show(
        html`<p class="notice" role="status">
            ${formatNumber(count)} of ${formatNumber(outcomes.length)} customers ${done}.
          </p>
          ${table(['Account', 'Outcome', ''], rows, '')}`,
      );
    } catch (error) {
      if (!(error instanceof PlainRefusal)) throw error;
      const allowed = mayDo(staffOf(ctx).staffRole, action);
      const content = html`${problemBox(error.message)}
        <p>Go back to the list: your choice is still there.</p>`;
      show(content, allowed ? 409 : 403);
    }
  };
  router.post(path, (ctx: StaffContext) => {
    const page = { title: 'Goodwill credits', done: 'were given credits' };
    return act(ctx, { action: 'goodwill credits', ...page }, (of) =>
      goodwillForMany(deps, actorOf(ctx), {
        ...of,
        amount: parseInteger(ctx.state.form, 'amount'),
      }),
    );
  });
  router.post(mailPath, (ctx: StaffContext) =>
    act(ctx, { action: 'mail customer', title: 'Mail', done: 'were sent the mail' }, (of) =>
      mailToMany(deps, actorOf(ctx), { ...of, template: ctx.state.form.get('template') }),
    ),
  );
}
