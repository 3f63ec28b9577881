import type { Account } from '../../../../domain/accounts/account.ts';
import type { ApiKey } from '../../../../domain/accounts/apiKey.ts';
import { isFormerMaker } from '../../../../domain/teams/team.ts';
import { mayInTeam, type TeamAct } from '../../../../domain/teams/teamRoles.ts';
import { text } from '../../../../texts/text.ts';
import { type Html, html } from '../../../pages/html.ts';
import { personOf } from '../acting.ts';
import type { SiteContext } from '../site.ts';

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
