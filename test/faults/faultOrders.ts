import type { FaultPoint } from '../../gateway/src/application/ports/faultPoint.ts';

/** What the test asks of the process. */
export type Order =
  /** Sends itself the signal when it comes to the step for the `times`th time. */
  | { arm: { point: FaultPoint; times: number; signal: 'SIGKILL' | 'SIGSTOP' } }
  /** Sets its wall clock so far ahead, in ms. */
  | { skewMs: number };

/** What the process tells the test. */
export type Word = { ready: string | null } | { reached: FaultPoint };

/** The settings of a fault process beside those of every gateway. */
export const timingsVariable = 'FAULT_TIMINGS';
export const skewVariable = 'FAULT_SKEW_MS';
