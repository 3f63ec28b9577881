import type { Account } from '../../domain/accounts/account.ts';
import type { ApiKey } from '../../domain/accounts/apiKey.ts';
import type { Lot } from '../../domain/credits/credits.ts';
import type { LedgerEntry } from '../../domain/credits/ledgerChain.ts';
import type { Attempt } from '../../domain/generations/attempt.ts';
import type { GenerationOrder, GenerationRef, Payment } from '../../domain/generations/order.ts';
import type {
  GenerationMoments,
  GenerationStatus,
  Schedule,
} from '../../domain/generations/work.ts';

/* Ports of the credit audit. */

/** The audited part of an account. */
export type AuditedAccount = Pick<
  Account,
  | 'id'
  | 'version'
  | 'lots'
  | 'ledgerEntries'
  | 'ledgerHash'
  | 'inFlightCredits'
  | 'running'
  | 'waiting'
  | 'plan'
  | 'email'
  | 'externalId'
  | 'identities'
  | 'invitations'
  | 'erasureRequest'
  | 'creditRequest'
  | 'staffRole'
> & {
  keys: readonly Pick<
    ApiKey,
    'id' | 'hash' | 'lastFour' | 'prefix' | 'hosts' | 'replacedBy' | 'monthSpent'
  >[];
  /** As upkeep finds it: when the first lot with credits expires; null if none does. */
  nextExpiryAt: number | null;
};

/** An audited ledger entry. */
export type AuditedEntry = LedgerEntry;

/** The audited part of a generation. */
export interface AuditedGeneration
  extends
    GenerationRef,
    Payment,
    Pick<GenerationOrder, 'replaces'>,
    Pick<GenerationStatus, 'status'>,
    GenerationMoments,
    Schedule {
  /** Whether workers find it as unfinished. */
  isOpen: boolean;
  attempts: readonly Pick<Attempt, 'number' | 'outcome'>[];
}

/** A range of account ids. */
export interface AccountRange {
  from: string;
  /** Exclusive end of the range; null for none. */
  before: string | null;
}

/** A generation to check against the entries that name it. */
export interface GenerationToCheck {
  generationId: string;
  /** Another account that may have entries of it, besides its own; null if only its own may. */
  accountId: string | null;
}

/** All credit data at one point in time. Streams come in pages and can be read in parallel. */
export interface LedgerSnapshot {
  /** Name under which another process can read the same snapshot. */
  moment: string;
  /** Time of the snapshot in ms since the epoch, to the second. */
  at: number;
  /** Lists accounts by id. */
  listAccounts(): AsyncIterable<readonly AuditedAccount[]>;
  /** Entries of the accounts in a range; within an account by number. */
  listEntries(range: AccountRange): AsyncIterable<readonly AuditedEntry[]>;
  /** Generations of the accounts in a range; within an account by id. */
  listGenerations(range: AccountRange): AsyncIterable<readonly AuditedGeneration[]>;
  /** Entries of an account after this number, by number. */
  listEntriesAfter(accountId: string, number: number): AsyncIterable<readonly AuditedEntry[]>;
  /** Generations created since a time in ms since the epoch, by id. */
  listGenerationsSince(ms: number): AsyncIterable<readonly AuditedGeneration[]>;
  /** All unfinished generations. */
  listUnfinished(): AsyncIterable<readonly AuditedGeneration[]>;
  /** The accounts to which references of bookings lead. */
  findReferences(ids: readonly string[]): Promise<{ id: string; accountId: string }[]>;
  /** The accounts to which lookups lead (domain/accounts/accountLookups.ts). */
  findLookups(ids: readonly string[]): Promise<{ id: string; accountId: string }[]>;
  /** How many references and lookups there are. */
  countNames(): Promise<{ references: number; accountLookups: number }>;
  /** The last position that the feed counted, and the highest that anything has. */
  loadFeed(): Promise<{ last: number; highest: number }>;
  /** Generations by their ids. */
  findGenerations(ids: readonly string[]): Promise<AuditedGeneration[]>;
  /** All entries of these accounts that name any of these generations. */
  findEntries(names: {
    generationIds: readonly string[];
    accountIds: readonly string[];
  }): Promise<AuditedEntry[]>;
}

/** Reads the data for checking I1, I2, I4, I5, I6 and I9. */
export interface LedgerAudit {
  /**
   * Provides a snapshot that stays unchanged while `work` reads it.
   * @param accountId Restricts the streams to this account, its entries and its generations; null for everything.
   * @param moment Names an existing snapshot, up to some minutes old; a new one if absent.
   */
  runInSnapshot<T>(
    accountId: string | null,
    work: (snapshot: LedgerSnapshot) => Promise<T>,
    moment?: string,
  ): Promise<T>;
}

/** An account at the last clean check: the position in its ledger, and the state derived from it. */
export interface CheckedAccount extends Pick<AuditedAccount, 'id' | 'version' | 'plan'> {
  /** Number and hash of its last entry. */
  entries: number;
  hash: string | null;
  lots: readonly Lot[];
}

/** A moment at which the whole ledger was consistent. */
export interface Checkpoint {
  /** Just before that moment, in ms since the epoch. */
  at: number;
  /** Generations then unfinished. */
  open: readonly string[];
  /** Lists accounts by id. */
  listAccounts(): AsyncIterable<CheckedAccount>;
}

/** Writes a checkpoint. */
export interface CheckpointWriter {
  begin(checkpoint: Pick<Checkpoint, 'at' | 'open'>): Promise<void>;
  /** Adds accounts, by id. */
  add(accounts: readonly AuditedAccount[]): Promise<void>;
  /** Finishes the checkpoint: kept, replacing one of the same name, or discarded. */
  end(isKept: boolean): Promise<void>;
}

/** Checkpoints by file path. */
export interface CheckpointFiles {
  /** @throws CommandError if the file is not a checkpoint. */
  open(path: string): Promise<Checkpoint>;
  writer(path: string): CheckpointWriter;
}
