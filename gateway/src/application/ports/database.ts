import type { Account } from '../../domain/accounts/account.ts';
import type { EventFact } from '../../domain/accounts/accountEvent.ts';
import type { ApiKey } from '../../domain/accounts/apiKey.ts';
import type { ErasedPerson } from '../../domain/accounts/erasure.ts';
import type { LedgerEntry } from '../../domain/credits/ledgerChain.ts';
import type { Generation } from '../../domain/generations/generation.ts';
import type { RealPersonAudit } from '../../domain/generations/realPerson.ts';
import type { GenerationStep } from '../../domain/generations/work.ts';
import type { AccessEnd } from '../../domain/signIn/accessEnds.ts';
import type { TeamLogEntry } from '../../domain/teams/teamLog.ts';
import type { ErasedSearchStore, ErasureStore } from './erasure.ts';
import type { GenerationChange, GenerationStore } from './generations.ts';
import type { JobStore } from './jobs.ts';
import type { LedgerStore } from './ledger.ts';
import type { QueuedMail } from './mails.ts';
import type { UploadStore } from './media.ts';
import type { OperatorRecords } from './operator.ts';
import type { TaskStore } from './providerTasks.ts';

/**
 * A write hit a generation that changed after it was read: another process holds its lease, or it has ended.
 * Callers that catch this leave the generation to that process.
 */
export class StaleWriteError extends Error {
  override readonly name = 'StaleWriteError';
  /** @param generationIds Text with the generation or the candidates. */
  constructor(generationIds: string) {
    super(`generation ${generationIds} has changed since it was read`);
  }
}

/**
 * A unique value is taken: an idempotency scope, an email address, a ledger number. Use cases check `index` and find
 * the stored document or refuse.
 */
export class DuplicateValueError extends Error {
  override readonly name = 'DuplicateValueError';
  readonly index: string;
  constructor(index: string) {
    super(`a value of ${index} is taken`);
    this.index = index;
  }
}

/**
 * The database is unreachable or too slow, as detected by our own checks; most such errors come from the driver.
 * `Database.isTrouble` recognises both.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name: string = 'DatabaseUnavailableError';
}

/** No account has this id. `createGeneration` catches it and refuses the key. */
export class NoSuchAccountError extends Error {
  override readonly name = 'NoSuchAccountError';
  constructor(accountId: string) {
    super(`there is no account ${accountId}`);
  }
}

/** The end of an unfinished generation, under its lease unless `mustBeUnheld` is set. */
export interface GenerationEnd {
  generation: Generation;
  change: GenerationChange;
  /** Requires the database's own clock to be past the deadline. */
  mustBePastDeadline?: boolean | undefined;
  /** For an end without a lease: requires the step as it was read, with no process holding the generation. */
  mustBeUnheld?: boolean | undefined;
}

/** A generation's move between steps while no process holds its lease. */
export interface GenerationMove {
  generationId: string;
  from: GenerationStep;
  change: GenerationChange;
}

/** An act that ends access. */
export interface EndOfAccess {
  by: AccessEnd;
  /** The session that acts, which stays. */
  keptSessionId?: string | undefined;
  /** The one passkey that is gone; all of them if absent. */
  passkeyId?: string | undefined;
  /** The passkey that has just replaced the others, which stays. */
  keptPasskeyId?: string | undefined;
}

/** The writes of a decision about an account, in one transaction. */
export interface AccountDecision<T> {
  /** The account afterwards; the same object for no change. */
  after: Account;
  /** The caller's result after all writes. */
  result: T;
  /** Decisions that this one builds on, written with it or not at all. */
  earlier?: readonly AccountDecision<unknown>[];
  /** Database time in ms before which the transaction must commit: a spent lot expires then. */
  spendsBefore?: number | undefined;
  /** A new generation. */
  insert?: Generation;
  /** The audit record of `insert`'s use of real-person mode. */
  audit?: RealPersonAudit | undefined;
  end?: GenerationEnd;
  moves?: readonly GenerationMove[];
  entry?: LedgerEntry | undefined;
  job?: { generationId: string; runAt: number };
  /** The act by which access ends. Access stored outside the account is removed in the same transaction. */
  ends?: EndOfAccess;
  /** Notes an erasure, due immediately; null to continue that of a person already erased. */
  erases?: ErasedPerson | null;
  /** Entries of the account's log, added by `withEvents`. */
  log?: readonly TeamLogEntry[];
  mails?: readonly QueuedMail[] | undefined;
  /** The change's events for the operator API, added by `withEvents`. */
  events?: readonly { fact: EventFact; at: number }[];
  /** The records of an operator's write. */
  records?: OperatorRecords;
}

