import { minuteMs } from '@framegate/contract';
import type { PollLimits } from '@framegate/provider-routes';

/** Longest pause that a provider's Retry-After can cause, in ms: a wrong header must not hide a finished job. */
const maxPauseMs = 5 * minuteMs;

/** The pause that a provider's Retry-After causes, in ms. */
export const retryPauseMs = (retryAfterMs: number): number => Math.min(retryAfterMs, maxPauseMs);

/**
 * The time of a job's next poll, in ms since the epoch: the planned one, or later if the provider or the operator asks
 * for a longer pause. Neither moves a poll beyond the deadline.
 * @param retryAfterMs The provider's request, in ms.
 */
export function nextPollAt(
  { plannedAt, deadlineAt }: { plannedAt: number; deadlineAt: number },
  { everySeconds = null }: Partial<PollLimits>,
  retryAfterMs: number,
  nowMs: number,
): number {
  const pauseMs = Math.max((everySeconds ?? 0) * 1000, retryPauseMs(retryAfterMs));
  return Math.max(plannedAt, Math.min(nowMs + pauseMs, deadlineAt));
}
