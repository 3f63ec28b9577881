import type { Account } from '../accounts/account.ts';
import type { ApiKey } from '../accounts/apiKey.ts';
import type { MonthCounted, MonthlyLimit } from '../teams/members.ts';
import { countedPeriod, dayOf, spentInPeriod } from '../time/utcDay.ts';
import { endOfMonth, monthNumberOf } from '../time/utcMonth.ts';

/** The limit that a charge would exceed. */
export interface MonthlyExcess {
  holderKind: 'key' | 'member';
  monthlyCredits: number;
  left: number;
}

/** A key or member with another limit or none; the count stays. */
export function setMonthlyLimit<T extends MonthlyLimit>(holder: T, credits: number | null): T {
  const limited = { ...holder };
  if (credits === null) delete limited.monthlyCredits;
  else limited.monthlyCredits = credits;
  return limited;
}

/** Credits that may still be spent this month (UTC); null without a limit. */
export function leftThisMonth(
  { monthlyCredits, monthSpent }: MonthlyLimit,
  nowMs: number,
): number | null {
  if (monthlyCredits === undefined) return null;
  const last = { period: monthSpent?.month, credits: monthSpent?.credits };
  return Math.max(0, monthlyCredits - spentInPeriod(last, monthNumberOf(nowMs)));
}

/**
 * Counts a charge against the monthly limits of its key and of the member who made the key or the generation.
 * @param by.memberId The member who creates; for a key, the member who made it, also after leaving.
 * @returns The account, and the raised counts if there is a limit; or the exceeded limit.
 */
export function countMonthlySpending(
  account: Account,
  by: { keyId: string | null; memberId: string | null },
  credits: number,
  nowMs: number,
): { ok: true; account: Account; counted?: MonthCounted } | { ok: false; excess: MonthlyExcess } {
  const key = payingKey(account, by.keyId);
  const member = spenderOf(account, by.memberId);
  for (const [holderKind, holder] of [
    ['key', key],
    ['member', member],
  ] as const) {
    const left = holder ? leftThisMonth(holder, nowMs) : null;
    if (left === null || credits <= left) continue;
    return {
      ok: false,
      excess: { holderKind, monthlyCredits: holder?.monthlyCredits ?? 0, left },
    };
  }
  const months = [key, member].map((holder) =>
    countedPeriod(holder?.monthSpent?.month, monthNumberOf(nowMs)),
  );
  const counted = {
    month: Math.max(...months),
    keyId: key?.monthlyCredits === undefined ? null : key.id,
    memberId: member?.monthlyCredits === undefined ? null : member.id,
  };
  if (counted.keyId === null && counted.memberId === null) return { ok: true, account };
  return { ok: true, account: withCounts(account, counted, credits), counted };
}

/** The member, or the former one: a limit stays with the keys of a person who leaves. */
function spenderOf(
  { members = [], formerMembers = [] }: Pick<Account, 'members' | 'formerMembers'>,
  personId: string | null,
): (MonthlyLimit & { id: string }) | undefined {
  return [...members, ...formerMembers].find(({ id }) => id === personId);
}

/** Lowers the counts raised by a refunded charge, if they are of the same month. */
export function uncountMonthlySpending(
  account: Account,
  counted: MonthCounted | undefined,
  refundedCredits: number,
): Account {
  return counted ? withCounts(account, counted, -refundedCredits) : account;
}

/** The key whose limit counts: a replaced key shares its successor's limit. */
export function payingKey<Key extends Pick<ApiKey, 'id' | 'replacedBy'>>(
  { keys }: { keys: readonly Key[] },
  keyId: string | null,
): Key | undefined {
  let key = keys.find(({ id }) => id === keyId);
  // At most as many steps as keys, in case records ever form a cycle.
  for (let steps = 0; key?.replacedBy !== undefined && steps < keys.length; steps += 1) {
    const { replacedBy } = key;
    key = keys.find(({ id }) => id === replacedBy) ?? key;
  }
  return key;
}

function withCounts(account: Account, counted: MonthCounted, credits: number): Account {
  const { month, memberId } = counted;
  const keyId = counted.keyId === null ? null : (payingKey(account, counted.keyId)?.id ?? null);
  const raise = <T extends MonthlyLimit & { id: string }>(holder: T, id: string | null): T => {
    if (holder.id !== id) return holder;
    const { monthSpent: spent } = holder;
    // A refund from an earlier month lowers nothing.
    if (credits < 0 && spent?.month !== month) return holder;
    const before = spent?.month === month ? spent.credits : 0;
    return { ...holder, monthSpent: { month, credits: Math.max(0, before + credits) } };
  };
  return {
    ...account,
    ...(keyId !== null && { keys: account.keys.map((key) => raise(key, keyId)) }),
    ...(memberId !== null && {
      ...(account.members && { members: account.members.map((each) => raise(each, memberId)) }),
      ...(account.formerMembers && {
        formerMembers: account.formerMembers.map((each) => raise(each, memberId)),
      }),
    }),
  };
}

/** The end of the month (UTC) as text, such as `2026-12-01 00:00 UTC`. */
export function formatMonthEnd(nowMs: number): string {
  return `${dayOf(endOfMonth(nowMs))} 00:00 UTC`;
}
