import type { Account } from '../../../../domain/accounts/account.ts';
import { isLive } from '../../../../domain/accounts/apiKey.ts';
import { erasureDueAt } from '../../../../domain/accounts/erasureRequest.ts';
import { availableCredits } from '../../../../domain/credits/credits.ts';
import { text } from '../../../../texts/text.ts';
import { tokenField } from '../../../pages/elements.ts';
import { formatNumber, type Html, html, richText, time } from '../../../pages/html.ts';
import { erasurePath } from '../settingsPaths.ts';
import type { SiteContext } from '../site.ts';

/** The form that keeps an account whose erasure was asked for. */
export const keepForm = (ctx: SiteContext): Html =>
  html`<form action="${erasurePath}/keep" method="post">
    ${tokenField(ctx)}<button class="button small">${text('erasure.keep')}</button>
  </form>`;

/** A notice on every page that the account, or the team for which the person acts, will be erased. */
export function erasureBanner(ctx: SiteContext): Html | null {
  const { account, person } = ctx.state;
  const own = person && erasureDueAt(person);
  if (own !== null && ctx.path.startsWith(erasurePath)) return null;
  if (own !== null) {
    return html`<div class="notice danger" role="alert">
      <p>${richText('erasure.banner', { time: time(own) })}</p>
      ${keepForm(ctx)}
    </div>`;
  }
  const team = account && erasureDueAt(account);
  if (team === null) return null;
  return html`<p class="notice danger" role="alert">
    ${richText('erasure.teamBanner', { time: time(team) })}
  </p>`;
}

/** The consequences of an erasure for this account, shown before its request. */
export function consequences(account: Account, nowMs: number): Html {
  const { keys, members = [], running, waiting, lots, plan } = account;
  const credits = availableCredits(lots, nowMs);
  const live = keys.filter((key) => isLive(key, nowMs)).length;
  const lines: (string | null)[] = [
    text('erasure.goes'),
    text('erasure.stays'),
    credits === 0 ? null : text('erasure.credits', { credits: formatNumber(credits) }),
    plan && plan.nextAt !== null ? text('erasure.plan', { name: plan.name }) : null,
    running + waiting === 0 ? null : text('erasure.unfinished', { count: running + waiting }),
    live === 0 ? null : text('erasure.keys', { count: live }),
    members.length === 0 ? null : text('erasure.members', { count: members.length }),
    text('erasure.until'),
  ];
  return html`<ul>
    ${lines.filter((line) => line !== null).map((line) => html`<li>${line}</li>`)}
  </ul>`;
}
