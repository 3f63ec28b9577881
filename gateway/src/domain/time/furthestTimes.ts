import { minuteMs } from '@framegate/contract';

/*
 * How far ahead of now the rules can set a time. One that is further ahead was written by a wrong clock: it counts as
 * due, so that nothing waits for as long as that clock was ahead. Times that only a deadline bounds are
 * in `auditGeneration`.
 */

/** Longest deadline that a setting allows, in seconds: 30 days. */
export const maxDeadlineSeconds = 2_592_000;

/** Spans in ms. */
export const maxAheadMs = {
  /** `deadlineAt` of a generation (settings/timeSettings.ts). */
  deadline: maxDeadlineSeconds * 1000,
  /** `leaseUntil` of a generation and `dueAt` of one that is held: no lease is as long. */
  lease: 10 * minuteMs,
  /** `until` of the lease of the process that polls for all (watchWork.ts). */
  pollLease: minuteMs,
  /** `dueAt` of a generation that waits for a turn to copy its inputs (inputTurns.ts), with jitter. */
  turn: 15 * minuteMs,
  /**
   * `dueAt` of one at a provider: a pause that it asked for (pollLimits.ts); an operator's `everySeconds` may
   * be longer.
   */
  poll: 6 * minuteMs,
  /** `nextRunAt` of a job that failed: its longest pause (createJobs.ts), with jitter. */
  failedJob: 8 * minuteMs,
  /** A token bucket's last use: it is full after a minute of rest. */
  bucket: minuteMs,
} as const;

/** Whether a moment has come, or is further ahead than a rule can set it. Times in ms since the epoch. */
export const isDue = (atMs: number, nowMs: number, furthest: number): boolean =>
  atMs <= nowMs || atMs > nowMs + furthest;
