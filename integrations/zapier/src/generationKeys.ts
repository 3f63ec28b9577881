import { hourMs } from './generated/contract.ts';

/**
 * The place of a generation among those with the same inputs. Each UTC day counts its own places, so that the API
 * still knows the key of every place that a run checks (it keeps keys for 7 days): a place whose key was forgotten
 * during a run would be charged again.
 */
export interface KeyPlace {
  /** For example `2026-11-20`; '' with a Request Key, whose places are not counted by day. */
  day: string;
  number: number;
}

/** Maximum life of a generation, in ms: 6 hours of waiting, 1 of running, and a margin. */
export const maxLifeMs = 8 * hourMs;

/** The Idempotency-Key of a place. @param digest SHA-256 of the inputs, in hex. */
export function idempotencyKey(digest: string, { day, number }: KeyPlace): string {
  return ['zap', digest, day, number].filter((part) => part !== '').join('-');
}

/**
 * The days whose places a run checks, in order; new generations are made only on the last one. In the first hours of a
 * day, the run may have begun on the day before.
 * @param from The place at which the run continues, if known.
 */
export function daysOf(nowMs: number, from: KeyPlace | null): string[] {
  if (from?.day === '') return [''];
  return [...new Set([from?.day ?? dayOf(nowMs - maxLifeMs), dayOf(nowMs)])];
}

/** The place after this one; null if its day is no longer checked. */
export function placeAfter({ day, number }: KeyPlace, nowMs: number): KeyPlace | null {
  return day === '' || daysOf(nowMs, null).includes(day) ? { day, number: number + 1 } : null;
}

/** The UTC day of a time in ms since the epoch, such as `2026-11-20`. */
function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
