import { isLive, type ApiKey } from './account.ts';

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
