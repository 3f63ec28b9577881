import type { Generation, StoredReplay } from '../../domain/generation.ts';
import type { SizeParameters } from '../../domain/usualDuration.ts';

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

/** What a generation took from the provider's getting it to the end, and of what size it was. */
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
   */
  claimDue(
    limits: ReadonlyMap<string, number>,
    others: { known: readonly string[]; limit: number },
    leaseMs: number,
  ): Promise<Generation[]>;
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
  putOff(looked: readonly { generation: Generation; dueAt: number }[]): Promise<void>;
  /** Moves from one step to another where no process holds its lease. False when it is elsewhere by now. */
  move(generationId: string, from: Generation['step'], change: GenerationChange): Promise<boolean>;
  /** Ids of an account's waiting generations, oldest first. */
  findWaiting(accountId: string, limit: number): Promise<string[]>;
  /**
   * The oldest parked generation that waits for a provider, of the first account whose id comes after
   * `afterAccount`, and from the first account on when there is none: called in turn with the account
   * that it named last, it goes round all accounts.
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
  /** An account's newest, of both channels, older than `before` (an id) where it is given. */
  history(accountId: string, before: string | null, limit: number): Promise<HistoryItem[]>;
  /** What the last completed ones of a model took, the newest first. */
  recentDurations(modelId: string, sinceMs: number, limit: number): Promise<RecentDuration[]>;
}
