import { dayNumberOf } from '../time/utcDay.ts';
import type { Account, CreditRequest } from './account.ts';

/** Maximum length of a message, in characters. */
export const maxRequestCharacters = 300;

/** The open request of an account; null without one. */
export const openCreditRequest = ({
  creditRequest,
}: Pick<Account, 'creditRequest'>): CreditRequest | null =>
  creditRequest?.state === 'open' ? creditRequest : null;

/**
 * Whether an account may ask for credits now: one request at a time, and none on the day (UTC) on which staff declined
 * another of the same day.
 */
export function mayAskForCredits(
  { creditRequest, status }: Pick<Account, 'creditRequest' | 'status'>,
  nowMs: number,
): boolean {
  if (status !== 'active') return false;
  if (!creditRequest || creditRequest.state === 'granted') return true;
  const isOfToday = dayNumberOf(creditRequest.askedAt) >= dayNumberOf(nowMs);
  return creditRequest.state === 'declined' && !isOfToday;
}

/** Records a request. The account stays as it is while it may not ask. */
export function requestCredits(
  account: Account,
  { message, ...origin }: Pick<CreditRequest, 'by' | 'missing' | 'message'>,
  nowMs: number,
): Account {
  if (!mayAskForCredits(account, nowMs)) return account;
  return {
    ...account,
    creditRequest: { ...origin, message: oneLineMessage(message), askedAt: nowMs, state: 'open' },
  };
}

/** The typed text on one line, cut to the maximum length of a message. */
function oneLineMessage(typed: string): string {
  const words = typed
    .slice(0, 4 * maxRequestCharacters)
    .replace(/\s+/g, ' ')
    .trim();
  return [...words].slice(0, maxRequestCharacters).join('');
}

/** Closes the open request, if there is one. */
export function answerCreditRequest(account: Account, answer: 'granted' | 'declined'): Account {
  const request = openCreditRequest(account);
  return request ? { ...account, creditRequest: { ...request, state: answer } } : account;
}

/** The account without the message of an erased person. Safe to repeat. */
export function forgetWordsOfRequest(account: Account, personId: string): Account {
  const { creditRequest } = account;
  if (creditRequest?.by !== personId || creditRequest.message === '') return account;
  return { ...account, creditRequest: { ...creditRequest, message: '' } };
}
