import type { ApiAnswer } from './request';

/** Statuses after which the same request may well succeed; 0 is no answer at all. */
const passing = new Set([0, 408, 429, 500, 502, 503, 504]);

/** Whether an answer says nothing for good: a limit, a restart, a lost connection. */
export function isPassing({ status }: ApiAnswer): boolean {
  return passing.has(status);
}

/** Seconds that the server asks to wait (RFC 9110, Retry-After in seconds), if it does. */
export function retryAfterSeconds({ headers }: Pick<ApiAnswer, 'headers'>): number | undefined {
  const text = headers['retry-after']?.trim();
  return text ? secondsOf(Number(text)) : undefined;
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
