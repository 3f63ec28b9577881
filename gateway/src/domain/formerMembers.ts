import { endKey, isLive, type Account, type ApiKey } from './account.ts';
import type { FormerMember, MonthlyLimit } from './members.ts';
import { mayInTeam } from './teamRoles.ts';
import { monthNumberOf } from './utcMonth.ts';

/* Keys and limits that outlast their person's place in a team. */

/** Maximum number of former members, unless more have working keys. */
export const formerMembersRoom = 60;

/** A limit and its count. */
export const spendingOf = ({ monthlyCredits, monthSpent }: MonthlyLimit = {}): MonthlyLimit => ({
  ...(monthlyCredits !== undefined && { monthlyCredits }),
  ...(monthSpent && { monthSpent }),
});

/** The account without a former member, who comes back. */
export function withoutFormer(account: Account, personId: string): Account {
  const { formerMembers = [] } = account;
  const left = formerMembers.filter(({ id }) => id !== personId);
  return left.length === formerMembers.length ? account : { ...account, formerMembers: left };
}

/**
 * Former members who still matter: with working keys, or with credits spent this month under a limit. The number of
 * others is bounded by dropping those who left first.
 */
export function withoutOldFormer(account: Account, nowMs: number): Account {
  const { formerMembers = [] } = account;
  const month = monthNumberOf(nowMs);
  const hasKeys = ({ id }: FormerMember) => liveKeysOf(account, id, nowMs).length > 0;
  const withKeys = formerMembers.filter(hasKeys);
  const others = formerMembers.filter((each) => !hasKeys(each) && each.monthSpent?.month === month);
  const room = Math.max(0, formerMembersRoom - withKeys.length);
  const kept = new Set([...withKeys, ...others.slice(Math.max(0, others.length - room))]);
  return { ...account, formerMembers: formerMembers.filter((each) => kept.has(each)) };
}

/** The working keys that a person made; those without a maker are of the account's own person. */
export function liveKeysOf(
  { id, keys }: Pick<Account, 'id' | 'keys'>,
  personId: string,
  nowMs: number,
): ApiKey[] {
  return keys.filter((key) => (key.madeBy?.id ?? id) === personId && isLive(key, nowMs));
}

/** Revokes all keys that a person made. */
export function endKeysOf(account: Account, personId: string, nowMs: number): Account {
  if (liveKeysOf(account, personId, nowMs).length === 0) return account;
  const keys = account.keys.map((key) => (key.madeBy?.id === personId ? endKey(key, nowMs) : key));
  return { ...account, keys };
}

/**
 * Whether a key does nothing because its maker is in the team with a role that has no keys. Keys of people who have left
 * work on, within the limit of those people.
 */
export function isBarred(
  { members = [] }: Pick<Account, 'members'>,
  { madeBy }: Pick<ApiKey, 'madeBy'>,
): boolean {
  const maker = members.find(({ id }) => id === madeBy?.id);
  return maker !== undefined && !mayInTeam(maker.role, 'make own keys');
}
