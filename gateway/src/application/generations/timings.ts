import { minuteMs } from '@framegate/contract';
import { provenAfter } from '../../domain/providers/doubt.ts';

/** Timings of the work, in ms. Only tests shorten them. */
export interface Timings {
  /** Length of a worker's exclusive lease, which is renewed while it works. */
  leaseMs: number;
  /**
   * Time after the deadline during which a result that the provider finished may still be fetched and stored; then any
   * process that leases the generation fails it.
   */
  deadlineGraceMs: number;
  /** Shortest pause between two polls of a generation. */
  minPollDelayMs: number;
  /** Interval at which a busy worker looks for due work. */
  lookEveryMs: number;
  /** Lifetime of a cached caller: a revoked key may keep working for this long. */
  callersCachedMs: number;
  /** Longest time for which a process does not see another one's change to a circuit. */
  breakersRefreshMs: number;
  /** Minimum time over which a fault of a finished result must be seen before it ends the generation. */
  provenAfterMs: number;
  /** Work that has been due this long without a process holding it counts as forgotten. */
  neglectedAfterMs: number;
  /** How long the job of a dead process stays locked. */
  lockMs: number;
  /** Interval for waking stalled work; the other upkeep tasks run at multiples of it. */
  upkeepEveryMs: number;
  /** Interval for supervising the recurring jobs themselves. */
  superviseEveryMs: number;
  /** Minimum notice of a new version of the catalogue to all processes. */
  catalogueNoticeMs: number;
  /** Timeout for removing one file. */
  removalMs: number;
}

/** With these, a generation of a killed process moves again within a minute: lease, neglect and one upkeep round. */
export const defaultTimings: Timings = {
  leaseMs: 30_000,
  deadlineGraceMs: 2 * minuteMs,
  minPollDelayMs: 500,
  lookEveryMs: 250,
  callersCachedMs: 5_000,
  breakersRefreshMs: 3_000,
  provenAfterMs: provenAfter.overMs,
  neglectedAfterMs: 10_000,
  lockMs: 30_000,
  upkeepEveryMs: 10_000,
  superviseEveryMs: 10_000,
  catalogueNoticeMs: 20_000,
  removalMs: 15_000,
};
