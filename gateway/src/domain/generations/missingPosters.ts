import { hourMs, minuteMs } from '@framegate/contract';
import type { GenerationOutput } from './files.ts';

/** When missing posters are made, in ms: after the end, after an attempt, and at the latest after the end. */
const times = { first: 2 * minuteMs, next: 10 * minuteMs, last: hourMs };

/** Whether any output lacks its posters. */
export const lackPosters = (outputs: readonly GenerationOutput[]): boolean =>
  outputs.some(({ hasPoster }) => hasPoster !== true);

/** The first retry for a result's missing posters, in ms since the epoch. */
export const firstPosterTry = (endedAt: number): number => endedAt + times.first;

/** Whether posters may still be made. */
export const isTimeForPosters = (endedAt: number, nowMs: number): boolean =>
  nowMs >= firstPosterTry(endedAt) && nowMs <= endedAt + times.last;

/** The next attempt after a failed one; null if too late. */
export function nextPosterTry(endedAt: number, nowMs: number): number | null {
  const next = nowMs + times.next;
  return isTimeForPosters(endedAt, next) ? next : null;
}
