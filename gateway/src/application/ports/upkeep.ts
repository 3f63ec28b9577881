import type { Breaker, BreakerRule } from '../../domain/breaker.ts';
import type { Generation } from '../../domain/generation.ts';
import type { PollPlan } from '../../domain/pollHint.ts';

/** One of the parts into which a lane of upkeep divides its items, by their ids. */
export interface Shard {
  index: number;
  count: number;
}

/** When a lane last finished a round in one of its shards. */
export interface LaneRound {
  lane: string;
  shard: number;
  /** In ms since the epoch, database time. */
  finishedAt: number;
}

/** An ended generation of which something is to be removed, claimed for a while. */
export interface TidyClaim {
  generation: Generation;
  /** Until when no other process takes it, and when it is tried again; names the claim. */
  until: number;
}

/** What was removed of a generation, and when to come again (null: never). */
export type TidyChange = Partial<
  Pick<
    Generation,
    'storedInputs' | 'inputs' | 'prompt' | 'attempts' | 'outputsDeletedAt' | 'replay'
  >
> & {
  /** What the providers answered is removed. */
  answers?: null;
} & Pick<Generation, 'tidyAt'>;

/** What upkeep asks and notes: each question by an index and in pages or as a stream. */
export interface UpkeepStore {
  /**
   * Unfinished generations that stand still: due since before `dueBefore` and not held. Those that are
   * with a provider only when past their deadline, because the poll lanes poll them before.
   * @param dueFrom Where to go on. @returns the longest due first.
   */
  findNeglected(
    shard: Shard,
    dueFrom: number,
    dueBefore: number,
    limit: number,
  ): Promise<{ id: string; dueAt: number }[]>;
  /** Ids of unfinished generations after this one (null: from the first), in order. */
  openAfter(shard: Shard, after: string | null, limit: number): Promise<string[]>;
  /** Those of the generations that are unfinished, with what decides when their jobs run. */
  findOpen(
    ids: readonly string[],
  ): Promise<Pick<Generation, 'id' | 'step' | 'dueAt' | 'deadlineAt'>[]>;
  /** Accounts with a waiting generation and room to run it, in pages. @param running The usual limit. */
  starvedAccounts(shard: Shard, running: number): AsyncIterable<string[]>;
  /** Accounts that hold an expired lot with credits left, in pages. */
  accountsWithExpiredLots(shard: Shard, nowMs: number): AsyncIterable<string[]>;
  /**
   * Claims ended generations of which something is to be removed by now. One that is not marked comes
   * again later, each time after a longer while.
   * @param skip How many to pass over, so that concurrent lanes claim different ones.
   */
  claimToTidy(nowMs: number, limit: number, skip: number): Promise<TidyClaim[]>;
  /** Notes what was removed of claimed generations; lost claims and erased generations stay as they are. */
  markTidied(tidied: readonly { claim: TidyClaim; change: TidyChange }[]): Promise<void>;
  /** Notes that a lane finished a round. */
  noteRound(lane: string, shard: number): Promise<void>;
  rounds(): Promise<LaneRound[]>;
}

/** What generations have to go through: a provider, or a route with limits of its own. */
export interface RoomLimit {
  /** The key of its breaker: a provider's name, or `modelBreakerKey`. */
  key: string;
  kind: 'provider' | 'route';
  /** Generations that may be behind it at once; Infinity: any number. */
  max: number;
  /** How many may go through in any 60 seconds; absent: any number. */
  startsPerMinute?: number;
}

/** Places within a limit that one process has reserved and may fill. */
export interface ReservedPlaces {
  token: string;
  count: number;
  /** The account whose parked generation was called through this limit last; '' before the first. */
  lastAccount: string;
  /** In which its starts are counted. */
  slot: string;
}

/**
 * The places of providers and routes over all processes. A place is taken by a generation whose `place` names
 * the provider (`routePlace` the route), or reserved for a moment by a process that is about to write such a
 * generation. Both are read and a reservation is written in one guarded step, so that no limit lets too many
 * in. What is taken is counted from the generations each time, so that no place is lost for good, and a
 * reservation whose process is gone lapses. Starts are counted when they are reserved.
 */