/** Decides about the current account. May be called again with a newer one. */
export type DecideAccount<T> = (
  account: Account,
) => AccountDecision<T> | Promise<AccountDecision<T>>;

/**
 * Changes one account and its related documents. Decisions waiting for the same account run one after the other, each
 * on the result of the previous one, and are written together; a decision that throws refuses only itself. If another
 * process has changed the account, they are retried with jittered back-off until `withinMs` has passed.
 * @param withinMs How long to retry, in ms: short for a request, minutes for a finished result.
 * @returns The decision's result, once a majority has it.
 * @throws StaleWriteError or DuplicateValueError from the decision's own writes; nothing is written then.
 * @throws NoSuchAccountError; trouble with the database (`Database.isTrouble`) if the time has passed or too many
 * decisions wait: it is then unknown whether the change was written.
 */
export type ChangeAccount = <T>(
  accountId: string,
  decide: DecideAccount<T>,
  withinMs?: number,
) => Promise<T>;

/** The database. Its stores throw the driver's errors, and the errors of this file for their own rules. */
export interface Database {
  accounts: AccountStore;
  generations: GenerationStore;
  ledger: LedgerStore;
  jobs: JobStore;
  realPersonAudit: RealPersonAuditStore;
  formerKeys: FormerKeyStore;
  erasures: ErasureStore;
  erasedSearch: ErasedSearchStore;
  uploads: UploadStore;
  tasks: TaskStore;
  changeAccount: ChangeAccount;
  /**
   * Whether an error of any store means that the database is unreachable or too slow: requests are then answered with
   * 503, and work may be retried.
   */
  isTrouble: (error: unknown) => boolean;
}

/** A key, alone in `keys`, with its account's limits and people. */
export type KeyHolder = Pick<
  Account,
  'id' | 'group' | 'limits' | 'keys' | 'members' | 'teamNeedsFactor'
>;

/** Accounts, each with its wallet and keys in one document. */
export interface AccountStore {
  find(accountId: string): Promise<Account | null>;
  /** The key with one of these hashes, and its account without lots and other keys. */
  findByKeyHash(hashes: readonly string[]): Promise<KeyHolder | null>;
  findByKeyId(keyId: string): Promise<Account | null>;
  findByEmail(email: string): Promise<Account | null>;
  /** Finds only the id, so the response is equally small with and without an account. */
  findIdByEmail(email: string): Promise<string | null>;
  /** Addresses, names, states, members and recoveries of the existing accounts among these, by id. */
  findPeople(
    accountIds: readonly string[],
  ): Promise<
    Pick<
      Account,
      'id' | 'email' | 'status' | 'isStoppedToErase' | 'members' | 'recovery' | 'teamName'
    >[]
  >;
  /** Ids of at most a hundred accounts that have invited an address. */
  findInviting(email: string): Promise<string[]>;
  findByExternalId(externalId: string): Promise<Account | null>;
  /** The account linked to a person at a sign-in provider. */
  findByIdentity(issuer: string, subject: string): Promise<Account | null>;
  /**
   * @param records Written in the same transaction.
   * @throws DuplicateValueError if the email address, the external id or an identity is taken.
   */
  insert(account: Account, records?: OperatorRecords): Promise<void>;
}

/** Names and hashes of revoked keys that were removed from their account to keep its document small. */
export interface FormerKeyStore {
  /** Archives keys before they leave their account; safe to repeat. */
  keep(accountId: string, keys: readonly ApiKey[]): Promise<void>;
  /** Key names by id. */
  findNames(accountId: string, keyIds: readonly string[]): Promise<Map<string, string>>;
  /** Whether a former key had this hash: such a key must not be created again. */
  hasHash(hash: string): Promise<boolean>;
}

/** Audit records of real-person mode, one per accepted use, inserted with its generation. */
export interface RealPersonAuditStore {
  /** Adds the SHA-256 of the inputs, in order, once they are copied. */
  recordInputs(generationId: string, hashes: readonly string[]): Promise<void>;
  /** Records made since a time (ms since the epoch), oldest first. */
  listSince(sinceMs: number): AsyncIterable<RealPersonAudit>;
}
