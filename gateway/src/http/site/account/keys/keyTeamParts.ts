import type { Account, ApiKey } from '../../../../domain/accounts/account.ts';
import { isFormerMaker } from '../../../../domain/teams/team.ts';
import { mayInTeam, type TeamAct } from '../../../../domain/teams/teamRoles.ts';
import { attributes, html, richText, type Html } from '../../../pages/html.ts';
import { tokenField } from '../../../pages/layout.ts';
import { personOf } from '../acting.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { fieldError, hidden, keysPath } from './keyForms.ts';
import type { SiteContext } from '../site.ts';
import { text } from '../../../../texts/text.ts';

/** The keys of an account visible to the person: a member's own, or all for an owner. */
export const seenKeys = (ctx: SiteContext, account: Account): ApiKey[] =>
  keysFor(ctx, account, 'manage all keys');

/** The keys whose names the person may see. */
export const namedKeys = (ctx: SiteContext, account: Account): ApiKey[] =>
  keysFor(ctx, account, 'see key names');

function keysFor(ctx: SiteContext, { keys }: Account, right: TeamAct): ApiKey[] {
  if (mayInTeam(ctx.state.role, right)) return keys;
  const { id } = personOf(ctx);
  return keys.filter(({ madeBy }) => madeBy?.id === id);
}

/** The maker of a key, if a team member made it. */
export function makerPart(account: Account, key: ApiKey): Html | null {
  const { madeBy } = key;
  if (!madeBy) return null;
  const name = madeBy.email || text('keys.erasedPerson');
  const former =
    isFormerMaker(account, key) && html` <span class="badge">${text('keys.leftTeam')}</span>`;
  return html`<span class="quiet">${text('keys.madeBy', { name })}</span>${former}`;
}

/** Form for a key's monthly limit; only for owners, since it restricts members. */
export function monthlyLimitPart(
  ctx: SiteContext,
  { id, name, monthlyCredits }: ApiKey,
  errors?: FormErrors,
): Html | null {
  if (!mayInTeam(ctx.state.role, 'manage all keys')) return null;
  const field = `monthly-${id}`;
  const error = errors?.fields['monthlyCredits'];
  const { tied, sentence } = fieldError(field, error);
  const hint = `${field}-hint`;
  const input = attributes({
    id: field,
    name: 'monthly_credits',
    inputmode: 'numeric',
    autocomplete: 'off',
    value: error === undefined ? (monthlyCredits ?? '') : ctx.state.form.get('monthly_credits'),
    ...tied,
    'aria-describedby': error === undefined ? hint : `${hint} ${field}-problem`,
  });
  return html`<details ${error !== undefined && html`open`}>
    <summary>${richText('keys.monthlyLimit', { name, hidden })}</summary>
    <p id="${hint}">${text('keys.monthlyLimitHelp')}</p>
    <form action="${keysPath}/keys/${id}/month" method="post" class="inline">
      ${tokenField(ctx)}
      <label for="${field}">${text('keys.creditsAMonth')}</label>
      <input ${input} />
      <button class="small">${text('keys.setLimit')}</button>
      ${sentence}
    </form>
  </details>`;
}
