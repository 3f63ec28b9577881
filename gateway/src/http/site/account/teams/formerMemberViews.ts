import type { RequiredProof } from '../../../../application/signIn/proof.ts';
import type { Account } from '../../../../domain/accounts/account.ts';
import { liveKeysOf } from '../../../../domain/teams/formerMembers.ts';
import type { Member } from '../../../../domain/teams/members.ts';
import { text } from '../../../../texts/text.ts';
import { tokenField } from '../../../pages/elements.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { attributes, date, type Html, html, richText } from '../../../pages/html.ts';
import { monthPart } from '../keys/keySpending.ts';
import { teamPath } from '../settingsPaths.ts';
import { prefixedProofFields } from '../signIn/proofFields.ts';
import type { SiteContext } from '../site.ts';
import { sentFor } from './teamInviteViews.ts';

/** Hidden fields of a form about a member. */
export const memberFields = (ctx: SiteContext, { id }: Pick<Member, 'id'>): Html =>
  html`${tokenField(ctx)} <input type="hidden" name="member" value="${id}" />`;

/** Field of the monthly limit of a member or former member. */
export function monthlyField(
  ctx: SiteContext,
  member: Pick<Member, 'id' | 'monthlyCredits'>,
  label: string,
): Html {
  const id = `limit-${member.id}`;
  const typed = sentFor(ctx) === member.id ? ctx.state.form.get('monthly_credits') : undefined;
  const input = attributes({
    id,
    name: 'monthly_credits',
    inputmode: 'numeric',
    autocomplete: 'off',
    value: typed ?? member.monthlyCredits ?? '',
  });
  return html`<label for="${id}">${label}</label> <input ${input} />`;
}

/** The choice for the keys of a removed person; null without working keys. */
export function keysChoice(account: Account, { id }: Member, nowMs: number): Html | null {
  const count = liveKeysOf(account, id, nowMs).length;
  if (count === 0) return null;
  return html`<label for="keys-${id}">${text('team.keysOf', { count })}</label>
    <select id="keys-${id}" name="keys">
      <option value="keep">${text('team.keysKeep')}</option>
      <option value="revoke">${text('team.keysRevoke')}</option>
    </select>`;
}

/** People who have left and whose keys still work; null if there are none. */
export function formerPart(
  ctx: SiteContext,
  view: {
    account: Account;
    nowMs: number;
    requiredProof: RequiredProof;
    errors: FormErrors | undefined;
  },
): Html | null {
  const { account, nowMs, requiredProof, errors } = view;
  const rows = (account.formerMembers ?? []).flatMap((former) => {
    const { id, leftAt } = former;
    const keys = liveKeysOf(account, id, nowMs);
    if (keys.length === 0) return [];
    const name = keys[0]?.madeBy?.email || text('keys.erasedPerson');
    const isSent = sentFor(ctx) === id;
    return [
      html`<li>
        <div>
          <strong>${name}</strong>
          <p class="quiet">
            ${richText('team.leftAt', { date: date(leftAt), count: keys.length })}
          </p>
          <p>${richText('team.creditsThisMonth', { credits: monthPart(former, nowMs) })}</p>
          <details ${isSent && html`open`}>
            <summary>${text('keys.setLimit')}</summary>
            <form action="${teamPath}/limit" method="post" class="stack" novalidate>
              ${memberFields(ctx, former)} ${monthlyField(ctx, former, text('team.monthlyOfKeys'))}
              ${prefixedProofFields(ctx, requiredProof, `${id} `, isSent ? errors : undefined)}
              <button class="small">${text('keys.setLimit')}</button>
            </form>
          </details>
          <form action="${teamPath}/keys" method="post">
            ${memberFields(ctx, former)}
            <button class="small danger">${text('team.revokeKeysOf', { name })}</button>
          </form>
        </div>
      </li>`,
    ];
  });
  if (rows.length === 0) return null;
  return html`<h2>${text('team.former')}</h2>
    <p>${text('team.formerHint')}</p>
    <ul class="rows">
      ${rows}
    </ul>`;
}
