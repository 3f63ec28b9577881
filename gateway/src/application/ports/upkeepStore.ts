import type { Generation } from '../../domain/generation.ts';

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
   * with a provider only when past their deadline, because the poll lanes look at them before.
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
   * @param skip Passes over so many, so that lanes at work at one time claim different ones.
   */
  claimToTidy(nowMs: number, limit: number, skip: number): Promise<TidyClaim[]>;
  /** Notes what was removed of claimed generations; lost claims and erased generations stay as they are. */
  markTidied(tidied: readonly { claim: TidyClaim; change: TidyChange }[]): Promise<void>;
  /** Notes that a lane finished a round. */
  noteRound(lane: string, shard: number): Promise<void>;
  rounds(): Promise<LaneRound[]>;
}
