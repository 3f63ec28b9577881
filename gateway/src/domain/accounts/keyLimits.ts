import { sum } from '@framegate/contract';
import { payingKey } from '../credits/monthlyLimits.ts';
import { countedPeriod, dayNumberOf, spentInPeriod } from '../time/utcDay.ts';
import type { Account } from './account.ts';
import { type ApiKey, isLive } from './apiKey.ts';

/**
 * Limits for the keys of an account. Keys are part of the account's document, which every create request and every end
 * reads; within these limits the document stays below 64 kB, and with the largest team below 96 kB.
 */
export const keyLimits = {
  /** Active keys, including those scheduled to end by a rotation. */
  live: 50,
  /** Revoked keys still shown; older ones are removed when a key is made. */
  revoked: 10,
  nameCharacters: 64,
  hostsPerKey: 100,
  /** Input hosts of all keys together, and the total characters of their rules. */
  hosts: 150,
  hostCharacters: 6_000,
} as const;

/** The keys to store: revoked keys lose their hosts, which they no longer need. */
export function withoutRevokedHosts(keys: readonly ApiKey[], nowMs: number): ApiKey[] {
  return keys.map((key) =>
    isLive(key, nowMs) || key.hosts.length === 0 ? key : { ...key, hosts: [] },
  );
}

/** The revoked keys to remove from the account: all but the newest. */
export function keysToArchive(keys: readonly ApiKey[], nowMs: number): ApiKey[] {
  return keys
    .filter((key) => !isLive(key, nowMs))
    .toSorted((a, b) => (b.revokedAt ?? 0) - (a.revokedAt ?? 0))
    .slice(keyLimits.revoked);
}

/** The limit that an account's keys exceed, or null. */
export function keyMaximumProblem(keys: readonly ApiKey[], nowMs: number): 'keys' | 'hosts' | null {
  if (keys.filter((key) => isLive(key, nowMs)).length > keyLimits.live) return 'keys';
  const hosts = keys.flatMap((key) => key.hosts);
  const characters = sum(hosts.map(({ rule }) => rule.length));
  return hosts.length > keyLimits.hosts || characters > keyLimits.hostCharacters ? 'hosts' : null;
}

/** The fields that a replacement key inherits. */
export function inheritedFields({
  name,
  models,
  hosts,
  dailyCredits,
  monthlyCredits,
  monthSpent,
  daySpent,
}: ApiKey): Pick<
  ApiKey,
  'name' | 'models' | 'hosts' | 'dailyCredits' | 'monthlyCredits' | 'monthSpent' | 'daySpent'
> {
  return {
    name,
    models,
    hosts,
    ...(dailyCredits !== undefined && { dailyCredits }),
    ...(monthlyCredits !== undefined && { monthlyCredits }),
    ...(monthSpent && { monthSpent }),
    ...(daySpent && { daySpent }),
  };
}

/** Credits that a key may still spend today (UTC); null without a daily limit. */
export function leftToday(
  { dailyCredits, daySpent }: Pick<ApiKey, 'dailyCredits' | 'daySpent'>,
  nowMs: number,
): number | null {
  if (dailyCredits === undefined) return null;
  const last = { period: daySpent?.day, credits: daySpent?.credits };
  return Math.max(0, dailyCredits - spentInPeriod(last, dayNumberOf(nowMs)));
}

/**
 * Counts a charge against the key's daily credit limit, which keeps a leaked key from emptying the wallet. Keys
 * without a limit are not counted; a replaced key shares its successor's limit.
 * @returns The account, or null if the charge would exceed the limit.
 */
export function countDailySpending(
  account: Account,
  keyId: string,
  costCredits: number,
  nowMs: number,
): Account | null {
  const key = payingKey(account, keyId);
  const left = key ? leftToday(key, nowMs) : null;
  if (!key || left === null) return account;
  return costCredits > left ? null : withSpending(account, key, costCredits, nowMs);
}

/**
 * Removes a refund from the key's daily count if it is still the same day, so that trouble at a provider does not lock
 * a customer out.
 * @param chargedAt Time of the charge, in ms since the epoch.
 */
export function uncountDailySpending(
  account: Account,
  keyId: string | null,
  refundedCredits: number,
  chargedAt: number,
  nowMs: number,
): Account {
  const key = payingKey(account, keyId);
  if (
    !key?.daySpent ||
    key.daySpent.day !== dayNumberOf(nowMs) ||
    dayNumberOf(chargedAt) !== dayNumberOf(nowMs)
  ) {
    return account;
  }
  return withSpending(account, key, -refundedCredits, nowMs);
}

function withSpending(account: Account, key: ApiKey, credits: number, nowMs: number): Account {
  const day = countedPeriod(key.daySpent?.day, dayNumberOf(nowMs));
  const before = key.daySpent?.day === day ? key.daySpent.credits : 0;
  const daySpent = { day, credits: Math.max(0, before + credits) };
  return {
    ...account,
    keys: account.keys.map((each) => (each === key ? { ...key, daySpent } : each)),
  };
}
