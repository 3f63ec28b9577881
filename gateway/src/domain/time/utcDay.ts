import { dayMs } from '@framegate/contract';

/** The UTC day of a time in ms since the epoch, such as `2026-11-22`. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Start and end of a written UTC day, such as `2026-11-22`, in ms since the epoch; null if there is no such day. */
export function parseDay(day: string): { from: number; until: number } | null {
  const from = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : NaN;
  // JavaScript parses 30 February as 2 March.
  return Number.isNaN(from) || dayOf(from) !== day ? null : { from, until: from + dayMs };
}

/** The UTC day of a time (ms since the epoch), counted from the epoch. */
export function dayNumberOf(ms: number): number {
  return Math.floor(ms / dayMs);
}

/**
 * The day or month in which a charge counts: the current one, or the next if a count has begun it. Estimates of
 * database time differ by some ms between processes, and a count that went back over midnight would begin again
 * each time.
 * @param lastCounted The period of the last count, if any.
 */
export function countedPeriod(lastCounted: number | undefined, current: number): number {
  return lastCounted === current + 1 ? lastCounted : current;
}

/**
 * Credits already spent in the day or month of a charge at present.
 * @param last The period of the last count and its credits, if any.
 */
export function spentInPeriod(
  last: { period: number | undefined; credits: number | undefined },
  current: number,
): number {
  return last.period === countedPeriod(last.period, current) ? (last.credits ?? 0) : 0;
}

/** The first day of a UTC month such as `2026-11`, in ms since the epoch; null for other text. */
export function monthStartMs(month: string): number | null {
  return /^20\d\d-(0[1-9]|1[0-2])$/.test(month) ? Date.parse(`${month}-01`) : null;
}

/** Start of a time's UTC day, in ms since the epoch. */
export function startOfDayMs(ms: number): number {
  return dayNumberOf(ms) * dayMs;
}

/** End of a time's UTC day, in ms since the epoch. */
export function endOfDayMs(ms: number): number {
  return startOfDayMs(ms) + dayMs;
}
