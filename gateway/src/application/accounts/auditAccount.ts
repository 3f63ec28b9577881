import { type LedgerEntryKind, balanceOf } from '../../domain/credits.ts';
import type { AuditedAccount, AuditedEntry, CheckedAccount } from './ports.ts';

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

const mends: Record<string, string> = {
  'I1 accounts':
    'The ledger is the record: book the difference as an adjustment if the credits were given, else set the lots to the sum of the ledger.',
  'I1 ledger':
    'Entries are never changed: restore the entry that is missing or differs from a backup, under its own number.',
  'I2 generations':
    'Restore the entry from a backup; where a refund is missing, grant it with the generation as the reason, where one is too many, book it back as an adjustment.',
  'I2 ledger':
    'Book the difference as an adjustment whose reason names the generation. If only refundedCredits of the generation is wrong, set it to the refund.',
  'I4 accounts':
    'Set running, waiting and inFlightCredits of the account to the sums of its unfinished generations; restore a missing account from a backup.',
  'I4 ledger':
    'Restore the generation from a backup, or grant its charge with its id as the reason.',
  'I5 generations':
    'The ledger tells how it ended: with a refund it is failed, without one completed. Set status, step, open and endedAt alike.',
  'I6 generations':
    'Ask the provider for its orders, by the operations in the attempts, and settle the bill there; the customer was charged once.',
  'I9 accounts': 'Suspend the account, then set its lots to the sum of its ledger.',
  'I9 ledger':
    'Suspend the account, and restore the entry before it that is missing from a backup.',
};

/** The fix for a kind of problem. Every fix is an operator's decision; none is automatic. */
export function mendOf(invariant: AuditProblem['invariant'], document: string): string {
  const [collection = ''] = document.split('/');
  return mends[`${invariant} ${collection}`] ?? 'Compare the document with a backup.';
}

/** The sums over an account's unfinished generations. */
export interface Unfinished {
  count: number;
  /** Those queued for a place. */
  waiting: number;
  credits: number;
}

/** An audit of one account, fed with its entries in numerical order. */
export interface AccountAudit {
  add(entry: AuditedEntry): void;
  finish(unfinished: Unfinished): void;
}

/** The direction in which each kind of entry moves credits; 0 for both. */
const signs: Record<LedgerEntryKind, -1 | 0 | 1> = {
  grant: 1,
  charge: -1,
  refund: 1,
  expiry: -1,
  adjustment: 0,
};

/**
 * Checks an account against its ledger: numbers have no gaps, each lot equals the sum of its movements and is never
 * negative, and the counts match its unfinished generations (I1, I9). Keeps one number per lot.
 * @param since Start of its entries; before the first one if absent.
 */
export function auditAccount(
  account: AuditedAccount,
  note: Note,
  since: Pick<CheckedAccount, 'entries' | 'lots'> = { entries: 0, lots: {} },
): AccountAudit {
  const document = `accounts/${account.id}`;
  const lots = new Map(Object.entries(since.lots));
  let balance = [...lots.values()].reduce((sum, held) => sum + held, 0);
  let number = since.entries;
  return {
    add(entry) {
      const { id } = entry;
      number += 1;
      if (entry.number !== number) {
        note('I1', `ledger/${id}`, `has number ${entry.number}, ${number} would be next`);
        number = entry.number;
      }
      balance += entry.amount;
      auditEntry(entry, note);
      for (const { lotId, amount } of entry.movements) {
        const left = (lots.get(lotId) ?? 0) + amount;
        lots.set(lotId, left);
        if (left < 0) note('I9', `ledger/${id}`, `takes lot ${lotId} to ${left}`);
      }
      if (balance < 0) note('I9', `ledger/${id}`, `takes the balance to ${balance}`);
    },

    finish(unfinished) {
      if (account.ledgerEntries !== number) {
        const counted = `counts ${account.ledgerEntries} ledger entries`;
        note('I1', document, `${counted}, the last one's number is ${number}`);
      }
      const stored = balanceOf(account.lots);
      if (stored !== balance) {
        note('I1', document, `holds ${stored} credits, its ledger adds up to ${balance}`);
      }
      for (const { id, remaining } of account.lots) {
        const sum = lots.get(id) ?? 0;
        if (!Number.isSafeInteger(remaining) || remaining < 0) {
          note('I9', document, `lot ${id} holds ${remaining}`);
        }
        if (remaining !== sum) {
          note('I1', document, `lot ${id} holds ${remaining}, its ledger adds up to ${sum}`);
        }
        lots.delete(id);
      }
      for (const [id, sum] of lots) {
        if (sum !== 0) note('I1', document, `has no lot ${id}, its ledger adds up to ${sum}`);
      }
      auditCounts(account, unfinished, note);
    },
  };
}

function auditEntry({ id, kind, amount, movements, generationId }: AuditedEntry, note: Note): void {
  const document = `ledger/${id}`;
  const sum = movements.reduce((total, movement) => total + movement.amount, 0);
  if (amount !== sum) note('I1', document, `says ${amount}, its movements add up to ${sum}`);
  if (Math.sign(amount) * signs[kind] < 0) {
    note('I1', document, `is of kind ${kind} and of ${amount} credits`);
  }
  if (!generationId && (kind === 'charge' || kind === 'refund')) {
    note('I4', document, `is a ${kind} of no generation`);
  }
}

function auditCounts(
  account: AuditedAccount,
  { count, waiting, credits }: Unfinished,
  note: Note,
): void {
  const document = `accounts/${account.id}`;
  const counted = account.running + account.waiting;
  if (counted !== count) {
    note('I4', document, `counts ${counted} unfinished generations, there are ${count}`);
  }
  if (counted === count && account.waiting !== waiting) {
    note('I4', document, `counts ${account.waiting} waiting generations, there are ${waiting}`);
  }
  if (account.running < 0 || account.waiting < 0) {
    note('I9', document, `counts ${account.running} running and ${account.waiting} waiting`);
  }
  if (account.inFlightCredits !== credits) {
    const inFlight = `has ${account.inFlightCredits} credits in flight`;
    note('I1', document, `${inFlight}, its unfinished generations cost ${credits}`);
  }
}
