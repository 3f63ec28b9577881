import type { GenerationFiles } from '../../domain/generations/files.ts';
import type { Generation } from '../../domain/generations/generation.ts';
import type {
  GenerationOrder,
  GenerationRef,
  OrderedResult,
} from '../../domain/generations/order.ts';
import type { PollPlan } from '../../domain/generations/pollPlan.ts';
import type { GenerationRemovalTimes } from '../../domain/generations/removalTimes.ts';
import type { GenerationWork, Schedule, WorkState } from '../../domain/generations/work.ts';
import type { Breaker } from '../../domain/providers/breaker.ts';
import type { DeliveryRecord } from '../../domain/providers/withheld.ts';

/** A part of a task's items, divided by id. */
export interface Shard {
  index: number;
  count: number;
}

/** The last finished round of a task in a shard. */
export interface UpkeepRound {
  task: string;
  shard: number;
  /** Time in ms since the epoch, database time. */
  finishedAt: number;
}

/** An ended generation with data due for removal, leased for a while. */
export interface TidyLease {
  generation: Generation;
  /** End of the lease and time of the next attempt; also identifies the lease. */
  until: number;
}

/** Removals from a generation, and the time of the next ones (null: none). */
export type TidyChange = Partial<
  Pick<GenerationOrder, 'inputs' | 'parameters' | 'prompt' | 'replay'> &
    Pick<WorkState, 'attempts'> &
    GenerationFiles &
    Pick<GenerationRemovalTimes, 'outputsRemovedAt'>
> & {
  /** Removes the providers' responses. */
  responses?: null;
} & Pick<GenerationRemovalTimes, 'tidyAt'>;

/** A generation whose next time is too far ahead. */
export type AheadGeneration = GenerationRef & Pick<GenerationWork, 'epoch' | 'dueAt'>;

/** The state of an upkeep task. */
export interface UpkeepState {
  task: string;
  /** Time since the oldest of its shards' last rounds, in ms. */
  idleMs: number;
  /** Stalled; staff and the operator are alerted. */
  isLate: boolean;
}

/** Queries and records of upkeep; queries are indexed and paged or streamed. */
export interface UpkeepStore {
  /**
   * Neglected unfinished generations: due since before `dueBefore` and not held. Those at a provider count only past
   * their deadline, because until then they are polled.
   * @param dueFrom Where to continue.
   * @returns Longest due first.
   */
  findNeglected(
    shard: Shard,
    dueFrom: number,
    dueBefore: number,
    limit: number,
  ): Promise<{ id: string; dueAt: number }[]>;
  /**
   * Unfinished generations whose times are further ahead than any rule sets them, at most a page.
   * @param furthest.held How far a lease can be ahead, in ms.
   * @param furthest.poll The same of the next poll of a provider.
   */
  findAhead(nowMs: number, furthest: { held: number; poll: number }): Promise<AheadGeneration[]>;
  /** Makes these due now if nothing has changed. @returns How many. */
  bringForward(ahead: readonly AheadGeneration[]): Promise<number>;
  /** Ids of at most `limit` unfinished generations, in pages; those that move meanwhile may be missed. */
  openIds(shard: Shard, skip: number, limit: number): AsyncIterable<string[]>;
  /** The unfinished among these generations, with the fields that determine when their jobs run. */
  findOpen(ids: readonly string[]): Promise<(GenerationRef & Omit<Schedule, 'leaseUntil'>)[]>;
  /** Accounts with a waiting generation and room to run it, in pages. @param running The default limit. */
  listStarvedAccounts(shard: Shard, running: number): AsyncIterable<string[]>;
  /** Accounts whose people asked for an erasure that may be due, in pages. */
  listAccountsToErase(nowMs: number): AsyncIterable<string[]>;
  /** Accounts with plan credits due, in pages. */
  listAccountsWithDuePlans(shard: Shard, nowMs: number): AsyncIterable<string[]>;
  /**
   * Accounts with credits that expire by then and whose expiry was not reported yet, in pages; nothing within an hour
   * of the previous call.
   */
  listAccountsWithExpiringLots(shard: Shard, untilMs: number): AsyncIterable<string[]>;
  /** Accounts with credits left in an expired lot, in pages. */
  listAccountsWithExpiredLots(shard: Shard, nowMs: number): AsyncIterable<string[]>;
  /**
   * Leases ended generations with data due for removal. Unmarked ones return later, after increasing pauses.
   * @param skip Number to skip, so that concurrent tasks lease different ones.
   */
  acquireTidyLeases(nowMs: number, limit: number, skip: number): Promise<TidyLease[]>;
  /** Records removals from leased generations; lost leases and erased generations stay unchanged. */
  markTidied(tidied: readonly { lease: TidyLease; change: TidyChange }[]): Promise<void>;
  /** Records a finished round of a task. */
  recordRound(task: string, shard: number): Promise<void>;
  listRounds(): Promise<UpkeepRound[]>;
}

