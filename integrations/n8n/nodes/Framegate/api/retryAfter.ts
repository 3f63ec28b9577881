import type { ApiAnswer } from './request';

/** Statuses after which the same request may well succeed; 0 is no answer at all. */
const passing = new Set([0, 408, 429, 500, 502, 503, 504]);

/** Whether an answer says nothing for good: a limit, a restart, a lost connection. */
export function isPassing({ status }: ApiAnswer): boolean {
  return passing.has(status);
}

/** Seconds that the server asks to wait (RFC 9110, Retry-After in seconds), if it does. */
export function retryAfterSeconds({ headers }: ApiAnswer): number | undefined {
  const seconds = Number(headers['retry-after']);
  return headers['retry-after'] !== undefined && seconds >= 0 ? seconds : undefined;
}

/** Seconds to wait where the server names none: 1, 2, 4 and so on up to 30. */
export function backoffSeconds(triesBefore: number): number {
  return Math.min(30, 2 ** triesBefore);
}
