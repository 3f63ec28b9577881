import type { App } from '../../../application/app.ts';
import type { LineFilter } from '../../../application/ports/staffQueries.ts';
import { maxChosen } from '../../../application/staff/chosenActions.ts';
import { customerMails } from '../../../application/staff/customerMails.ts';
import { mayDo } from '../../../domain/staff/staffRights.ts';
import { text } from '../../../texts/text.ts';
import { tokenField } from '../../pages/elements.ts';
import { formatNumber, type Html, html, timestamp } from '../../pages/html.ts';
import { chosenPaths } from '../actions/chosenPages.ts';
import { type StaffContext, staffOf } from '../context.ts';
import { accountLink, choiceBox, formIdField, reasonField, table } from '../elements.ts';

/**
 * The customers of a list, highest number of generations first, with a form that compensates several of them.
 * @param options.linkOf Address of the list of one customer.
 * @param options.isChosen Whether the boxes are ticked.
 * @param options.choice Link that ticks all or none.
 * @param options.hidden Fields with the filter.
 */
export async function renderCustomersPart(
  ctx: StaffContext,
  deps: App,
  filter: LineFilter,
  {
    linkOf,
    isChosen,
    choice,
    hidden,
  }: { linkOf: (accountId: string) => string; isChosen: boolean; choice: Html; hidden: Html },
): Promise<Html> {
  const { customers, isWhole } = await deps.staffQueries.countByCustomer(filter);
  const listed = customers.slice(0, maxChosen);
  const owners = await deps.staffQueries.findOwners(listed.map(({ accountId }) => accountId));
  const mayGive = mayDo(staffOf(ctx).staffRole, 'goodwill credits');
  const rows = listed.map(({ accountId, count, costCredits, refundedCredits, lastEndedAt }) => {
    const name = owners.get(accountId)?.email ?? accountId;
    return [
      mayGive ? choiceBox('account', accountId, name, isChosen) : null,
      accountLink(accountId, name),
      html`<a href="${linkOf(accountId)}">${formatNumber(count)}</a>`,
      formatNumber(costCredits),
      formatNumber(refundedCredits),
      timestamp(lastEndedAt),
    ];
  });
  const columns = ['', 'Customer', 'Generations', 'Credits', 'Refunded', 'Last ended (UTC)'];
  const list = table(columns, rows, 'No customers with these filters.');
  return html`<p>
      ${formatNumber(customers.length)}
      ${customers.length === 1 ? 'customer' : 'customers'}${!isWhole && ' in the latest 5,000 generations'}${customers.length > listed.length && `, the first ${maxChosen} shown`}${mayGive && isChosen && ' · all selected'}
    </p>
    ${
      mayGive && rows.length > 0
        ? html`<form method="post" action="${chosenPaths.planGoodwill}">
            ${hidden} ${tokenField(ctx)} ${formIdField(deps.random)}
            <div class="inline">
              ${reasonField()}
              <label
                >Goodwill
                <select name="basis">
                  <option value="lost">Percent of the credits of each</option>
                  <option value="same">Credits for each</option>
                </select></label
              >
              <label
                >Amount <input type="number" name="amount" min="1" value="100" required
              /></label>
              <button>See the total</button>
              <label
                >Email
                <select name="template">
                  ${customerMails.map((kind) => html`<option value="${kind}">${text(`mails.${kind}Subject`)}</option>`)}
                </select></label
              >
              <button formaction="${chosenPaths.mail}" formnovalidate>Email each</button>
            </div>
            ${choice} ${list}
          </form>`
        : list
    }`;
}
