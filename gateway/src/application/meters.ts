import type { Attempt, LostReason } from '../domain/generations/attempt.ts';
import type { MailOutcome } from './ports/mails.ts';
import type { RecordSignIn } from './ports/site.ts';

/** Counters for the metrics of a process. */
export interface Meters {
  recordRequest(request: { method: string; route: string; status: number; ms: number }): void;
  /** Counts a read of a generation by its owner. */
  recordPoll(status: string): void;
  /** Counts a finished provider result that was not delivered. */
  recordLost(provider: string, reason: LostReason): void;
  /** Counts the cost of one attempt of an ended generation. */
  recordCost(attempt: Attempt): void;
  /** Counts the differences between an ended generation's result and its order. */
  recordDifferences(attempt: Attempt): void;
  recordSignIn: RecordSignIn;
  recordMail(outcome: MailOutcome): void;
}
