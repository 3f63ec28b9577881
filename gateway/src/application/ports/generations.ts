import type { Attempt, Generation, StoredReplay } from '../../domain/generation.ts';
import type { SizeParameters } from '../../domain/pollHint.ts';

/** What a customer's record is presented from. */
export type GenerationView = Pick<
  Generation,
  | 'id'
  | 'accountId'
  | 'type'
  | 'model'
  | 'status'
  | 'createdAt'
  | 'startedAt'
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

/** What a history is narrowed down to; what is left out is not. */
export interface HistoryFilter {
  status?: Generation['status'];
  model?: string;
  channel?: Generation['channel'];
  keyId?: string;
  /** Created from then on, in ms since the epoch. */
  from?: number;
  /** Created before then, in ms since the epoch. */
  until?: number;
  /** All of them stand in the prompt, in any case. */
  words?: readonly string[];
}

/** A page of a history that is narrowed down. */
export interface HistoryPage {
  items: HistoryItem[];
  /** Where the next page begins, an id; null at the end. A page may be short, or empty, before that. */
  older: string | null;
}

/** What tells a generation apart in a list of something else. */
export type GenerationLabel = Pick<Generation, 'id' | 'model' | 'prompt' | 'channel' | 'keyId'>;

/** Credits that an account's generations of one day (UTC), model and key have cost; refunded ones cost nothing. */
export interface Spending {
  /** The day's first moment, in ms since the epoch. */
  day: number;
  model: string;
  /** Null: the account site. */
  keyId: string | null;
  credits: number;
  /** Generations, refunded ones among them. */
  count: number;
}

/** How long a generation took from its submission to its end, and its size. */
export interface RecentDuration {
  seconds: number;
  parameters: SizeParameters;
}

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
    | 'place'
    | 'routePlace'
    | 'waitsFor'
    | 'inputTakeOvers'
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
  find(generationId: string): Promise<Generation | null>;
  /** Majority read from the primary; requests of one moment share a query. */
  view(generationId: string): Promise<GenerationView | null>;
  /** The first answer under an idempotency scope; requests of one moment share a query. */
  findReplay(scope: string): Promise<StoredReplay | null>;
  /** Frees an idempotency scope whose answer has been kept long enough; its generation stays. */
  releaseReplay(scope: string): Promise<void>;
  /** Takes the lease if no process holds it and the generation is unfinished; null otherwise. */
  claim(generationId: string, leaseMs: number): Promise<Generation | null>;
  /**
   * Leases submitted generations that are due, the longest due of each provider first.
   * @param limits How many of each provider at most; none of one that is not named.
   * @param others How many of all providers together that are in no list of `known`.
   * @returns those leased, and how many were found due of each provider (null: of the others). Another
   *   process may have leased some of these first.
   */
  claimDue(
    limits: ReadonlyMap<string, number>,
    others: { known: readonly string[]; limit: number },
    leaseMs: number,
  ): Promise<{ leased: Generation[]; found: ReadonlyMap<string | null, number> }>;
  /**
   * Prolongs a lease; false when it was lost, or when the generation's deadline was `graceMs` ago: from
   * then on another process may end it.
   */
  extendLease(generation: Generation, leaseMs: number, graceMs: number): Promise<boolean>;
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
  putOff(polled: readonly { generation: Generation; dueAt: number }[]): Promise<void>;
  /** Moves from one step to another where no process holds its lease. False when it is elsewhere by now. */
  move(generationId: string, from: Generation['step'], change: GenerationChange): Promise<boolean>;
  /** Ids of an account's waiting generations, oldest first. */
  findWaiting(accountId: string, limit: number): Promise<string[]>;
  /**
   * The oldest parked generation that waits for a provider, of the first account whose id comes after
   * `afterAccount`, or of the first account when there is none: called repeatedly with the account
   * of its last result, it visits all accounts in turn.
   */
  nextParked(
    provider: string,
    afterAccount: string,
  ): Promise<{ id: string; accountId: string } | null>;
  /** Parked generations whose `waitsFor` was decided before `checkedBefore` or never, the oldest first. */
  findParkedCheckedBefore(checkedBefore: number, limit: number): Promise<Generation[]>;
  /** Writes what parked generations wait for; those that have left their place are passed over. */
  noteWaitsFor(
    checked: readonly { id: string; waitsFor: NonNullable<Generation['waitsFor']> }[],
  ): Promise<void>;
  /** Notes in an attempt what its provider said when it was asked to cancel the job; also behind the end. */
  noteCancel(
    generationId: string,
    attemptNumber: number,
    cancel: NonNullable<Attempt['cancel']>,
  ): Promise<void>;
  /**
   * Notes in an attempt why its paid work was lost, and the provider's handle where none is stored; also behind
   * the end, of which it changes nothing.
   */
  noteLost(
    generationId: string,
    attempt: Pick<Attempt, 'number' | 'operation' | 'operationShown' | 'lost'>,
  ): Promise<void>;
  /** An account's newest, of both channels, older than `before` (an id) where it is given. */
  history(accountId: string, before: string | null, limit: number): Promise<HistoryItem[]>;
  /**
   * The account's newest that fit, older than `before` (an id) where it is given. Looks at a bounded number
   * of generations for each page, whatever fits.
   */
  searchHistory(
    accountId: string,
    filter: HistoryFilter,
    before: string | null,
    limit: number,
  ): Promise<HistoryPage>;
  /** Labels of an account's generations; those that are not there are passed over. */
  labels(accountId: string, ids: readonly string[]): Promise<GenerationLabel[]>;
  /** What the account's newest generations since a time have cost, `limit` of them at most. */
  spending(accountId: string, sinceMs: number, limit: number): Promise<Spending[]>;
  /** What the last completed ones of a model took, the newest first. */
  recentDurations(modelId: string, sinceMs: number, limit: number): Promise<RecentDuration[]>;
}

/** One Agenda job for each unfinished generation; it only starts work on the generation. */
export interface JobStore {
  /**
   * Schedules the job for now, and once more when it is running already; makes it where it is lost. A job
   * that is due keeps its place in the queue.
   */
  wake(generationId: string): Promise<void>;
  /**
   * Schedules later jobs for now. Jobs that are due, that run, that are lost, or whose
   * last runs failed (they wait out their back-off) are left alone.
   * @returns how many were woken.
   */
  wakeSleeping(generationIds: readonly string[]): Promise<number>;
  /** Those of the generations that have no job. */
  findMissing(generationIds: readonly string[]): Promise<string[]>;
  /** Makes jobs; one that exists by now stays as it is. */
  insertMissing(lost: readonly { generationId: string; runAt: number }[]): Promise<void>;
  remove(generationId: string): Promise<void>;
}

/** When a generation's job is to run next. */
export interface NextRun {
  /** In ms since the epoch, database time; null: never, the generation has ended. */
  at: number | null;
  /** Nothing was done: another process holds the generation. */
  held: boolean;
}
