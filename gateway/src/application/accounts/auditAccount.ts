import {
  type LedgerEntryKind,
  type Lot,
  balanceOf,
  nextExpiryOf,
} from '../../domain/credits/credits.ts';
import { entryHash } from '../../domain/credits/ledgerChain.ts';
import { isMonthOf, monthsAfter } from '../../domain/credits/plan.ts';
import { rebuildLots, timeOf } from '../../domain/credits/rebuildLots.ts';
import type { AuditedAccount, AuditedEntry, CheckedAccount } from '../ports/accounts.ts';

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

/** The sums over an account's unfinished generations. */
export interface Unfinished {
  count: number;
  /** Those queued for a slot. */
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

/** An account before its first entry. */
const unwritten = { entries: 0, hash: null, lots: [], version: 1 };

/**
 * Checks an account against its ledger: its entries form a chain without gaps, its lots match the entries field by
 * field, and so do the derived values: the next expiry, the months of its plan, the counts of its unfinished
 * generations (I1, I9).
 * @param since Start of its entries; before the first one if absent.
 */
export function auditAccount(
  account: AuditedAccount,
  note: Note,
  since: Omit<CheckedAccount, 'id'> = unwritten,
): AccountAudit {
  const document = `accounts/${account.id}`;
  const rebuilt = rebuildLots(since.lots);
  let balance = balanceOf(since.lots);
  let number = since.entries;
  let hash = since.hash;
  let months = since.plan?.id === account.plan?.id ? (since.plan?.months ?? 0) : 0;
  return {
    add(entry) {
      const { id } = entry;
      number += 1;
      if (entry.number !== number) {
        note('I1', `ledger/${id}`, `has number ${entry.number}, ${number} would be next`);
        number = entry.number;
      }
      if (entryHash(hash, entry) !== entry.hash) {
        note('I1', `ledger/${id}`, 'breaks the chain: it, or the entry before it, was changed');
      }
      hash = entry.hash;
      balance += entry.amount;
      auditEntry(entry, note);
      for (const problem of rebuilt.apply(entry)) note('I9', `ledger/${id}`, problem);
      if (balance < 0) note('I9', `ledger/${id}`, `takes the balance to ${balance}`);
      if (isMonthOf(account.plan, entry.reference)) months += 1;
    },

    finish(unfinished) {
      if (account.ledgerEntries !== number) {
        const counted = `counts ${account.ledgerEntries} ledger entries`;
        note('I1', document, `${counted}, the last one's number is ${number}`);
      }
      if (account.ledgerHash !== hash) {
        note('I1', document, 'names another hash than that of its last ledger entry');
      }
      const changes = Math.ceil((number - since.entries) / entriesAtOnce);
      if (account.version < since.version + changes) {
        note('I1', document, `is of version ${account.version}, its ledger needs more`);
      }
      const stored = balanceOf(account.lots);
      if (stored !== balance) {
        note('I1', document, `holds ${stored} credits, its ledger adds up to ${balance}`);
      }
      auditLots(account, rebuilt.lots(), note);
      auditPlan(account, months, note);
      auditCounts(account, unfinished, note);
    },
  };
}

/** Maximum entries written by one change of an account (accountChanges.ts). */
const entriesAtOnce = 32;

/** Compares the stored lots, and the next expiry, with those derived from the ledger. */
function auditLots(
  { id: accountId, lots, nextExpiryAt }: AuditedAccount,
  derived: ReadonlyMap<string, Lot>,
  note: Note,
): void {
  const document = `accounts/${accountId}`;
  const missing = new Map(derived);
  const seen = new Set<string>();
  for (const lot of lots) {
    const { id, remaining } = lot;
    const right = derived.get(id);
    if (seen.has(id)) note('I1', document, `has lot ${id} twice`);
    seen.add(id);
    missing.delete(id);
    if (!Number.isSafeInteger(remaining) || remaining < 0) {
      note('I9', document, `lot ${id} holds ${remaining}`);
    }
    if (remaining !== (right?.remaining ?? 0)) {
      const sum = right?.remaining ?? 0;
      note('I1', document, `lot ${id} holds ${remaining}, its ledger adds up to ${sum}`);
    }
    if (!right && remaining === 0)
      note('I1', document, `has lot ${id}, of which its ledger tells nothing`);
    if (right) {
      for (const problem of differences(lot, right)) note('I1', document, problem);
    }
  }
  for (const { id, remaining } of missing.values()) {
    note('I1', document, `has no lot ${id}, its ledger adds up to ${remaining}`);
  }
  const next = nextExpiryOf(lots);
  if (nextExpiryAt !== next) {
    const found = `is found for expiry at ${timeOf(nextExpiryAt)}`;
    note('I1', document, `${found}, its lots expire next at ${timeOf(next)}`);
  }
}

function differences(lot: Lot, derived: Lot): string[] {
  const { id } = lot;
  const saying = (what: string, is: string | number, right: string | number) =>
    is === right ? [] : [`lot ${id} ${what} ${is}, its ledger says ${right}`];
  return [
    ...saying('is of kind', lot.kind, derived.kind),
    ...saying('expires', timeOf(lot.expiresAt), timeOf(derived.expiresAt)),
    ...saying('was given', lot.amount, derived.amount),
    ...saying('was opened', timeOf(lot.createdAt), timeOf(derived.createdAt)),
  ];
}

/** @param months Those granted according to the ledger. */
function auditPlan({ id, plan }: AuditedAccount, months: number, note: Note): void {
  if (!plan) return;
  const document = `accounts/${id}`;
  if (plan.months !== months) {
    note('I1', document, `counts ${plan.months} months of its plan, its ledger has ${months}`);
  }
  const nextAt = plan.endedAt === null ? monthsAfter(plan.startedAt, plan.months) : null;
  if (plan.nextAt !== nextAt) {
    const is = `grants the next month of its plan at ${timeOf(plan.nextAt)}`;
    note('I1', document, `${is}, it is due at ${timeOf(nextAt)}`);
  }
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
