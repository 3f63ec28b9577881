import type { Readable } from 'node:stream';
import type { Account } from '../domain/account.ts';
import type { Breaker, BreakerRule, ProviderSign } from '../domain/breaker.ts';
import type {
  FailureCode,
  ImageParameters,
  InputRole,
  InputType,
  VideoParameters,
} from '@framegate/contract';
import type {
  Generation,
  GenerationInput,
  StoredInput,
  StoredReplay,
} from '../domain/generation.ts';
import type { IdPrefix } from '../domain/ids.ts';
import type { LedgerEntry } from '../domain/ledger.ts';
import type { UsualDuration } from '../domain/pollHint.ts';
import type { RealPersonAudit } from '../domain/realPersonAudit.ts';

/** Structured logging; a subset of pino's methods. Never hand it secrets, prompts or URLs. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Database time in ms since the epoch, kept from samples of the server's clock and a monotonic
 * counter, so that a wrong or stepping clock of this machine changes nothing (I7, I10).
 */
export interface Clock {
  now(): number;
  /** How far this machine's wall clock is from the database's, in ms (positive: ahead). */
  skewMs(): number;
}

/** The one source of chance. */
export interface Random {
  newId(prefix: IdPrefix): string;
  /** A seed for a generation whose caller gave none: 1 to 2^31-1. */
  seed(): number;
  /** 0 to below 1. */
  fraction(): number;
  bytes(count: number): Uint8Array;
}

/**
 * Steps at which a test may stop the process; in production nothing but the call. Named in the order
 * in which a generation meets them.
 */
export type FaultPoint =
  | 'create.beforeTransaction'
  | 'create.beforeAnswer'
  | 'submit.beforeProvider'
  | 'submit.afterProvider'
  | 'complete.afterStored'
  | 'settle.beforeTransaction'
  | 'settle.beforeJobRemoval'
  | 'poll.afterLook'
  | 'reconcile.beforeHealing';

/** Called at each labelled step. */
export type ReachFaultPoint = (point: FaultPoint) => void | Promise<void>;

/**
 * A write met a document that has changed since it was read: an account (read again and decide again)
 * or a generation (its lease went to somebody else, or it has ended: leave it alone).
 */
export class StaleWrite extends Error {
  readonly of: 'account' | 'generation';
  constructor(of: 'account' | 'generation', id: string) {
    super(`${of} ${id} has changed since it was read`);
    this.of = of;
  }
}

/** A unique value is taken: an idempotency scope, an e-mail address, a ledger number. */
export class DuplicateValue extends Error {
  readonly index: string;
  constructor(index: string) {
    super(`a value of ${index} is taken`);
    this.index = index;
  }
}

/** Accounts, each with its wallet and keys in one document. */
export interface AccountStore {
  find(accountId: string): Promise<Account | null>;
  /** The account that holds a key with one of these hashes. */
  findByKeyHash(hashes: readonly string[]): Promise<Account | null>;
  findByKeyId(keyId: string): Promise<Account | null>;
  findByEmail(email: string): Promise<Account | null>;
  /** @throws DuplicateValue when the e-mail address is taken. */
  insert(account: Account): Promise<void>;
  /**
   * Writes what differs from `before` if the account still is the version that was read.
   * @throws StaleWrite otherwise.
   */
  update(before: Account, after: Account): Promise<void>;
  /** Accounts that hold an expired lot with credits left, at most `limit` ids. */
  findWithExpiredLots(nowMs: number, limit: number): Promise<string[]>;
}

/** What a customer's record is presented from. */
export type GenerationView = Pick<
  Generation,
  | 'id'
  | 'accountId'
  | 'type'
  | 'model'
  | 'status'
  | 'createdAt'
  | 'endedAt'
  | 'parameters'
  | 'costCredits'
  | 'outputs'
  | 'outputsDeleteAt'
  | 'outputsDeletedAt'
  | 'failure'
>;

/** A line of an account's history. */
export type HistoryItem = GenerationView &
  Pick<Generation, 'channel' | 'keyId' | 'requestId' | 'mode' | 'prompt'>;

/** A part of a generation that a step writes. */
export type GenerationChange = Partial<
  Pick<
    Generation,
    | 'status'
    | 'step'
    | 'startedAt'
    | 'endedAt'
    | 'deadlineAt'
    | 'dueAt'
    | 'leaseUntil'
    | 'storedInputs'
    | 'attempts'
    | 'outputs'
    | 'outputsDeleteAt'
    | 'tidyAt'
    | 'failure'
    | 'timeline'
  >
