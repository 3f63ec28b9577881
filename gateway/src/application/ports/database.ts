import type { Account } from '../../domain/account.ts';
import type { Generation } from '../../domain/generation.ts';
import type { LedgerEntry } from '../../domain/ledger.ts';
import type { RealPersonAudit } from '../../domain/realPersonAudit.ts';
import type { AccountStore } from './accountStore.ts';
import type { ErasureStore } from './erasureStore.ts';
import type { FormerKeyStore } from './formerKeyStore.ts';
import type { GenerationChange, GenerationStore } from './generationStore.ts';
import type { JobStore } from './jobStore.ts';
import type { LedgerStore } from './ledgerStore.ts';
import type { RealPersonAuditStore } from './realPersonAuditStore.ts';

/** The end of an unfinished generation under its lease. */
export interface GenerationEnd {
  generation: Generation;
  change: GenerationChange;
  /** The database's own clock must be past the deadline. */
  onlyPastDeadline?: boolean | undefined;
}

/** A generation's move from one step to another, where no process holds its lease. */
export interface GenerationMove {
  generationId: string;
  from: Generation['step'];
  change: GenerationChange;
}

/** What a decision about an account comes to: all of it is written in one transaction, or nothing. */
export interface AccountDecision<T> {
  /** The account afterwards; the very object that was given when nothing of it changes. */
  after: Account;
  /** What the caller gets once everything is written. */
  result: T;
  /** When set, database time must still be before it (ms): a lot that is spent expires then. */
  spendsBefore?: number | undefined;
  /** A new generation. */
  insert?: Generation;
  /** The use of real-person mode that `insert` makes. */
  audit?: RealPersonAudit | undefined;
  end?: GenerationEnd;
  moves?: readonly GenerationMove[];
  entry?: LedgerEntry | undefined;
  job?: { generationId: string; runAt: number };
}

/** Decides about an account as it is now. It may be asked again, and then decides anew. */
export type DecideAccount<T> = (
  account: Account,
) => AccountDecision<T> | Promise<AccountDecision<T>>;

/**
 * Changes one account and what belongs to it. Decisions that wait for the same account are taken one
 * after the other, each on the account as the last one left it, and written together; a decision that
 * throws refuses only itself. When another process has changed the account meanwhile, they are taken
 * again, with jittered back-off, until `withinMs` is over.
 * @param withinMs For how long to try again, in ms: short for a request, minutes for a finished result.
 * @returns The decision's result, once a majority has it.
 * @throws StaleWrite or DuplicateValue when the decision's own writes meet such; nothing is written then.
 * @throws NoSuchAccount; trouble with the database (`Database.isTrouble`) when the time is over or too many
 * decisions wait: whether it was written is unknown then.
 */
export type ChangeAccount = <T>(
  accountId: string,
  decide: DecideAccount<T>,
  withinMs?: number,
) => Promise<T>;

/** The database. Its stores throw what the driver throws, and their rules' own errors (storeErrors.ts). */
export interface Database {
  accounts: AccountStore;
  generations: GenerationStore;
  ledger: LedgerStore;
  jobs: JobStore;
  realPersonAudit: RealPersonAuditStore;
  formerKeys: FormerKeyStore;
  erasures: ErasureStore;
  changeAccount: ChangeAccount;
  /**
   * Whether an error of any store says that the database cannot be reached or does not answer in time: a
   * request is answered 503, and work may be tried again.
   */
  isTrouble: (error: unknown) => boolean;
}
