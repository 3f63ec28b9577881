import type { Breaker } from '../../domain/breaker.ts';
import type { Generation } from '../../domain/generation.ts';
import type { PollPlan } from '../../domain/pollHint.ts';
import type { DeliveryRecord } from '../../domain/withheld.ts';

/** A part of a lane's items, divided by id. */
export interface Shard {
  index: number;
  count: number;
}

/** The last finished round of a lane in a shard. */
export interface LaneRound {
  lane: string;
  shard: number;
  /** In ms since the epoch, database time. */
  finishedAt: number;
}

/** An ended generation with data due for removal, claimed for a while. */
export interface TidyClaim {
  generation: Generation;
  /** End of the claim and time of the next try; identifies the claim. */
  until: number;
}

/** The removals from a generation, and the time of the next ones (null: none). */
export type TidyChange = Partial<
  Pick<
    Generation,
    'storedInputs' | 'inputs' | 'prompt' | 'attempts' | 'outputs' | 'outputsDeletedAt' | 'replay'
  >
> & {
  /** Removes the providers' answers. */
  answers?: null;
} & Pick<Generation, 'tidyAt'>;

/** Queries and records of upkeep; queries are indexed and paged or streamed. */
export interface UpkeepStore {
  /**
   * Neglected unfinished generations: due since before `dueBefore` and not held. Those at a provider count only
   * past their deadline, because they are polled before.
   * @param dueFrom Where to continue. @returns Longest due first.
   */
  findNeglected(
    shard: Shard,
    dueFrom: number,
    dueBefore: number,
    limit: number,
  ): Promise<{ id: string; dueAt: number }[]>;
  /** Ids of at most `limit` unfinished generations, in pages; those that move meanwhile may be left out. */
  openIds(shard: Shard, skip: number, limit: number): AsyncIterable<string[]>;
  /** The unfinished among these generations, with the fields that decide when their jobs run. */
  findOpen(
    ids: readonly string[],
  ): Promise<Pick<Generation, 'id' | 'accountId' | 'step' | 'dueAt' | 'deadlineAt'>[]>;
  /** Accounts with a waiting generation and room to run it, in pages. @param running The default limit. */
  starvedAccounts(shard: Shard, running: number): AsyncIterable<string[]>;
  /** Accounts whose plan has credits due, in pages. */
  accountsWithDuePlans(shard: Shard, nowMs: number): AsyncIterable<string[]>;
  /**
   * Accounts with credits that expire until then, which they were not told of yet, in pages; nothing within an hour of
   * the last look.
   */
  accountsWithExpiringLots(shard: Shard, untilMs: number): AsyncIterable<string[]>;
  /** Accounts that hold an expired lot with credits left, in pages. */
  accountsWithExpiredLots(shard: Shard, nowMs: number): AsyncIterable<string[]>;
  /**
   * Claims ended generations with data due for removal. One that is not marked returns later, after increasing
   * pauses.
   * @param skip How many to skip, so that concurrent lanes claim different ones.
   */
  claimToTidy(nowMs: number, limit: number, skip: number): Promise<TidyClaim[]>;
  /** Records removals from claimed generations; lost claims and erased generations stay unchanged. */
  markTidied(tidied: readonly { claim: TidyClaim; change: TidyChange }[]): Promise<void>;
  /** Records a finished round of a lane. */
  noteRound(lane: string, shard: number): Promise<void>;
  rounds(): Promise<LaneRound[]>;
}

/**
 * Compares a page of accounts, or of the lookups by which they are found, and repairs what the release before has left:
 * lookups that are missing, and those whose account no longer has the value. The next call takes the next page.
 */
export type RepairLookups = () => Promise<{ restored: number; removed: number }>;

/** Work that is due. */
export interface DueWork {
  /** The job of a generation is due and not taken. */
  runs: boolean;
  /** How long the longest due poll has been due, in ms; null when none is due. */
  pollLateMs: number | null;
  mails: boolean;
  /** No other process holds the lease. */
  isLeaseFree: boolean;
}

/** The due work that workers look for several times a second, and the lease of the one that polls for all. */
export interface WorkStore {
  look(): Promise<DueWork>;
  /** Takes or extends the lease. @returns False when another process holds it. */
  takeLease(forMs: number): Promise<boolean>;
  /** Frees the lease if this process holds it. */
  giveLeaseBack(): Promise<void>;
  /** Unlocks all jobs that this process has locked: they are due again. */
  releaseJobs(): Promise<void>;
}

/** A worker's looks for due work. */
export interface WorkWatch {
  /** Whether this process holds the lease. */
  leads(): boolean;
  /** Looks no more, gives the lease back and waits for rounds in progress. */
  stop(): Promise<void>;
}

/** A limit on generations at a provider, or at a route with its own limits. */
export interface RoomLimit {
  /** Its breaker key: a provider's name, or `modelBreakerKey`. */
  key: string;
  kind: 'provider' | 'route';
  /** Maximum concurrent generations; Infinity for no limit. */
  max: number;
  /** Maximum starts in any 60 seconds; absent for no limit. */
  startsPerMinute?: number;
}

/** Places within a limit that one process has reserved. */
export interface ReservedPlaces {
  token: string;
  count: number;
  /** The account whose parked generation was last called through this limit; '' before the first. */
  lastAccount: string;
  /** The slot in which its starts are counted. */
  slot: string;
}

/**
 * The places of providers and routes over all processes. A place is occupied by a generation whose `place`
 * names the provider (`routePlace` the route), or briefly reserved by a process about to write such a
 * generation. One guarded step reads both and writes a reservation, so no limit is exceeded. Occupied places
 * are counted from the generations each time, so none is lost for good, and reservations of dead processes
 * expire. Starts count when reserved.
 */
export interface PlaceStore {
  /**
   * Reserves places.
   * @param wanted Decides how many of the free places to reserve, at least one.
   * @returns Null if none is free.
   */
  reserve(roomLimit: RoomLimit, wanted: (free: number) => number): Promise<ReservedPlaces | null>;
  /**
   * Ends a reservation whose places are filled or not needed.
   * @param result.lastAccount The account of the last called generation, if any.
   * @param result.unused Number of unfilled places, whose starts do not count.
   */
  release(
    roomLimit: RoomLimit,
    reserved: Pick<ReservedPlaces, 'token' | 'slot'>,
    result?: { lastAccount?: string; unused?: number },
  ): Promise<void>;
}

/** Breakers by provider, and by model that has ever failed (`modelBreakerKey`). */
export type BreakerStore = StateStore<Breaker>;
/** How routes delivered, by `modelBreakerKey`. */
export type DeliveryStore = StateStore<DeliveryRecord>;

/** Small states over all processes, one document per key. Workers write them; all read them every few seconds. */
export interface StateStore<State> {
  of(key: string): State;
  /** Whether it has a stored state. */
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
  most: number;
  /** The poll plan, computed on first use. */
  plan(): PollPlan;
}

/** Recent durations by model, kept in memory and refreshed in the background. */
export interface DurationStats {
  /** @param parameters Used for their size if enough samples of it exist. */
  usual(modelId: string, parameters?: Generation['parameters']): UsualWork;
}

const jobPrefix = 'upkeep.';

/** The name of a lane's job, and whether a job is a lane's. */
export const jobOfLane = (lane: string): string => `${jobPrefix}${lane}`;
export const isJobOfLane = (name: string): boolean => name.startsWith(jobPrefix);