/** The work that is due now. */
export interface DueWork {
  /** A generation's job is due and not taken. */
  isRunDue: boolean;
  /** How overdue the longest-due poll is, in ms; null if none is due. */
  pollLateMs: number | null;
  areMailsDue: boolean;
  /** No other process holds the lease. */
  isLeaseFree: boolean;
}

/** The due work that workers check several times a second, and the lease of the worker that polls for all. */
export interface WorkStore {
  findDue(): Promise<DueWork>;
  /** Acquires or renews the lease. @returns False if another process holds it. */
  acquireLease(forMs: number): Promise<boolean>;
  /** Releases the lease if this process holds it. */
  releaseLease(): Promise<void>;
  /** Unlocks all jobs locked by this process, so that they are due again. */
  releaseJobs(): Promise<void>;
}

/** A worker's watch for due work. */
export interface WorkWatch {
  /** Whether this process holds the lease. */
  leads(): boolean;
  /** Stops watching, releases the lease and waits for rounds in progress. */
  stop(): Promise<void>;
}

/** A limit on generations at a provider, or at a route with its own limits. */
export interface SlotLimit {
  /** Key of its breaker: a provider's name, or `modelBreakerKey`. */
  key: string;
  kind: 'provider' | 'route';
  /** Maximum concurrent generations; Infinity for no limit. */
  max: number;
  /** Maximum starts in any 60 seconds; absent for no limit. */
  startsPerMinute?: number;
  /** Set if starts are spread over the minute, and may be used up to `spreadMs` after they were reserved. */
  isSpread?: boolean;
}

/** Slots within a limit that one process has reserved. */
export interface ReservedSlots {
  token: string;
  count: number;
  /** The account whose parked generation was last called through this limit; empty before the first. */
  lastAccount: string;
  /** The interval in which its starts are counted. */
  interval: string;
}

/**
 * The slots of providers and routes across all processes. A slot is occupied by a generation whose `providerSlot` names
 * the provider (`routeSlot` the route), or briefly reserved by a process about to write such a generation. One guarded
 * step reads both and writes a reservation, so no limit is exceeded. Occupied slots are counted from the generations
 * each time, so none is lost permanently, and reservations of dead processes expire. Starts count from
 * their reservation.
 */
export interface SlotStore {
  /**
   * Reserves slots.
   * @param countFor Decides how many of the free slots to reserve, at least one.
   * @returns Null if none is free.
   */
  reserve(slotLimit: SlotLimit, countFor: (free: number) => number): Promise<ReservedSlots | null>;
  /**
   * Ends a reservation whose slots are filled or not needed.
   * @param result.lastAccount The account of the generation called last, if any.
   * @param result.unused Number of unfilled slots, whose starts do not count.
   */
  release(
    slotLimit: SlotLimit,
    reserved: Pick<ReservedSlots, 'token' | 'interval'>,
    result?: { lastAccount?: string; unused?: number },
  ): Promise<void>;
}

/** Breakers of providers, and of models that have ever failed (`modelBreakerKey`). */
export type BreakerStore = StateStore<Breaker>;
/** Delivery records of routes, by `modelBreakerKey`. */
export type DeliveryStore = StateStore<DeliveryRecord>;

/**
 * Small states shared by all processes, one document per key. Workers write them; all processes read them every
 * few seconds.
 */
export interface StateStore<State> {
  get(key: string): State;
  /** Whether the key has a stored state. */
  isKnown(key: string): boolean;
  keys(): readonly string[];
  /** Reads all states now. */
  refresh(): Promise<void>;
  /**
   * Applies a rule to the newest state. The rule may run more than once; null changes nothing.
   * @returns The state afterwards; null for no change.
   */
  change(key: string, rule: (state: State, nowMs: number) => State | null): Promise<State | null>;
}

/** Usual durations of generations from submission to end. */
export interface UsualWork {
  /** Median, in seconds. */
  median: number;
  /** 90th percentile, in seconds. */
  p90: number;
  /** The poll plan, computed on first use. */
  plan(): PollPlan;
}

/** Recent durations by model, kept in memory and refreshed in the background. */
export interface DurationStats {
  /** @param parameters Their size is used if there are enough samples of it. */
  usual(modelId: string, parameters?: OrderedResult['parameters']): UsualWork;
}

const jobPrefix = 'upkeep.';

/** The job name of a task, and whether a job belongs to a task. */
export const upkeepJobOf = (task: string): string => `${jobPrefix}${task}`;
/** Whether a job belongs to an upkeep task. */
export const isUpkeepJob = (name: string): boolean => name.startsWith(jobPrefix);
