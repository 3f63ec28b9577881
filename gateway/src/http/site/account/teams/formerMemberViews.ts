import type { RequiredProof } from '../../../../application/site/proof.ts';
import type { Account } from '../../../../domain/accounts/account.ts';
import { liveKeysOf } from '../../../../domain/teams/formerMembers.ts';
import type { Member } from '../../../../domain/teams/members.ts';
import { date, html, richText, attributes, type Html } from '../../../pages/html.ts';
import { tokenField } from '../../../pages/layout.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { monthPart } from '../keys/keySpending.ts';
import { prefixedProofFields } from '../signIn/proofFields.ts';
import type { SiteContext } from '../site.ts';
import { teamPath } from './teamPaths.ts';
import { text } from '../../../../texts/text.ts';

/** The choice for the keys of a removed person; null without working keys. */
export function keysChoice(account: Account, { id }: Member, now: number): Html | null {
  const count = liveKeysOf(account, id, now).length;
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
  shown: { account: Account; now: number; asked: RequiredProof; errors: FormErrors | undefined },
): Html | null {
  const { account, now, asked, errors } = shown;
  const rows = (account.formerMembers ?? []).flatMap((former) => {
    const { id, leftAt, monthlyCredits } = former;
    const keys = liveKeysOf(account, id, now);
    if (keys.length === 0) return [];
    const name = keys[0]?.madeBy?.email || text('keys.erasedPerson');
    const begin = html`${tokenField(ctx)} <input type="hidden" name="member" value="${id}" />`;
    const { form } = ctx.state;
    const isSent = form.get('member') === id;
    const limit = attributes({
      id: `limit-${id}`,
      name: 'monthly_credits',
      inputmode: 'numeric',
      autocomplete: 'off',
      value: isSent ? form.get('monthly_credits') : (monthlyCredits ?? ''),
    });
    return [
      html`<li>
        <div>
          <strong>${name}</strong>
          <p class="quiet">
            ${richText('team.leftAt', { date: date(leftAt), count: keys.length })}
          </p>
          <p>${richText('team.creditsThisMonth', { credits: monthPart(former, now) })}</p>
          <details ${isSent && html`open`}>
            <summary>${text('team.setLimit')}</summary>
            <form action="${teamPath}/limit" method="post" class="stack" novalidate>
              ${begin}
              <label for="limit-${id}">${text('team.monthlyOfKeys')}</label>
              <input ${limit} />
              ${prefixedProofFields(ctx, asked, `${id} `, isSent ? errors : undefined)}
              <button class="small">${text('team.setLimit')}</button>
            </form>
          </details>
          <form action="${teamPath}/keys" method="post">
            ${begin}
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
