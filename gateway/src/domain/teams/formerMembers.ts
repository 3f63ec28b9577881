import { sum } from '@framegate/contract';
import type { Account } from '../accounts/account.ts';
import { type ApiKey, endKey, isLive } from '../accounts/apiKey.ts';
import { monthNumberOf } from '../time/utcMonth.ts';
import type { FormerMember, KeyMaker, MonthlyLimit } from './members.ts';
import { mayInTeam } from './teamRoles.ts';

/* Keys and limits that outlast their person's place in a team. */

/** Maximum number of former members, unless more have working keys. */
export const maxFormerMembers = 60;

/** A limit and its count. */
export const spendingOf = ({ monthlyCredits, monthSpent }: MonthlyLimit = {}): MonthlyLimit => ({
  ...(monthlyCredits !== undefined && { monthlyCredits }),
  ...(monthSpent && { monthSpent }),
});

/**
 * Takes back a former member: by id, or by the mark of the mailbox if they come with another account. Keys made under
 * another id become this person's, so that all of them count together.
 * @returns The account without the former records, and the limit and count that they leave.
 */
export function readmitMember(
  account: Account,
  maker: KeyMaker,
  marks: readonly string[],
): { account: Account; spending: MonthlyLimit } {
  const { formerMembers = [] } = account;
  const isSame = ({ id, mailbox = '' }: FormerMember) => id === maker.id || marks.includes(mailbox);
  const same = formerMembers.filter(isSame);
  if (same.length === 0) return { account, spending: {} };
  const ids = new Set(same.map(({ id }) => id));
  const keys = account.keys.map((key) =>
    key.madeBy && ids.has(key.madeBy.id) ? { ...key, madeBy: maker } : key,
  );
  const others = formerMembers.filter((each) => !same.includes(each));
  const spending = same.map(spendingOf).reduce(mergeLimits);
  return { account: { ...account, keys, formerMembers: others }, spending };
}

/** The stricter limit of two, and the credits spent under both in the later month. */
function mergeLimits(a: MonthlyLimit, b: MonthlyLimit): MonthlyLimit {
  const limits = [a, b].flatMap(({ monthlyCredits }) => monthlyCredits ?? []);
  const spent = [a, b].flatMap(({ monthSpent }) => monthSpent ?? []);
  const month = Math.max(...spent.map((each) => each.month));
  const inMonth = spent.filter((each) => each.month === month);
  const credits = sum(inMonth.map((each) => each.credits));
  return {
    ...(limits.length > 0 && { monthlyCredits: Math.min(...limits) }),
    ...(spent.length > 0 && { monthSpent: { month, credits } }),
  };
}

/**
 * Former members who still matter: with working keys, with a limit, which waits for them to come back, or with credits
 * spent this month. The number of people without keys is bounded: people who have spent nothing this month are
 * dropped first, in the order in which they left.
 */
export function dropOldFormerMembers(account: Account, nowMs: number): Account {
  const { formerMembers = [] } = account;
  const month = monthNumberOf(nowMs);
  const hasKeys = ({ id }: FormerMember) => liveKeysOf(account, id, nowMs).length > 0;
  const withKeys = formerMembers.filter(hasKeys);
  const hasSpent = ({ monthSpent }: FormerMember) => monthSpent?.month === month;
  const others = formerMembers
    .filter((each) => !hasKeys(each) && (hasSpent(each) || each.monthlyCredits !== undefined))
    .toSorted((a, b) => Number(hasSpent(a)) - Number(hasSpent(b)));
  const room = Math.max(0, maxFormerMembers - withKeys.length);
  const membersToKeep = new Set([...withKeys, ...others.slice(Math.max(0, others.length - room))]);
  return { ...account, formerMembers: formerMembers.filter((each) => membersToKeep.has(each)) };
}

/** The working keys that a person made; those without a maker are of the account's own person. */
export function liveKeysOf(
  { id, keys }: Pick<Account, 'id' | 'keys'>,
  personId: string,
  nowMs: number,
): ApiKey[] {
  return keys.filter((key) => (key.madeBy?.id ?? id) === personId && isLive(key, nowMs));
}

/** Revokes one key, provided that this person made it. */
export function endKeyOf(
  account: Account,
  keyId: string,
  personId: string,
  nowMs: number,
): Account {
  const isOne = (key: ApiKey) => key.id === keyId && key.madeBy?.id === personId;
  if (!account.keys.some((key) => isOne(key) && isLive(key, nowMs))) return account;
  return { ...account, keys: account.keys.map((key) => (isOne(key) ? endKey(key, nowMs) : key)) };
}

/** Revokes all keys that a person made. */
export function endKeysOf(account: Account, personId: string, nowMs: number): Account {
  if (liveKeysOf(account, personId, nowMs).length === 0) return account;
  const keys = account.keys.map((key) => (key.madeBy?.id === personId ? endKey(key, nowMs) : key));
  return { ...account, keys };
}

/**
 * Whether a key does nothing because its maker has a role without keys, or had one when leaving. Other keys of people
 * who have left keep working, within the limit of those people.
 */
export function isBarred(
  { members = [], formerMembers = [] }: Pick<Account, 'members' | 'formerMembers'>,
  { madeBy }: Pick<ApiKey, 'madeBy'>,
): boolean {
  const maker = [...members, ...formerMembers].find(({ id }) => id === madeBy?.id);
  return maker !== undefined && !mayInTeam(maker.role, 'make own keys');
}
