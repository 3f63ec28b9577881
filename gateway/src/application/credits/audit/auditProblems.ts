/** A violation of an invariant in the stored data. */
export interface AuditProblem {
  /**
   * I1 credits conserved, I2 charged and refunded once, I4 nothing lost, I5 a legal history, I6 nothing
   * submitted blindly, I9 never below zero.
   */
  invariant: 'I1' | 'I2' | 'I4' | 'I5' | 'I6' | 'I9';
  /** For example `accounts/acct_…`. */
  document: string;
  problem: string;
  /** How to fix it. */
  mend: string;
}

/** Records a problem. */
export type Note = (
  invariant: AuditProblem['invariant'],
  document: string,
  problem: string,
) => void;

const remedies: Record<string, string> = {
  'I1 accounts':
    'The ledger is the record: book the difference as an adjustment if the credits were given, else run "ledger mend", which sets lots, next expiry and plan to what the ledger says.',
  'I1 ledger':
    'Entries are never changed: restore the entry that is missing or differs from a backup, under its own number.',
  'I2 generations':
    'Restore the entry from a backup; where a refund is missing, grant it with the generation as the reason, where one is too many, book it back as an adjustment.',
  'I2 ledger':
    'Book the difference as an adjustment whose reason names the generation. If only refundedCredits of the generation is wrong, set it to the refund.',
  'I4 accounts':
    'Run "ledger mend", which sets the counts to the sums of its unfinished generations; restore a missing account from a backup.',
  'I4 ledger':
    'Restore the generation from a backup, or grant its charge with its id as the reason.',
  'I5 generations':
    'The ledger tells how it ended: with a refund it is failed, without one completed. Set status, step, open and endedAt alike.',
  'I6 generations':
    'Ask the provider for its orders, by the operations in the attempts, and settle the bill there; the customer was charged once.',
  'I9 accounts':
    'Suspend the account, then run "ledger mend", which sets its lots and its month counts to what the ledger says.',
  'I1 references':
    'References that no entry has refuse bookings: compare the collection with a backup, and remove what no entry names.',
  'I1 accountLookups':
    'Upkeep removes lookups that no account has within an hour; if they stay, compare the collection with a backup.',
  'I1 feeds':
    'Set last of the document "feed" to the highest position, before anybody follows the feed.',
  'I4 generations':
    'Set times that are too far in the future to now; a worker then continues or ends the generation. Restore a missing generation from a backup.',
  'I9 ledger':
    'Suspend the account, and restore the entry before it that is missing from a backup.',
};

/** The fix for a kind of problem. Every fix is an operator's decision; none is automatic. */
export function mendOf(invariant: AuditProblem['invariant'], document: string): string {
  const [collection = ''] = document.split('/');
  return remedies[`${invariant} ${collection}`] ?? 'Compare the document with a backup.';
}
