import type { Generation } from './generation.ts';

/** When posters that a result lacks are made, in ms: after its end, after a try, and at the latest after its end. */
const times = { first: 120_000, next: 600_000, last: 3_600_000 };

/** Whether outputs lack posters. */
export const lackPosters = (outputs: Generation['outputs']): boolean =>
  outputs.some(({ poster }) => poster !== true);

/** When the posters that a result lacks are first tried again, in ms since the epoch. */
export const firstPosterTry = (endedAt: number): number => endedAt + times.first;

/** Whether posters are still made by then. */
export const isTimeForPosters = (endedAt: number, nowMs: number): boolean =>
  nowMs >= firstPosterTry(endedAt) && nowMs <= endedAt + times.last;

/** The next try after one that made none; null if that would be too late. */
export function nextPosterTry(endedAt: number, nowMs: number): number | null {
  const next = nowMs + times.next;
  return isTimeForPosters(endedAt, next) ? next : null;
}
