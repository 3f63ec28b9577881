/** One thing in the stored data that breaks a promise. */
export interface AuditProblem {
  /** I1 credits conserved, I2 charged and refunded once, I4 nothing lost, I9 never below zero. */
  invariant: 'I1' | 'I2' | 'I4' | 'I9';
  /** Such as `accounts/acct_…`. */
  document: string;
  problem: string;
}

/** Takes a note of a problem. */
export type Note = (
  invariant: AuditProblem['invariant'],
  document: string,
  problem: string,
) => void;
