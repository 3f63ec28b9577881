import { sum } from '@framegate/contract';
import {
  balanceOf,
  type LedgerEntryKind,
  type Lot,
  nextExpiryOf,
} from '../../../domain/credits/credits.ts';
import { entryHash } from '../../../domain/credits/ledgerChain.ts';
import { isMonthOf, monthsAfter } from '../../../domain/credits/plan.ts';
import { rebuildLots, timeOf } from '../../../domain/credits/rebuildLots.ts';
import type { AuditedAccount, AuditedEntry, CheckedAccount } from '../../ports/ledgerAudit.ts';
import type { RecordProblem } from './auditProblems.ts';
import type { UnfinishedSums } from './unfinishedSums.ts';

/** An audit of one account, fed with its entries in numerical order. */
export interface AccountAudit {
  add(entry: AuditedEntry): void;
  finish(unfinished: UnfinishedSums): void;
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
 * field, as do the derived values: the next expiry, the months of its plan, the counts of its unfinished
 * generations (I1, I9).
 * @param since Start of its entries; before the first one if absent.
 */
export function auditAccount(
  account: AuditedAccount,
  record: RecordProblem,
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
        record('I1', `ledger/${id}`, `has number ${entry.number}, ${number} would be next`);
        number = entry.number;
      }
      if (entryHash(hash, entry) !== entry.hash) {
        record('I1', `ledger/${id}`, 'breaks the chain: it, or the entry before it, was changed');
      }
      hash = entry.hash;
      balance += entry.amount;
      auditEntry(entry, record);
      for (const problem of rebuilt.apply(entry)) record('I9', `ledger/${id}`, problem);
      if (balance < 0) record('I9', `ledger/${id}`, `takes the balance to ${balance}`);
      if (isMonthOf(account.plan, entry.reference)) months += 1;
    },

    finish(unfinished) {
      if (account.ledgerEntries !== number) {
        const countText = `counts ${account.ledgerEntries} ledger entries`;
        record('I1', document, `${countText}, the last one's number is ${number}`);
      }
      if (account.ledgerHash !== hash) {
        record('I1', document, 'names a different hash than its last ledger entry has');
      }
      const changes = Math.ceil((number - since.entries) / maxEntriesAtOnce);
      if (account.version < since.version + changes) {
        record('I1', document, `is of version ${account.version}, its ledger needs more`);
      }
      const storedBalance = balanceOf(account.lots);
      if (storedBalance !== balance) {
        record('I1', document, `holds ${storedBalance} credits, its ledger adds up to ${balance}`);
      }
      auditLots(account, rebuilt.lots(), record);
      auditPlan(account, months, record);
      auditCounts(account, unfinished, record);
    },
  };
}

/** Maximum entries written by one change of an account (accountChanges.ts). */
const maxEntriesAtOnce = 32;

/** Compares the stored lots, and the next expiry, with those derived from the ledger. */
function auditLots(
  { id: accountId, lots, nextExpiryAt }: AuditedAccount,
  derived: ReadonlyMap<string, Lot>,
  record: RecordProblem,
): void {
  const document = `accounts/${accountId}`;
  const missing = new Map(derived);
  const seenIds = new Set<string>();
  for (const lot of lots) {
    const { id, remaining } = lot;
    const right = derived.get(id);
    if (seenIds.has(id)) record('I1', document, `has lot ${id} twice`);
    seenIds.add(id);
    missing.delete(id);
    if (!Number.isSafeInteger(remaining) || remaining < 0) {
      record('I9', document, `lot ${id} holds ${remaining}`);
    }
    if (remaining !== (right?.remaining ?? 0)) {
      const expected = right?.remaining ?? 0;
      record('I1', document, `lot ${id} holds ${remaining}, its ledger adds up to ${expected}`);
    }
    if (!right && remaining === 0) {
      record('I1', document, `has lot ${id}, which is not in its ledger`);
    }
    if (right) {
      for (const problem of differences(lot, right)) record('I1', document, problem);
    }
  }
  for (const { id, remaining } of missing.values()) {
    record('I1', document, `has no lot ${id}, its ledger adds up to ${remaining}`);
  }
  const next = nextExpiryOf(lots);
  if (nextExpiryAt !== next) {
    const foundText = `is found for expiry at ${timeOf(nextExpiryAt)}`;
    record('I1', document, `${foundText}, its lots expire next at ${timeOf(next)}`);
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
function auditPlan({ id, plan }: AuditedAccount, months: number, record: RecordProblem): void {
  if (!plan) return;
  const document = `accounts/${id}`;
  if (plan.months !== months) {
    record('I1', document, `counts ${plan.months} months of its plan, its ledger has ${months}`);
  }
  const nextAt = plan.endedAt === null ? monthsAfter(plan.startedAt, plan.months) : null;
  if (plan.nextAt !== nextAt) {
    const is = `grants the next month of its plan at ${timeOf(plan.nextAt)}`;
    record('I1', document, `${is}, it is due at ${timeOf(nextAt)}`);
  }
}

function auditEntry(
  { id, kind, amount, movements, generationId }: AuditedEntry,
  record: RecordProblem,
): void {
  const document = `ledger/${id}`;
  const moved = sum(movements.map((movement) => movement.amount));
  if (amount !== moved) record('I1', document, `says ${amount}, its movements add up to ${moved}`);
  if (Math.sign(amount) * signs[kind] < 0) {
    record('I1', document, `is of kind ${kind} and of ${amount} credits`);
  }
  if (!generationId && (kind === 'charge' || kind === 'refund')) {
    record('I4', document, `is a ${kind} without a generation`);
  }
}

function auditCounts(
  account: AuditedAccount,
  { count, waiting, credits }: UnfinishedSums,
  record: RecordProblem,
): void {
  const document = `accounts/${account.id}`;
  const unfinishedCount = account.running + account.waiting;
  if (unfinishedCount !== count) {
    record('I4', document, `counts ${unfinishedCount} unfinished generations, there are ${count}`);
  }
  if (unfinishedCount === count && account.waiting !== waiting) {
    record('I4', document, `counts ${account.waiting} waiting generations, there are ${waiting}`);
  }
  if (account.running < 0 || account.waiting < 0) {
    record('I9', document, `counts ${account.running} running and ${account.waiting} waiting`);
  }
  if (account.inFlightCredits !== credits) {
    const inFlight = `has ${account.inFlightCredits} credits in flight`;
    record('I1', document, `${inFlight}, its unfinished generations cost ${credits}`);
  }
}