>;

/** Generations. Every write on an unfinished one names the epoch of its lease and misses if it is older. */
export interface GenerationStore {
  /** @throws DuplicateValue when the idempotency scope is taken. */
  insert(generation: Generation): Promise<void>;
  find(generationId: string): Promise<Generation | null>;
  /** Majority read from the primary; requests of one moment share a query. */
  view(generationId: string): Promise<GenerationView | null>;
  /** The first answer under an idempotency scope; requests of one moment share a query. */
  findReplay(scope: string): Promise<StoredReplay | null>;
  /** Frees an idempotency scope whose answer has been kept long enough; its generation stays. */
  releaseReplay(scope: string): Promise<void>;
  /** Takes the lease if nobody holds it and the generation is unfinished; null otherwise. */
  claim(generationId: string, leaseMs: number): Promise<Generation | null>;
  /** Leases submitted generations that are due, the longest due first. */
  claimDue(limit: number, leaseMs: number): Promise<Generation[]>;
  /** Prolongs a lease; false when it was lost. */
  extendLease(generation: Generation, leaseMs: number): Promise<boolean>;
  /**
   * Writes under the lease of `generation`, and gives the lease back when the change says so.
   * @param onlyPastDeadline The database's own clock must be past the deadline.
   * @throws StaleWrite when the lease was lost, the generation has ended, or it is too early.
   */
  update(
    generation: Generation,
    change: GenerationChange,
    onlyPastDeadline?: boolean,
  ): Promise<void>;
  /** Puts off several submitted generations at once under their leases; lost leases are passed over. */
  putOff(looked: readonly { generation: Generation; dueAt: number }[]): Promise<void>;
  /** Moves from one step to another where nobody holds a lease. False when it is elsewhere by now. */
  move(generationId: string, from: Generation['step'], change: GenerationChange): Promise<boolean>;
  /** Ids of an account's waiting generations, oldest first. */
  findWaiting(accountId: string, limit: number): Promise<string[]>;
  /** Parked generations, oldest first, with their accounts. */
  findParked(limit: number): Promise<{ id: string; accountId: string; model: string }[]>;
  /** How many generations are with a provider now, by provider. */
  countWithProviders(): Promise<Map<string, number>>;
  /** How many generations each of these accounts has with providers. */
  countWithProvidersByAccount(accountIds: readonly string[]): Promise<Map<string, number>>;
  /** Unfinished ones due since before `dueBefore` (at the latest their deadline) and held by nobody. */
  findNeglected(nowMs: number, dueBefore: number, limit: number): Promise<string[]>;
  /** Accounts that have waiting generations although they have room to run. */
  findStarvedAccounts(limit: number): Promise<string[]>;
  /** Unfinished generations without a job, created before `nowMs`. */
  findWithoutJob(nowMs: number, limit: number): Promise<{ id: string; deadlineAt: number }[]>;
  /** Ended ones of which something is to be removed by now. */
  findToTidy(nowMs: number, limit: number): Promise<Generation[]>;
  /** Notes what was removed, and when to come again (null: never). */
  markTidied(
    generationId: string,
    change: Partial<
      Pick<Generation, 'storedInputs' | 'inputs' | 'prompt' | 'outputsDeletedAt' | 'replay'>
    > &
      Pick<Generation, 'tidyAt'>,
  ): Promise<void>;
  /** An account's newest, of both channels, older than `before` (an id) where it is given. */
  history(accountId: string, before: string | null, limit: number): Promise<HistoryItem[]>;
  /** Seconds from creation to completion of late completions, by model. */
  recentDurations(sinceMs: number, limit: number): Promise<Map<string, number[]>>;
}

/** The append-only ledger. */
export interface LedgerStore {
  /** @throws DuplicateValue when the number is taken, or the generation was charged or refunded already. */
  append(entry: LedgerEntry): Promise<void>;
  find(accountId: string): Promise<LedgerEntry[]>;
  /** The newest entries, those before number `before` where it is given. */
  newest(accountId: string, before: number | null, limit: number): Promise<LedgerEntry[]>;
}

/** One Agenda job for each unfinished generation; it only wakes somebody up. */
export interface JobStore {
  /** Makes the generation's job. */
  insert(generationId: string, runAt: number): Promise<void>;
  /** Has the generation looked at now; makes its job where it is lost. */
  wake(generationId: string): Promise<void>;
  remove(generationId: string): Promise<void>;
}

/** The stores, seen outside or inside one transaction. */
export interface Stores {
  accounts: AccountStore;
  generations: GenerationStore;
  ledger: LedgerStore;
  jobs: JobStore;
}

