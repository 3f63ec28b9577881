import { isFinal } from '@framegate/contract';
import type { LedgerEntry, LotKind, LotMovement } from '../../domain/credits.ts';
import { refundedCredits } from '../../domain/refund.ts';
import { PlainRefusal } from '../../domain/refusal.ts';
import {
  auditAccount,
  auditHistory,
  mendOf,
  type AuditProblem,
  type Note,
  type Unfinished,
} from './auditAccount.ts';
import type { AuditedGeneration, LedgerAudit, LedgerSnapshot } from './ports.ts';

/** The result of an audit. */
export interface AuditReport {
  accounts: number;
  generations: number;
  /** At most 1,000 of them. */
  problems: AuditProblem[];
  /** Number of further problems. */
  problemsOmitted: number;
}

const maxProblems = 1000;
/** For an account without unfinished generations. */
const none: Unfinished = { count: 0, waiting: 0, credits: 0 };

/**
 * Checks I1, I2, I4, I5, I6 and I9 over all stored data at one point in time. It reads sorted streams in
 * parallel and keeps only the lots of one account and the counts of accounts with unfinished generations in
 * memory.
 * @param accountId Checks only this account, for a ledger that takes longer to read than a snapshot lasts.
 * Entries of other accounts that name its generations are not seen then.
 */
export function verifyLedger(
  { audit }: { audit: LedgerAudit },
  accountId: string | null = null,
): Promise<AuditReport> {
  return audit.inSnapshot(accountId, async (snapshot) => {
    const problems: AuditProblem[] = [];
    let problemsOmitted = 0;
    const note: Note = (invariant, document, problem) => {
      const mend = mendOf(invariant, document);
      if (problems.length < maxProblems) problems.push({ invariant, document, problem, mend });
      else problemsOmitted += 1;
    };
    const unfinished = new Map<string, Unfinished>();
    const generations = await auditGenerations(snapshot, unfinished, note);
    const accounts = await auditAccounts(snapshot, unfinished, note);
    if (accountId !== null && accounts === 0) {
      throw new PlainRefusal(`There is no account ${accountId}.`);
    }
    return { accounts, generations, problems, problemsOmitted };
  });
}

async function auditGenerations(
  snapshot: LedgerSnapshot,
  unfinished: Map<string, Unfinished>,
  note: Note,
): Promise<number> {
  const entries = peekable(snapshot.entriesByGeneration());
  const ofNone = ({ id, kind, generationId }: LedgerEntry) => {
    note('I4', `ledger/${id}`, `is a ${kind} of generation ${generationId}, which does not exist`);
  };
  let count = 0;
  for await (const generation of snapshot.generations()) {
    count += 1;
    const own: LedgerEntry[] = [];
    for (let next = await entries.peek(); next; next = await entries.peek()) {
      if (String(next.generationId) > generation.id) break;
      if (next.generationId === generation.id) own.push(next);
      else ofNone(next);
      entries.skip();
    }
    auditGeneration(generation, own, note);
    auditHistory(generation, note);
    if (!isFinal(generation.status)) addUnfinished(unfinished, generation);
  }
  for (let next = await entries.peek(); next; next = await entries.peek()) {
    ofNone(next);
    entries.skip();
  }
  return count;
}

function addUnfinished(
  unfinished: Map<string, Unfinished>,
  { accountId, costCredits, step }: AuditedGeneration,
): void {
  const { count, waiting, credits } = unfinished.get(accountId) ?? none;
  unfinished.set(accountId, {
    count: count + 1,
    waiting: waiting + (step === 'waiting' ? 1 : 0),
    credits: credits + costCredits,
  });
}

