import { balanceOf } from '../../domain/credits.ts';
import type { LedgerEntry, LedgerEntryKind } from '../../domain/ledger.ts';
import type { AuditedAccount } from './ports.ts';
import type { Note } from './auditProblem.ts';

/** What an account's unfinished generations add up to. */
export interface Unfinished {
  count: number;
  /** Of these, the ones that wait for a place. */
  waiting: number;
  credits: number;
}

/** An audit of one account that is shown its entries one by one, in the order of their numbers. */
export interface AccountAudit {
  add(entry: LedgerEntry): void;
  finish(unfinished: Unfinished): void;
}

/** Which way an entry of a kind moves credits; 0 for either. */
const signs: Record<LedgerEntryKind, -1 | 0 | 1> = {
  grant: 1,
  charge: -1,
  refund: 1,
  expiry: -1,
  adjustment: 0,
};

/**
 * Checks an account against its ledger: numbers without a gap, each lot the sum of its movements and
 * never below zero, the counts those of its unfinished generations (I1, I9). It keeps one number per lot.
 */
export function auditAccount(account: AuditedAccount, note: Note): AccountAudit {
  const document = `accounts/${account.id}`;
  const lots = new Map<string, number>();
  let balance = 0;
  let number = 0;
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

function auditEntry({ id, kind, amount, movements, generationId }: LedgerEntry, note: Note): void {
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
