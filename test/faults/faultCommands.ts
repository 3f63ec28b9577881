import type { FaultPoint } from '../../gateway/src/application/ports/system.ts';

/** The test's command to the process. */
export type FaultCommand =
  /** Sends itself the signal when it reaches the step for the `times`th time. */
  | { arm: { point: FaultPoint; times: number; signal: 'SIGKILL' | 'SIGSTOP' } }
  /** Cancels the armed signal. */
  | { disarm: true }
  /** Acts as a staff member, and answers with `said`. */
  | { staff: StaffCommand }
  /** Sets its wall clock ahead by so much, in ms. */
  | { skewMs: number };

/** The process' message to the test. */
export type Word =
  | { ready: string | null }
  | { reached: FaultPoint }
  /** The console's response to the command with that number. */
  | { said: string; number: number };

/** An action of a staff member in the console. */
export interface StaffCommand {
  number: number;
  action: 'fail and refund' | 'resolve unknown' | 'poll now' | 'goodwill credits';
  generationId: string;
  accountId: string;
  /** The provider's task id, for an unknown outcome of an order that the provider has. */
  operation: string;
  /** A form acts once; null for a form that is filled in again each time. */
  formId: string | null;
  /** When the process is killed: at a step, or this many ms after the start of the action. */
  dies: FaultPoint | number | null;
}

/** Settings of a fault process in addition to those of every gateway. */
export const timingsVariable = 'FAULT_TIMINGS';
export const skewVariable = 'FAULT_SKEW_MS';
