import { isLive, type Account, type ApiKey } from './account.ts';
import { dayNumberOf } from './utcDay.ts';

/**
 * How much room an account has for keys. They live in its document, which every create and every end
 * reads: filled to the last byte it stays below 64 kB.
 */
export const keyRoom = {
  /** Keys that work, those that a rotation lets end included. */
  live: 50,
  /** Revoked keys that the account still shows; older ones leave it when a key is made. */
  revoked: 10,
  nameCharacters: 64,
  hostsPerKey: 100,
  /** Input hosts of all keys together, and the characters of their rules. */
  hosts: 150,
  hostCharacters: 6_000,
} as const;

/** The keys as they are stored: a revoked key has no use for its hosts. */
export function withoutRevokedHosts(keys: readonly ApiKey[], nowMs: number): ApiKey[] {
  return keys.map((key) =>
    isLive(key, nowMs) || key.hosts.length === 0 ? key : { ...key, hosts: [] },
  );
}

/** The revoked keys that an account shows no longer: all but the newest. */
export function keysToLeave(keys: readonly ApiKey[], nowMs: number): ApiKey[] {
  return keys
    .filter((key) => !isLive(key, nowMs))
    .toSorted((a, b) => (b.revokedAt ?? 0) - (a.revokedAt ?? 0))
    .slice(keyRoom.revoked);
}

/**
 * What there is no room for. An account that had more before there were bounds keeps it: only what makes
 * it grow is refused.
 */
export function keyRoomProblem(
  before: readonly ApiKey[],
  after: readonly ApiKey[],
  nowMs: number,
): 'keys' | 'hosts' | null {
  const old = amountsOf(before, nowMs);
  const now = amountsOf(after, nowMs);
  const grew = (of: keyof typeof now) => now[of] > keyRoom[of] && now[of] > old[of];
  if (grew('live')) return 'keys';
  return grew('hosts') || grew('hostCharacters') ? 'hosts' : null;
}

function amountsOf(keys: readonly ApiKey[], nowMs: number) {
  const hosts = keys.flatMap((key) => key.hosts);
  return {
    live: keys.filter((key) => isLive(key, nowMs)).length,
    hosts: hosts.length,
    hostCharacters: hosts.reduce((sum, { rule }) => sum + rule.length, 0),
  };
}

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
