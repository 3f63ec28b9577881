import type { Account } from '../../domain/account.ts';
import type { Generation } from '../../domain/generation.ts';
import type { LedgerEntry, LotMovement } from '../../domain/credits.ts';

/* Ports of the credit audit, in addition to application/ports/. */

/** The audited part of an account. */
export type AuditedAccount = Pick<
  Account,
  'id' | 'lots' | 'ledgerEntries' | 'inFlightCredits' | 'running' | 'waiting'
>;

/** The audited part of a movement. */
export type AuditedMovement = Pick<LotMovement, 'lotId' | 'kind' | 'amount'>;

/** The audited part of a ledger entry. */
export type AuditedEntry = Pick<
  LedgerEntry,
  'id' | 'accountId' | 'number' | 'kind' | 'amount' | 'generationId'
> & { movements: readonly AuditedMovement[] };

/** The audited part of a generation. */
export type AuditedGeneration = Pick<
  Generation,
  'id' | 'accountId' | 'status' | 'step' | 'costCredits' | 'refundedCredits'
> &
  Pick<Generation, 'createdAt' | 'startedAt' | 'endedAt'> & {
    charge: readonly AuditedMovement[];
    attempts: readonly Pick<Generation['attempts'][number], 'number' | 'outcome'>[];
  };

/** A range of account ids. */
export interface AccountRange {
  from: string;
  /** Its exclusive end; null for none. */
  before: string | null;
}

/** All credit data at one point in time. Streams come in pages and can be read at the same time. */
export interface LedgerSnapshot {
  /** Its name, by which another process reads the same. */
  moment: string;
  /** By id. */
  accounts(): AsyncIterable<readonly AuditedAccount[]>;
  /** Entries of the accounts in a range, those of an account by number. */
  entries(range: AccountRange): AsyncIterable<readonly AuditedEntry[]>;
  /** Generations of the accounts in a range, those of an account by id. */
  generations(range: AccountRange): AsyncIterable<readonly AuditedGeneration[]>;
  /** Entries of an account behind this number, by number. */
  entriesAfter(accountId: string, number: number): AsyncIterable<readonly AuditedEntry[]>;
  /** Generations made since a moment in ms since the epoch, by id. */
  generationsSince(ms: number): AsyncIterable<readonly AuditedGeneration[]>;
  /** All unfinished generations. */
  unfinished(): AsyncIterable<readonly AuditedGeneration[]>;
  /** Generations by their ids. */
  findGenerations(ids: readonly string[]): Promise<AuditedGeneration[]>;
  /** All entries that name one of these generations. */
  findEntries(generationIds: readonly string[]): Promise<AuditedEntry[]>;
}

/** Reads the data for checking I1, I2, I4, I5, I6 and I9. */
export interface LedgerAudit {
  /**
   * Provides a snapshot that does not change while `work` reads it.
   * @param accountId Restricts its streams to this account, its entries and its generations; null for everything.
   * @param moment The snapshot of that name, which may be some minutes old; a new one if absent.
   */
  inSnapshot<T>(
    accountId: string | null,
    work: (snapshot: LedgerSnapshot) => Promise<T>,
    moment?: string,
  ): Promise<T>;
}

/** An account when the ledger was last found right: its number of entries, and what its lots held. */
export interface CheckedAccount {
  id: string;
  entries: number;
  /** Credits by lot; one that is absent held none. */
  lots: Readonly<Record<string, number>>;
}

/** A moment at which the whole ledger was right. */
export interface Checkpoint {
  /** Just before that moment, in ms since the epoch. */
  at: number;
  /** Generations that were unfinished. */
  open: readonly string[];
  /** By id. */
  accounts(): AsyncIterable<CheckedAccount>;
}

/** Writes a checkpoint. */
export interface CheckpointWriter {
  begin(checkpoint: Pick<Checkpoint, 'at' | 'open'>): Promise<void>;
  /** Adds accounts, by id. */
  add(accounts: readonly AuditedAccount[]): Promise<void>;
  /** Ends it: kept, in place of one of that name, or not. */
  end(isKept: boolean): Promise<void>;
}

/** Checkpoints by the paths of their files. */
export interface CheckpointFiles {
  /** @throws PlainRefusal for a file that is no checkpoint. */
  open(path: string): Promise<Checkpoint>;
  writer(path: string): CheckpointWriter;
}
