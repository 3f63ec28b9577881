import type { Status } from '@framegate/contract';
import type { Attempt } from '../../domain/generations/attempt.ts';
import type { GenerationFiles } from '../../domain/generations/files.ts';
import type { Generation, PolledGeneration } from '../../domain/generations/generation.ts';
import type {
  Channel,
  GenerationOrder,
  GenerationRef,
  NetPrice,
  OrderedResult,
  Orderer,
  StoredReplay,
} from '../../domain/generations/order.ts';
import type {
  GenerationRemovalTimes,
  OutputRemovalTimes,
} from '../../domain/generations/removalTimes.ts';
import type { ProviderSlots, WaitsFor } from '../../domain/generations/slots.ts';
import type { SizeParameters } from '../../domain/generations/usualDurations.ts';
import type { WallMarks } from '../../domain/generations/wall.ts';
import type {
  GenerationMoments,
  GenerationStatus,
  GenerationStep,
  GenerationWork,
  Schedule,
} from '../../domain/generations/work.ts';

/** The fields from which a customer's record is built. */
export interface GenerationView
  extends
    GenerationRef,
    OrderedResult,
    NetPrice,
    GenerationMoments,
    GenerationStatus,
    OutputRemovalTimes,
    Pick<GenerationFiles, 'outputs'> {}

/** A line of an account's history. */
export interface HistoryItem
  extends
    GenerationView,
    Orderer,
    Pick<GenerationOrder, 'requestId' | 'mode' | 'prompt'>,
    Pick<WallMarks, 'isFavourite'> {}

/** Filters of a history; absent ones do not apply. */
export interface HistoryFilter {
  status?: Status;
  model?: string;
  channel?: Channel;
  keyId?: string;
  /** The personal account of the site user who made it. */
  madeBy?: string;
  /** Earliest creation time, in ms since the epoch. */
  from?: number;
  /** Exclusive end of creation times, in ms since the epoch. */
  until?: number;
  /** Words that the prompt must contain, ignoring case. */
  words?: readonly string[];
  /** Favourites only. */
  isFavourite?: boolean;
  /** Id of a collection of the account. */
  collectionId?: string;
}

/** A page of an account's history. */
export interface HistoryPage {
  items: HistoryItem[];
  /** Id where the next page begins; null at the end. A page with a successor may be short or empty. */
  older: string | null;
}

/** Identifies a generation in other lists. */
export interface GenerationLabel
  extends
    Orderer,
    Pick<GenerationOrder, 'id' | 'model' | 'prompt'>,
    Pick<GenerationMoments, 'endedAt'> {}

/** Credits spent by an account's generations of one UTC day, model and key, net of refunds. */
export interface Spending {
  /** Start of the day, in ms since the epoch. */
  day: number;
  model: string;
  /** Null for the account site. */
  keyId: string | null;
  credits: number;
  /** Generations, including refunded ones. */
  count: number;
}

/** A generation's size, and its duration from submission to end. */
export interface RecentDuration {
  seconds: number;
  parameters: SizeParameters;
}

/** A recent duration with its route, as the key of the route's breaker. */
export interface RouteDuration extends RecentDuration {
  route: string;
}

/** The fields of a generation that a step may write. */
export type GenerationChange = Partial<
  Omit<GenerationWork, 'createdAt' | 'epoch'> &
    ProviderSlots &
    GenerationFiles &
    Pick<GenerationRemovalTimes, 'outputsRemoveAt' | 'tidyAt'> &
    Pick<NetPrice, 'refundedCredits'>
>;

/**
 * Generations. Every write to an unfinished one names the epoch of its lease and matches nothing if that is outdated.
 * Name the account if it is known: a sharded database then asks one shard, and no other account's generation is found.
 */