export interface PlaceStore {
  /**
   * Reserves places.
   * @param wanted Decides how many of the free places to reserve; at least one.
   * @returns null when it is full.
   */
  reserve(roomLimit: RoomLimit, wanted: (free: number) => number): Promise<ReservedPlaces | null>;
  /**
   * Gives a reservation up: its places are filled by now, or not needed.
   * @param result.lastAccount Whose generation was called last, when one was.
   * @param result.unused How many of its places were not filled: their starts do not count.
   */
  release(
    roomLimit: RoomLimit,
    reserved: Pick<ReservedPlaces, 'token' | 'slot'>,
    result?: { lastAccount?: string; unused?: number },
  ): Promise<void>;
}

/**
 * How providers and their models are doing, over all processes: one small document for each provider, by its
 * name, and for each model that has ever failed (`modelBreakerKey`). Workers write them, and every process
 * reads them every few seconds.
 */
export interface BreakerStore {
  /** As it was a few seconds ago at most; kept in memory. */
  of(key: string): Breaker;
  /** Whether anything was ever noted of it. */
  isKnown(key: string): boolean;
  /**
   * Applies a rule to the newest state. It may run more than once; null changes nothing.
   * @returns the state after it; null when nothing was changed.
   */
  change(key: string, rule: BreakerRule): Promise<Breaker | null>;
}

/** What generations take from the provider's getting them to the end. */
export interface UsualWork {
  /** Half are done by then, in seconds. */
  median: number;
  /** Nine of ten are done by then, in seconds. */
  most: number;
  /** When to poll; made when it is first asked for. */
  plan(): PollPlan;
}

/** Recent durations by model; kept in memory, loaded from the database in the background. */
export interface DurationStats {
  /** @param parameters Their size counts when enough of that size were seen. */
  usual(modelId: string, parameters?: Generation['parameters']): UsualWork;
}

/** How far the generations of an erased account are erased. Times in ms since the epoch, database time. */
export interface Erasure {
  /** The account's id. */
  id: string;
  /** Generations that are erased. */
  count: number;
  /** Generations that this pass could not erase. */
  failed: number;
  /** Passes in which something failed. */
  tries: number;
  /** Where the next pass begins; null while nothing failed in this one. */
  retryAfter: string | null;
  /** The id of the last generation that this pass has inspected; empty at the beginning. */
  after: string;
  startedAt: number;
  /** Null until the last generation is erased. */
  doneAt: number | null;
}

/** An erasure that one process works on for a while. */
export interface ErasureClaim extends Erasure {
  /** Names the claim. */
  claim: string;
}

/** A page of an account's generations, in the order of their ids. */
export interface ErasurePage {
  /** Those that still hold what belongs to a person. */
  generations: Generation[];
  /** The last id of the page, erased already or not; null behind the last generation. */
  lastId: string | null;
}

/** What became of a page, or of its first part. */
export interface ErasedPart {
  erased: readonly string[];
  failed: number;
  /** The last id of it. */
  after: string;
}

/** Erasures of accounts: noted before they are worked on, so that a killed process loses none. */
export interface ErasureStore {
  /** Notes an erasure. One that is noted is due at once, from the beginning where it was done. */
  begin(accountId: string): Promise<void>;
  find(accountId: string): Promise<Erasure | null>;
  /**
   * Claims the erasure that is due for the longest time, until it is noted how far it came or a minute
   * is over. @param accountId Where given, no other account's is claimed.
   */
  claim(accountId?: string): Promise<ErasureClaim | null>;
  /** Ended generations behind those already inspected; each document is read once in a pass. */
  page(claim: ErasureClaim, limit: number): Promise<ErasurePage>;
  /**
   * Removes prompt, inputs, replayed answer and the caller's address of the generations, counts them and
   * releases the claim, all or nothing: none is counted twice.
   */
  note(claim: ErasureClaim, part: ErasedPart): Promise<void>;
  /**
   * Ends a pass: done where nothing failed; else the next one begins at the first page with a failure,
   * each time after a longer while.
   */
  endPass(claim: ErasureClaim): Promise<void>;
}
