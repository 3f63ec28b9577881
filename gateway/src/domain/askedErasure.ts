import type { Account } from './account.ts';
import { eraseAccount, withoutAskedErasure, type ErasedPerson } from './erasure.ts';
import { isErased } from './erasedAnswer.ts';
import { dayMs } from './utcDay.ts';

/** Time to think it over, and the time before its end at which the person is reminded, in ms. */
const thinkMs = 7 * dayMs;
const remindBeforeMs = dayMs;
/** How long unfinished generations are waited for at a time, in ms. */
const waitMs = 60_000;

/** When the account will be erased; null without a request. */
export const erasureDueAt = ({ erasureAsked }: Pick<Account, 'erasureAsked'>): number | null =>
  erasureAsked?.dueAt ?? null;

/** Notes that the account's person asks for its erasure; a second request changes nothing. */
export function askForErasure(account: Account, nowMs: number): Account {
  if (erasureDueAt(account) !== null || isErased(account)) return account;
  const dueAt = nowMs + thinkMs;
  const erasureAsked = { askedAt: nowMs, dueAt, remindAt: dueAt - remindBeforeMs };
  return { ...account, erasureAsked };
}

/** Withdraws the request. Safe to repeat. @returns Null if it is too late. */
export function withdrawErasure(account: Account, nowMs: number): Account | null {
  const { erasureAsked } = account;
  if (isErased(account)) return null;
  if (!erasureAsked || erasureAsked.dueAt === null) return account;
  if (nowMs >= erasureAsked.askedAt + thinkMs) return null;
  return { ...account, ...withoutAskedErasure(account) };
}

/**
 * What becomes of a request that is due: the account is erased. While generations are unfinished it starts no more, and
 * is erased after their end.
 * @returns Null if nothing is due.
 */
export function eraseWhenDue(
  account: Account,
  nowMs: number,
): { after: Account; person?: ErasedPerson | null } | null {
  const { erasureAsked } = account;
  if (!erasureAsked || erasureAsked.dueAt === null || erasureAsked.dueAt > nowMs) return null;
  if (account.running + account.waiting === 0) return eraseAccount(account, nowMs);
  const waits = { ...erasureAsked, dueAt: nowMs + waitMs, remindAt: null };
  return { after: { ...account, status: 'suspended', erasureAsked: waits } };
}
