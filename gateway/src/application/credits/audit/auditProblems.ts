/** A violation of an invariant in the stored data. */
export interface AuditProblem {
  /**
   * I1 credits conserved, I2 charged and refunded once, I4 nothing lost, I5 a legal history, I6 nothing
   * submitted blindly, I9 never below zero.
   */
  invariant: 'I1' | 'I2' | 'I4' | 'I5' | 'I6' | 'I9';
  /** The document, such as `accounts/acct_…`. */
  document: string;
  problem: string;
  /** The operator's remedy. */
  remedy: string;
}

/** Records a problem. */
export type RecordProblem = (
  invariant: AuditProblem['invariant'],
  document: string,
  problem: string,
) => void;

const remedies: Record<string, string> = {
  'I1 accounts':
    'The ledger is authoritative: if the credits were granted, book the difference as an adjustment; otherwise run "ledger mend", which restores lots, next expiry and plan from the ledger.',
  'I1 ledger':
    'Entries never change: restore the missing or altered entry from a backup, under its own number.',
  'I2 generations':
    'Restore the entry from a backup. If a refund is missing, grant it with the generation as the reason; if there is one too many, reverse it with an adjustment.',
  'I2 ledger':
    "Book the difference as an adjustment whose reason names the generation. If only the generation's refundedCredits is wrong, set it to the refund.",
  'I4 accounts':
    'Run "ledger mend", which recounts the account\'s unfinished generations; restore a missing account from a backup.',
  'I4 ledger':
    'Restore the generation from a backup, or grant the amount of its charge with its ID as the reason.',
  'I5 generations':
    'The ledger shows how it ended: failed if it was refunded, otherwise completed. Set status, step, open and endedAt accordingly.',
  'I6 generations':
    'Look up the orders at the provider by the operations in the attempts, and settle the bill there; the customer was charged once.',
  'I9 accounts':
    'Suspend the account, then run "ledger mend", which restores its lots and monthly counts from the ledger.',
  'I1 references':
    'References without an entry block bookings: compare the collection with a backup, and remove those that no entry names.',
  'I1 accountLookups':
    'Upkeep removes lookups without an account within an hour; if they remain, compare the collection with a backup.',
  'I1 feeds':
    'Set "last" in the document "feed" to the highest position before anyone follows the feed.',
  'I4 generations':
    'Set times that are too far in the future to now; a worker then continues or ends the generation. Restore a missing generation from a backup.',
  'I9 ledger': 'Suspend the account, and restore the missing entry before it from a backup.',
};

/** The remedy for a kind of problem, which is the operator's decision; none is automatic. */
export function remedyOf(invariant: AuditProblem['invariant'], document: string): string {
  const [collection = ''] = document.split('/');
  return remedies[`${invariant} ${collection}`] ?? 'Compare the document with a backup.';
}
