import { Refusal } from '../../domain/refusal.ts';
import type { App } from '../app.ts';
import { takeFromDay } from '../credits/dailySums.ts';
import type { StaffActor } from './runAction.ts';

/** Credits that support may move at once; admins may move more. */
export const maxGoodwill = 1_000;

/** @throws Refusal `support_amount_too_high`. */
export function requireSupportAmount(amount: number): void {
  if (amount <= maxGoodwill) return;
  throw new Refusal('support_amount_too_high', { values: { max: maxGoodwill } });
}

/**
 * Counts credits against the daily allowance (UTC) of a member of support, for goodwill and adjustments together.
 * @param credits Negative amounts count like positive ones.
 * @returns Undoes the count if nothing was moved.
 * @throws Refusal `support_amount_too_high`, `support_day_full`.
 */
export async function takeSupportAllowance(
  { clock, attempts, supportCreditsPerDay }: App,
  { email }: Pick<StaffActor, 'email'>,
  credits: number,
): Promise<() => Promise<void>> {
  const amount = Math.abs(credits);
  requireSupportAmount(amount);
  const names = [`goodwill:${email}`];
  const deduction = await takeFromDay(
    { attempts, clock },
    { names, credits: amount, max: supportCreditsPerDay },
  );
  if (deduction.isWithin) return deduction.refund;
  const values = { max: supportCreditsPerDay, left: deduction.left };
  throw new Refusal('support_day_full', { values });
}