/** An account's next version. */
export interface AccountChange {
  before: Account;
  after: Account;
  /** When set, database time must still be before it: a lot that is spent expires then. */
  spendsBefore?: number | undefined;
}

/** A change of an unfinished generation under its lease. */
export interface GenerationEnd {
  generation: Generation;
  change: GenerationChange;
  /** The database's own clock must be past the deadline. */
  onlyPastDeadline?: boolean | undefined;
}

/** Audit records of real-person mode, one for each accepted use; a unit of work inserts them. */
export interface RealPersonAuditStore {
  /** Adds the SHA-256 of the inputs, in their order, once they have been taken over. */
  noteInputs(generationId: string, hashes: readonly string[]): Promise<void>;
  /** Those made since a moment (ms since the epoch), the oldest first. */
  since(sinceMs: number): AsyncIterable<RealPersonAudit>;
}

/** Writes that happen together or not at all. */
export interface UnitOfWork {
  insert?: Generation;
  /** The use of real-person mode that `insert` makes. */
  audit?: RealPersonAudit | undefined;
  end?: GenerationEnd;
  account: AccountChange;
  entry?: LedgerEntry | undefined;
  job?: { generationId: string; runAt: number };
}

/** The database. It answers `DatabaseUnavailable` when it cannot be reached. */
export interface Database extends Stores {
  realPersonAudit: RealPersonAuditStore;
  /**
   * Runs `work` in one majority transaction with stores bound to it; it may run more than once, so it
   * has no side effects of its own. Unknown commit results are resolved before it returns.
   */
  transaction<T>(work: (stores: Stores) => Promise<T>): Promise<T>;
  /**
   * Commits a unit of work with majority; units of one moment share a transaction. Passing conflicts and
   * unknown commit results are resolved before it answers.
   * @throws StaleWrite or DuplicateValue when the unit's own writes meet such; nothing is written then.
   */
  commit(unit: UnitOfWork): Promise<void>;
}

/** The database cannot be reached or does not answer in time: 503, try again with the same key. */
export class DatabaseUnavailable extends Error {}

/** A file in the media store. `etag` is opaque and differs whenever the bytes may differ. */
export interface StoredFile {
  bytes: number;
  contentType: string;
  etag: string;
}

/**
 * Files of inputs and outputs. Keys look like `outputs/gen_…/0.mp4`; another form is a bug and throws.
 * A file is there as a whole or not at all, and once `put` has answered it outlives a crash.
 */
export interface MediaStore {
  /**
   * Writes a file, in place of one under the same key.
   * @throws TransferFailure `too_large` beyond `maxBytes`; whatever `data` or `signal` throws. Nothing is
   * left behind then, and an earlier file stays.
   */
  put(
    key: string,
    data: AsyncIterable<Uint8Array> | Uint8Array,
    options: { contentType: string; maxBytes: number; signal?: AbortSignal },
  ): Promise<{ bytes: number; sha256: string }>;
  /**
   * Opens a file, or its bytes from `start` to `end`, both included; `bytes` is the size of the whole.
   * The caller reads the stream to its end or destroys it. Null when there is none.
   */
  open(
    key: string,
    range?: { start: number; end: number },
  ): Promise<(StoredFile & { stream: Readable }) | null>;
  stat(key: string): Promise<StoredFile | null>;
  /** Deletes a file; it is no error when there is none. */
  delete(key: string): Promise<void>;
}

/**
 * A transfer ended without its file: the host could not be reached, answered something else or stopped
 * half-way (`unreachable`), or sent more than was allowed (`too_large`). The message is for logs only.
 */
