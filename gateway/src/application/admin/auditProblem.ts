/** One thing in the stored data that breaks a promise. */
export interface AuditProblem {
  /**
   * I1 credits conserved, I2 charged and refunded once, I4 nothing lost, I5 a legal history, I6 nothing
   * submitted blindly, I9 never below zero.
   */
  invariant: 'I1' | 'I2' | 'I4' | 'I5' | 'I6' | 'I9';
  /** Such as `accounts/acct_…`. */
  document: string;
  problem: string;
  /** What can be done about it. */
  mend: string;
}

/** Takes a note of a problem. */
export type Note = (
  invariant: AuditProblem['invariant'],
  document: string,
  problem: string,
) => void;

const mends: Record<string, string> = {
  'I1 accounts':
    'The ledger is the record: book the difference as an adjustment if the credits were given, else set the lots to what the ledger adds up to.',
  'I1 ledger':
    'Entries are never changed: restore the entry that is missing or differs from a backup, under its own number.',
  'I2 generations':
    'Restore the entry from a backup; where a refund is missing, grant the cost with the generation as the reason, where one is too many, book it back as an adjustment.',
  'I2 ledger': 'Book the difference as an adjustment whose reason names the generation.',
  'I4 accounts':
    'Set running, waiting and inFlightCredits of the account to what its unfinished generations add up to; restore an account that is gone from a backup.',
  'I4 ledger':
    'Restore the generation from a backup, or grant what it was charged with its id as the reason.',
  'I5 generations':
    'The ledger tells how it ended: with a refund it is failed, without one completed. Set status, step, open and endedAt alike.',
  'I6 generations':
    'Ask the provider what it was given, by the operations in its attempts, and settle the bill there; the customer was charged once.',
  'I9 accounts': 'Suspend the account, then set its lots to what its ledger adds up to.',
  'I9 ledger':
    'Suspend the account, and restore the entry before it that is missing from a backup.',
};

/** How such a problem can be mended; every mending is an operator's decision, none is done by itself. */
export function mendOf(invariant: AuditProblem['invariant'], document: string): string {
  const [collection = ''] = document.split('/');
  return mends[`${invariant} ${collection}`] ?? 'Compare the document with a backup.';
}