export interface GenerationStore {
  find(generationId: string, accountId?: string): Promise<Generation | null>;
  /** Majority read from the primary; simultaneous requests share a query. */
  findView(generationId: string, accountId?: string): Promise<GenerationView | null>;
  /** The first response in an idempotency scope; simultaneous requests share a query. */
  findReplay(scope: string): Promise<StoredReplay | null>;
  /** Frees an idempotency scope once its response's retention is over; the generation stays. */
  releaseReplay(scope: string): Promise<void>;
  /**
   * Acquires the lease if no process holds it and the generation is unfinished; else null.
   * @param generation With an epoch, also null if the generation's epoch has changed.
   */
  acquireLease(
    generation: GenerationRef & { epoch?: number },
    leaseMs: number,
  ): Promise<Generation | null>;
  /**
   * Reserves due submitted generations, longest due first per provider, without leasing them: they are due again after
   * `reservedMs`, or when the process is found dead.
   * @param limits Maximum per provider; providers not named get none.
   * @param others Maximum for all providers outside `known` together.
   * @returns The reserved ones, and the number found due per provider (null: of the others). Another process may have
   * reserved some of these first.
   */
  reserveDue(
    limits: ReadonlyMap<string, number>,
    others: { known: readonly string[]; limit: number },
    reservedMs: number,
  ): Promise<{ reserved: PolledGeneration[]; dueCounts: ReadonlyMap<string | null, number> }>;
  /**
   * Renews a lease; false if it was lost or the deadline passed `graceMs` ago, after which another process may end
   * the generation.
   */
  renewLease(generation: Generation, leaseMs: number, graceMs: number): Promise<boolean>;
  /**
   * Writes under the lease of `generation`; the change may release the lease.
   * @param mustBePastDeadline Requires the database's own clock to be past the deadline.
   * @returns The current fields that determine the next run.
   * @throws StaleWriteError if the lease was lost, the generation has ended, or it is too early.
   */
  update(
    generation: Generation,
    change: GenerationChange,
    mustBePastDeadline?: boolean,
  ): Promise<Schedule>;
  /** Reschedules several submitted generations at once under their epochs; skips outdated ones. */
  putOff(
    polled: readonly {
      generation: GenerationRef & Pick<GenerationWork, 'epoch'>;
      dueAt: number;
    }[],
  ): Promise<void>;
  /** Moves between steps while no process holds the lease. False if the step has changed. */
  move(generation: GenerationRef, from: GenerationStep, change: GenerationChange): Promise<boolean>;
  /** Ids of an account's waiting generations, oldest first. */
  findWaiting(accountId: string, limit: number): Promise<string[]>;
  /**
   * The oldest parked generation waiting for a provider, of the first account with an id after `afterAccount`, or else
   * of the first account. Passing the last result's account each time visits all accounts in turn.
   */
  findNextParked(
    provider: string,
    afterAccount: string,
  ): Promise<{ id: string; accountId: string } | null>;
  /**
   * Checks the next `limit` parked generations, starting over after the last.
   * @returns Those whose `waitsFor` was decided before `checkedBefore`.
   */
  findParkedCheckedBefore(checkedBefore: number, limit: number): Promise<Generation[]>;
  /** Stores why parked generations wait; skips those no longer parked. */
  recordWaitsFor(checked: readonly (GenerationRef & { waitsFor: WaitsFor })[]): Promise<void>;
  /** Records a provider's response to a cancellation in the attempt, even after the end. */
  recordCancel(
    generation: GenerationRef,
    attemptNumber: number,
    cancel: NonNullable<Attempt['cancel']>,
  ): Promise<void>;
  /**
   * Records in an attempt why its paid work was lost, and the provider's handle if none is stored. Possible even after
   * the end, which stays unchanged.
   */
  recordLost(
    generation: GenerationRef,
    attempt: Pick<Attempt, 'number' | 'operation' | 'operationShown' | 'lost'>,
  ): Promise<void>;
  /** The account's newest generations of both channels, except deleted ones. */
  listNewest(accountId: string, limit: number): Promise<HistoryItem[]>;
  /**
   * The account's newest matching generations, older than `before` (an id) if given, except deleted ones. Inspects a
   * bounded number per page, however many match.
   */
  searchHistory(
    accountId: string,
    filter: HistoryFilter,
    before: string | null,
    limit: number,
  ): Promise<HistoryPage>;
  /** These generations of the account, newest first, except deleted ones. */
  findItems(accountId: string, ids: readonly string[]): Promise<HistoryItem[]>;
  /** Labels of an account's generations; skips missing ones. */
  findLabels(accountId: string, ids: readonly string[]): Promise<GenerationLabel[]>;
  /** The cost of at most `limit` of the account's newest generations since a time. */
  sumSpending(accountId: string, sinceMs: number, limit: number): Promise<Spending[]>;
  /** Durations of the latest completed generations by model, newest first, at most `limit` per model. */
  listRecentDurations(
    sinceMs: number,
    limit: number,
  ): Promise<ReadonlyMap<string, RecentDuration[]>>;
  /** Durations of a model's latest completed generations, with their routes. */
  listRouteDurations(modelId: string, sinceMs: number, limit: number): Promise<RouteDuration[]>;
}