export class TransferFailure extends Error {
  readonly kind: 'unreachable' | 'too_large';
  constructor(kind: 'unreachable' | 'too_large', message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * Fetches a URL that a customer gave, through the guarded client: public addresses only, no redirects,
 * status 200 only, within its time. The stream may fail with TransferFailure, too.
 * @throws TransferFailure; the signal's reason when it is aborted.
 */
export type FetchUrl = (
  url: string,
  options: { maxBytes: number; signal: AbortSignal },
) => Promise<Readable>;

/** What taking the inputs over came to; `reason` is for staff. */
export type InputsTaken =
  | { stored: StoredInput[] }
  | { failed: { code: 'input_unreachable' | 'input_invalid'; param: string; reason: string } };

/** Takes a generation's inputs into the store: customers' URLs through the guarded client. */
export type TakeInputs = (
  generationId: string,
  inputs: readonly (GenerationInput & { storeKey: string | null })[],
  signal: AbortSignal,
) => Promise<InputsTaken>;

/** A file as a provider hands it over. */
export interface ProviderOutput {
  mediaType: string;
  /** Opens it; may be called again after a failure. */
  read(signal: AbortSignal): Promise<Uint8Array | AsyncIterable<Uint8Array>>;
}

/** A provider's file is not what was asked for, or damaged. The message is for staff. */
export class InvalidOutput extends Error {}

/**
 * Checks, cleans, marks and stores one output file.
 * @throws InvalidOutput when it is not what was asked for; TransferFailure when it is too large; whatever
 * reading it throws.
 */
export type StoreOutput = (
  key: string,
  output: ProviderOutput,
  wanted: { type: 'video' | 'image'; format: string },
  signal: AbortSignal,
) => Promise<{ mediaType: string; bytes: number; sha256: string }>;

/** What a provider is asked for. */
export interface ProviderRequest {
  /** Our reference. */
  generationId: string;
  type: 'video' | 'image';
  mode: string | null;
  prompt: string;
  inputs: readonly ProviderInput[];
  parameters: VideoParameters | ImageParameters;
}

/** An input in the store, as bytes or as a short-lived URL of ours; never the customer's URL. */
export interface ProviderInput {
  type: InputType;
  role: InputRole;
  mediaType: string;
  read(): Promise<Uint8Array>;
  url(): string;
}

/** A provider's definite or missing word on a submission. `note` is for staff only. */
export type Submission =
  | { kind: 'accepted'; operation: unknown }
  | { kind: 'completed'; outputs: ProviderOutput[] }
  /**
   * It has taken the work but will not deliver all that is paid for: an option was lost on the way. The
   * generation ends failed; `operation` is for staff.
   */
  | { kind: 'undelivered'; operation: unknown; note: string }
  /**
   * Definitely not accepted. With a `code` the generation ends so; without one the next route is tried.
   * `busy`: the same may be accepted later. `sign`: what this says about the provider itself; absent
   * where it is about the request alone.
   */
  | { kind: 'refused'; code: FailureCode | null; busy: boolean; note: string; sign?: ProviderSign }
  | { kind: 'unknown'; note: string };

/** What a look at an accepted submission says. A `fault` is no verdict: look again later. */
export type Look =
  | { kind: 'pending' }
  | { kind: 'completed'; outputs: ProviderOutput[] }
  | { kind: 'failed'; code: FailureCode; note: string }
  | { kind: 'fault'; note: string };

/** One way to have a model's work done: a provider and its own model id. */
export interface Route {
  provider: string;
  /** The provider's own model id. Staff only. */
  model: string;
  /** Generations that may be with this provider at once. */
  maxConcurrent: number;
  /** How often it goes before its neighbours with a weight; null: it has a place of its own. */
  weight: number | null;
  /** Whether a submission of unknown outcome may be repeated. */
  safeToRepeat: boolean;
  /** Whether it covers the whole request. */
  covers(
    request: Omit<ProviderRequest, 'inputs' | 'generationId' | 'prompt'> & {
      inputs: readonly Pick<ProviderInput, 'type' | 'role'>[];
    },
  ): boolean;
  /** Submits; for image models the whole work. Never throws but when aborted. */
  submit(request: ProviderRequest, signal: AbortSignal): Promise<Submission>;
  /** Asks how far it is. Never throws but when aborted. */
  look(operation: unknown, request: ProviderRequest, signal: AbortSignal): Promise<Look>;
}

/** The operator's routes. */
export interface Routes {
  /** In the operator's order; empty when the model has none. */
  of(modelId: string): readonly Route[];
  /** The route that an attempt used, while the operator still has it. */
  find(provider: string, model: string): Route | undefined;
}

/**
 * How providers are doing, over all processes: one small document for each, which workers write and
 * everyone reads every few seconds (design section 3).
 */
export interface BreakerStore {
  /** As it was a few seconds ago at most; kept in memory. */
  of(provider: string): Breaker;
  /**
   * Applies a rule to the newest state. It may run more than once; null changes nothing.
   * @returns the state after it; null when nothing was changed.
   */
  change(provider: string, rule: BreakerRule): Promise<Breaker | null>;
}

/** What models have taken lately; kept in memory, made by workers. */
export interface DurationStats {
  usual(modelId: string): UsualDuration;
}

/** Passwords of people; only their argon2id hashes are stored. */
export interface Passwords {
  hash(password: string): Promise<string>;
  verify(passwordHash: string, password: string): Promise<boolean>;
}
