import { dayMs, minuteMs } from '@framegate/contract';
import type { Account, ErasureRequest } from './account.ts';
import { isErased } from './erasedResponse.ts';
import { type ErasedPerson, erasePerson, stopToErase, withoutErasureRequest } from './erasure.ts';

/** Time to reconsider one's own request, or for the owner to notice a request made with an operator key, in ms. */
const reconsiderMs = { person: 7 * dayMs, key: dayMs };
const thinkMsOf = ({ by }: Pick<ErasureRequest, 'by'>) =>
  by ? reconsiderMs.key : reconsiderMs.person;
/** How long before its end the person is reminded of their own request, in ms. */
const remindBeforeMs = dayMs;
/** Time between two checks for unfinished generations, in ms. */
const recheckMs = minuteMs;

/** When the account will be erased; null without a request. */
export const erasureDueAt = ({ erasureRequest }: Pick<Account, 'erasureRequest'>): number | null =>
  erasureRequest?.dueAt ?? null;

/**
 * Records that the account's person, or an operator key, requests its erasure. A second request changes nothing, except
 * that one by a key may come before the person's own is due.
 */
export function recordErasureRequest(
  account: Account,
  nowMs: number,
  by?: NonNullable<ErasureRequest['by']>,
): Account {
  const before = erasureDueAt(account);
  if (isErased(account)) return account;
  if (before !== null && (by === undefined || account.erasureRequest?.by)) return account;
  const request = { requestedAt: nowMs, ...(by && { by }) };
  const dueAt = Math.min(before ?? Infinity, nowMs + thinkMsOf(request));
  // The other party is notified immediately.
  return {
    ...account,
    erasureRequest: { ...request, dueAt, remindAt: by ? null : dueAt - remindBeforeMs },
  };
}

/** Withdraws the request. Safe to repeat. @returns Null if it is too late. */
export function withdrawRequest(account: Account, nowMs: number): Account | null {
  const { erasureRequest } = account;
  if (isErased(account)) return null;
  if (!erasureRequest || erasureRequest.dueAt === null) return account;
  if (nowMs >= erasureRequest.requestedAt + thinkMsOf(erasureRequest)) return null;
  return { ...account, ...withoutErasureRequest(account) };
}

/**
 * Decides on a due request: the account is erased. While generations are unfinished it starts no more, and is erased
 * after their end.
 * @returns Null if nothing is due.
 */
export function eraseWhenDue(
  account: Account,
  nowMs: number,
): { after: Account; person?: ErasedPerson | null } | null {
  const { erasureRequest } = account;
  if (!erasureRequest || erasureRequest.dueAt === null || erasureRequest.dueAt > nowMs) return null;
  if (account.running + account.waiting === 0) return erasePerson(account, nowMs);
  const waits = { ...erasureRequest, dueAt: nowMs + recheckMs, remindAt: null };
  return { after: { ...stopToErase(account), erasureRequest: waits } };
}
