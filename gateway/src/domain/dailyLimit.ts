import type { Account, ApiKey } from './account.ts';
import { dayNumberOf } from './utcDay.ts';

/** Credits that a key may still spend today (UTC); null when it has no daily limit. */
export function leftToday(
  { dailyCredits, spent }: Pick<ApiKey, 'dailyCredits' | 'spent'>,
  nowMs: number,
): number | null {
  if (dailyCredits === undefined) return null;
  const used = spent?.day === dayNumberOf(nowMs) ? spent.credits : 0;
  return Math.max(0, dailyCredits - used);
}

/**
 * Counts a charge against the key's daily credit limit: one leaked key must
 * not empty the wallet. A key without a limit is not counted, so that its account is written as before.
 * @returns the account, or null when the charge would go beyond the limit.
 */
export function countSpending(
  account: Account,
  keyId: string,
  costCredits: number,
  nowMs: number,
): Account | null {
  const key = account.keys.find(({ id }) => id === keyId);
  const left = key ? leftToday(key, nowMs) : null;
  if (!key || left === null) return account;
  return costCredits > left ? null : withSpending(account, key, costCredits, nowMs);
}

/**
 * Gives the room back that a refunded charge took, as long as it is still the same day: trouble at a
 * provider must not lock a customer out. The day after there is nothing to give back.
 * @param chargedAt When the charge was made, in ms since the epoch.
 */
export function uncountSpending(
  account: Account,
  keyId: string | null,
  costCredits: number,
  chargedAt: number,
  nowMs: number,
): Account {
  const key = account.keys.find(({ id }) => id === keyId);
  if (
    !key?.spent ||
    key.spent.day !== dayNumberOf(nowMs) ||
    dayNumberOf(chargedAt) !== dayNumberOf(nowMs)
  ) {
    return account;
  }
  return withSpending(account, key, -costCredits, nowMs);
}

function withSpending(account: Account, key: ApiKey, credits: number, nowMs: number): Account {
  const day = dayNumberOf(nowMs);
  const before = key.spent?.day === day ? key.spent.credits : 0;
  const spent = { day, credits: Math.max(0, before + credits) };
  return {
    ...account,
    keys: account.keys.map((each) => (each === key ? { ...key, spent } : each)),
  };
}
