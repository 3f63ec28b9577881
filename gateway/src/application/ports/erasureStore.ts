import type { Generation } from '../../domain/generation.ts';

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
  /** The id of the last generation that this pass has looked at; empty at the beginning. */
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
  /** Ended generations behind those that were looked at; each document is read once in a pass. */
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
