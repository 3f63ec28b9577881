import type { ApiAnswer } from './request';

/** Statuses below 500 after which the same request may well succeed; 0 is no answer at all. */
const passing = new Set([0, 408, 425, 429]);

/** Whether the status is one of success. The API says so with 200 and 202; its body decides. */
export function isSuccess({ status }: ApiAnswer): boolean {
  return status >= 200 && status < 300;
}

/**
 * Whether an answer from which nothing could be taken says nothing for good: a limit, a restart, a lost
 * connection, or a success whose body is not the API's.
 */
export function isPassing(answer: ApiAnswer): boolean {
  return passing.has(answer.status) || answer.status >= 500 || isSuccess(answer);
}

/** Seconds that the server asks to wait (RFC 9110, Retry-After in seconds), if it does. */
export function retryAfterSeconds({ headers }: Pick<ApiAnswer, 'headers'>): number | undefined {
  const text = headers['retry-after']?.trim();
  return text ? secondsOf(Number(text)) : undefined;
}

/** Seconds to wait after an answer that is passing: as the server asks, else longer with each try. */
export function waitSeconds(answer: ApiAnswer, triesBefore: number): number {
  return retryAfterSeconds(answer) ?? backoffSeconds(triesBefore);
}

/** The value when it is a time to wait, in seconds. */
export function secondsOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Longest wait where the server names none, in seconds. */
const longestBackoff = 30;

/**
 * Seconds to wait where the server names none: about 1, 2, 4 and so on. Spread by a quarter, so that
 * many workflows that lost the service together do not come back together.
 */
export function backoffSeconds(triesBefore: number): number {
  return Math.min(longestBackoff, 2 ** triesBefore) * (0.75 + Math.random() / 2);
}
