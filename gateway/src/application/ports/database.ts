import type { Account, ApiKey } from '../../domain/account.ts';
import type { Generation } from '../../domain/generation.ts';
import type { LedgerEntry } from '../../domain/credits.ts';
import type { RealPersonAudit } from '../../domain/realPerson.ts';
import type { GenerationChange, GenerationStore, JobStore } from './generations.ts';
import type { ErasureStore } from './upkeep.ts';
import type { UploadStore } from './media.ts';

/**
 * A write met a generation that has changed since it was read: its lease went to another process, or it
 * has ended. Who catches it leaves the generation to that process.
 */
export class StaleWrite extends Error {
  /** @param generationIds The generation, or the ones among which it is, as text. */
  constructor(generationIds: string) {
    super(`generation ${generationIds} has changed since it was read`);
  }
}

/**
 * A unique value is taken: an idempotency scope, an e-mail address, a ledger number. Use cases catch it
 * by `index` to find what was stored first, or to refuse.
 */
export class DuplicateValue extends Error {
  readonly index: string;
  constructor(index: string) {
    super(`a value of ${index} is taken`);
    this.index = index;
  }
}

/**
 * The database cannot be reached or does not answer in time, as found by our own checks; most such
 * errors come from the driver. `Database.isTrouble` recognises both.
 */
export class DatabaseUnavailable extends Error {}

/** There is no account with this id. `createGeneration` catches it and refuses the key. */
export class NoSuchAccount extends Error {
  constructor(accountId: string) {
    super(`there is no account ${accountId}`);
  }
}

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

/** The writes that a decision about an account asks for: all in one transaction, or none. */
export interface AccountDecision<T> {
  /** The account afterwards; the same object that was given when nothing of it changes. */
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
 * @throws StaleWrite or DuplicateValue when the decision's own writes fail so; nothing is written then.
 * @throws NoSuchAccount; trouble with the database (`Database.isTrouble`) when the time is over or too many
 * decisions wait: whether it was written is unknown then.
 */
export type ChangeAccount = <T>(
  accountId: string,
  decide: DecideAccount<T>,
  withinMs?: number,
) => Promise<T>;

/** The database. Its stores throw what the driver throws, and the errors of this file for their own rules. */
export interface Database {
  accounts: AccountStore;
  generations: GenerationStore;
  ledger: LedgerStore;
  jobs: JobStore;
  realPersonAudit: RealPersonAuditStore;
  formerKeys: FormerKeyStore;
  erasures: ErasureStore;
  uploads: UploadStore;
  changeAccount: ChangeAccount;
  /**
   * Whether an error of any store says that the database cannot be reached or does not answer in time: a
   * request is answered 503, and work may be tried again.
   */
  isTrouble: (error: unknown) => boolean;
}

/** A key, as the only one in `keys`, with the limits of its account. */
export type KeyHolder = Pick<Account, 'id' | 'limits' | 'keys'>;

/** Accounts, each with its wallet and keys in one document. */
export interface AccountStore {
  find(accountId: string): Promise<Account | null>;
  /** The key with one of these hashes, and its account without lots and other keys. */
  findByKeyHash(hashes: readonly string[]): Promise<KeyHolder | null>;
  findByKeyId(keyId: string): Promise<Account | null>;
  findByEmail(email: string): Promise<Account | null>;
  /** The id alone: the answer is as small with an account as without one, however large the account is. */
  findIdByEmail(email: string): Promise<string | null>;
  /** @throws DuplicateValue when the e-mail address is taken. */
  insert(account: Account): Promise<void>;
}

/** Revoked keys that have left their account, so that its document stays small: their names and hashes. */
export interface FormerKeyStore {
  /** Keeps keys that are about to leave their account; a second time does no harm. */
  keep(accountId: string, keys: readonly ApiKey[]): Promise<void>;
  /** Their names, by id. */
  names(accountId: string, keyIds: readonly string[]): Promise<Map<string, string>>;
  /** Whether one of them had this hash: such a key is never made again. */
  hasHash(hash: string): Promise<boolean>;
}

/** The append-only ledger. */
export interface LedgerStore {
  /** The grant or adjustment that was made under this reference. */
  findByReference(reference: string): Promise<LedgerEntry | null>;
  /** The oldest entries behind number `after`, at most `limit`; 0 begins with the first. */
  oldest(accountId: string, after: number, limit: number): Promise<LedgerEntry[]>;
  find(accountId: string): Promise<LedgerEntry[]>;
  /** The newest entries, those before number `before` where it is given. */
  newest(accountId: string, before: number | null, limit: number): Promise<LedgerEntry[]>;
}

/** Audit records of real-person mode, one for each accepted use; a unit of work inserts them. */
export interface RealPersonAuditStore {
  /** Adds the SHA-256 of the inputs, in their order, once they have been taken over. */
  noteInputs(generationId: string, hashes: readonly string[]): Promise<void>;
  /** Those made since a moment (ms since the epoch), the oldest first. */
  since(sinceMs: number): AsyncIterable<RealPersonAudit>;
}

/** Unfinished generations of one step and model, by how long ago they were created. */
export interface OpenFigure {
  step: Generation['step'];
  status: Generation['status'];
  model: string;
  count: number;
  /** Creation of the oldest. */
  oldestAt: number;
  oldestId: string;
  /** Counts up to 1 minute, 10 minutes, 1 hour, and beyond. */
  ages: [number, number, number, number];
}

/** What is unfinished. Times in ms since the epoch. */
export interface OpenFigures {
  readAt: number;
  /** The longest unfinished first. */
  open: OpenFigure[];
  /** Jobs of generations that are due and that no worker has taken, counted up to 10,000. */
  jobsDue: number;
  /** How long the longest due of them has waited, in ms; 0 without one. */
  jobLagMs: number;
  /** Submissions of unknown outcome that are not resolved, counted up to 1,000. */
  unresolved: number;
  /** Generations with providers now, by provider. */
  withProviders: Map<string, number>;
}

/** A generation that ended lately. */
export interface EndedFigure {
  model: string;
  /** `provider model` of the last attempt; null when none was made. */
  route: string | null;
  status: 'completed' | 'failed';
  /** From creation to end. */
  seconds: number;
}

/** What has ended lately. */
export interface EndFigures {
  /** The newest ends of the last day, at most some thousands. */
  ended: EndedFigure[];
  /** Ends of the last hour by minute, the oldest first. */
  minutes: { completed: number; failed: number }[];
  /** Since midnight (UTC). */
  refundsToday: { count: number; credits: number };
}

/** Reads what is unfinished, within 5 s for each query. */
export type FindOpenFigures = () => Promise<OpenFigures>;

/** Reads what has ended lately, within 5 s for each query. */
export type FindEndFigures = () => Promise<EndFigures>;

/** Sums of credits over all accounts. */
export interface CreditTotals {
  /** What can still be spent or will expire: what the ledger sums up to. */
  available: number;
  inFlight: number;
}

/** Sums the accounts' credits; reads every account, so call it once a minute at most. */
export type FindCreditTotals = () => Promise<CreditTotals>;