async function auditAccounts(
  snapshot: LedgerSnapshot,
  unfinished: Map<string, Unfinished>,
  note: Note,
): Promise<number> {
  const entries = peekable(snapshot.entriesByAccount());
  const ofNone = ({ id, accountId }: LedgerEntry) => {
    note('I1', `ledger/${id}`, `is of account ${accountId}, which does not exist`);
  };
  let count = 0;
  for await (const account of snapshot.accounts()) {
    count += 1;
    const audit = auditAccount(account, note);
    for (let next = await entries.peek(); next; next = await entries.peek()) {
      if (next.accountId > account.id) break;
      if (next.accountId === account.id) audit.add(next);
      else ofNone(next);
      entries.skip();
    }
    audit.finish(unfinished.get(account.id) ?? none);
    unfinished.delete(account.id);
  }
  for (let next = await entries.peek(); next; next = await entries.peek()) {
    ofNone(next);
    entries.skip();
  }
  for (const [id, { count: lost }] of unfinished) {
    note('I4', `accounts/${id}`, `does not exist, but ${lost} unfinished generations are of it`);
  }
  return count;
}

/** A stream whose next item can be inspected before taking it. */
export interface Peekable<T> {
  /** The next item, or undefined at the end. */
  peek(): Promise<T | undefined>;
  /** Moves past the next item. */
  skip(): void;
}

/** Reads a stream one item ahead, so that two sorted streams can be merged. */
export function peekable<T>(stream: AsyncIterable<T>): Peekable<T> {
  const iterator = stream[Symbol.asyncIterator]();
  let ahead: Promise<IteratorResult<T, unknown>> | null = null;
  return {
    async peek() {
      ahead ??= iterator.next();
      const result = await ahead;
      return result.done === true ? undefined : result.value;
    },
    skip() {
      ahead = null;
    },
  };
}

/**
 * Checks a generation against the entries that name it: exactly one charge, of its cost and from its recorded
 * lots; a refund exactly if it failed, of the amount that it says and of the kinds of credits that paid (I2, I4).
 */
export function auditGeneration(
  generation: AuditedGeneration,
  entries: readonly LedgerEntry[],
  note: Note,
): void {
  const document = `generations/${generation.id}`;
  const charges = entries.filter(({ kind }) => kind === 'charge');
  const refunds = entries.filter(({ kind }) => kind === 'refund');
  const cost = generation.costCredits;
  for (const entry of entries) {
    if (entry.accountId !== generation.accountId) {
      note(
        'I2',
        `ledger/${entry.id}`,
        `is of account ${entry.accountId}, its generation of another`,
      );
    }
  }
  const [charge] = charges;
  if (charges.length !== 1) {
    note('I2', document, `has ${charges.length} charges, one is right`);
  } else if (charge && charge.amount !== -cost) {
    note('I2', `ledger/${charge.id}`, `charges ${-charge.amount}, the generation costs ${cost}`);
  } else if (charge && !sameMovements(charge.movements, generation.charge)) {
    note('I2', document, 'names other lots as its payers than its charge does');
  }
  const expected = generation.status === 'failed' ? 1 : 0;
  if (refunds.length !== expected) {
    note('I2', document, `is ${generation.status} and has ${refunds.length} refunds`);
  }
  if (expected === 0) return;
  const refunded = refundedCredits(generation);
  for (const { id, amount, movements } of refunds) {
    if (amount !== refunded) {
      note('I2', `ledger/${id}`, `refunds ${amount}, the generation says ${refunded}`);
    } else if (charge && !areCovered(movements, charge.movements)) {
      note('I2', `ledger/${id}`, 'gives back other kinds of credits than the charge took');
    }
  }
  if (refunded > cost) note('I2', document, `costs ${cost} and says ${refunded} were refunded`);
}

function sameMovements(a: readonly LotMovement[], b: readonly LotMovement[]): boolean {
  const write = (movements: readonly LotMovement[]) =>
    movements
      .map(({ lotId, amount }) => `${lotId} ${amount}`)
      .toSorted()
      .join();
  return write(a) === write(b);
}

/** Whether a refund gives back no more of any kind of credits than the charge took. */
function areCovered(refund: readonly LotMovement[], charge: readonly LotMovement[]): boolean {
  const sums = new Map<LotKind, number>();
  for (const { kind, amount } of [...refund, ...charge]) {
    sums.set(kind, (sums.get(kind) ?? 0) + amount);
  }
  return [...sums.values()].every((sum) => sum <= 0);
}
