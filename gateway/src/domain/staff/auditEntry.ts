import type { OperatorAction, StaffAction, StaffRole } from './staffRights.ts';

/** The outcome of an action; it stays `begun` if the process died before the end. */
export type AuditOutcome = 'begun' | 'done' | 'refused' | 'failed';

/** One line of the audit log. Times in ms since the epoch, database time. */
export interface AuditEntry {
  id: string;
  at: number;
  accountId: string;
  email: string;
  role: StaffRole | 'operator';
  action: StaffAction | OperatorAction;
  /** Ids of the affected generation, account and key. */
  targets: string[];
  /** The reason given by the staff member. */
  reason: string;
  outcome: AuditOutcome;
  /** The result, or the reason for its absence. */
  result: string;
  requestId: string;
  /** Address of the request. */
  address: string;
  /** The form that requested it, because each form takes effect once; null without one. */
  formId: string | null;
}
