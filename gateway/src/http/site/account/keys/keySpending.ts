import type { ApiKey } from '../../../../domain/accounts/apiKey.ts';
import { leftToday } from '../../../../domain/accounts/keyLimits.ts';
import { leftThisMonth } from '../../../../domain/credits/monthlyLimits.ts';
import type { MonthlyLimit } from '../../../../domain/teams/members.ts';
import { text } from '../../../../texts/text.ts';
import { formatNumber, type Html, html } from '../../../pages/html.ts';

/** Today's credits spent out of the daily limit, as a bar and as text. */
export const todayPart = (key: ApiKey, nowMs: number): Html =>
  spentPart(key.dailyCredits, leftToday(key, nowMs), text('keys.spentToday'));

/** This month's credits spent out of the monthly limit, as a bar and as text. */
export const monthPart = (holder: MonthlyLimit, nowMs: number): Html =>
  spentPart(holder.monthlyCredits, leftThisMonth(holder, nowMs), text('keys.spentThisMonth'));

/** @param left Remaining credits; null without a limit. */
function spentPart(limit: number | undefined, left: number | null, label: string): Html {
  if (limit === undefined || left === null) {
    return html`<span class="quiet">${text('keys.noLimit')}</span>`;
  }
  const used = Math.max(0, limit - left);
  const words = text('keys.spentOf', { spent: formatNumber(used), limit: formatNumber(limit) });
  return html`<progress max="${Math.max(1, limit)}" value="${used}" aria-label="${label}">
      ${words}
    </progress>
    ${words}`;
}
