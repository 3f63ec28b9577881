import type { ErasedPerson, ErasedTraces } from '../../domain/accounts/erasure.ts';
import type { Generation } from '../../domain/generations/generation.ts';

/** The progress of erasing an account. Times in ms since the epoch, database time. */
export interface Erasure {
  /** The account's id. */
  id: string;
  /** Erased generations. */
  count: number;
  /** Other removed data, in the order of removal. */
  traces: ErasedTraces[];
  /** The person whose traces are searched for; null once a search has found no more. */
  person: ErasedPerson | null;
  /** Whether all traces outside generations are removed. */
  areTracesGone: boolean;
  /** Failures in this pass. */
  failed: number;
  /** Passes that had failures. */
  attempts: number;
  /** Start of the next pass; null without failures in this one. */
  retryAfter: string | null;
  /** Id of the last generation inspected in this pass; empty at the start. */
  after: string;
  startedAt: number;
  /** Null until all are erased. */
  doneAt: number | null;
  /** The last search of all collections that found nothing, and that found something; null before the first. */
  checkedAt: number | null;
  foundAt: number | null;
  /** When work on it may begin or continue; null when it is done. */
  dueAt: number | null;
}

/** An erasure that one process has leased for a while. */
export interface ErasureLease extends Erasure {
  /** Identifies the lease. */
  lease: string;
}

/** A page of an account's generations, ordered by id. */
export interface ErasurePage {
  /** Generations that still hold personal data. */
  generations: Generation[];
  /** The last inspected id of the page; null after the last generation. */
  lastId: string | null;
}

/** The result of a page or of the part done so far. */
export interface ErasedPart {
  erased: readonly string[];
  failed: number;
  /** The last id of the page. */
  after: string;
}

/** Erasures of accounts, noted in the transaction that erases the account (`AccountDecision.erases`). */
export interface ErasureStore {
  find(accountId: string): Promise<Erasure | null>;
  /**
   * Leases the longest-due erasure, until its progress is recorded or a minute has passed.
   * @param accountId Leases only this account's.
   */
  acquireLease(accountId?: string): Promise<ErasureLease | null>;
  /** Removes the person's traces from all collections but accounts, generations and uploads. Safe to repeat. */
  eraseTraces(lease: ErasureLease): Promise<ErasedTraces[]>;
  /** Records that the person's traces are gone, and releases the lease. */
  recordTraces(lease: ErasureLease, traces: readonly ErasedTraces[]): Promise<void>;
  /** The next ended generations; each document is read once per pass. */
  loadPage(lease: ErasureLease, limit: number): Promise<ErasurePage>;
  /**
   * Removes prompt, inputs, replayed response and the caller's address from the generations, counts them and releases
   * the lease, all or nothing, so that none is counted twice.
   */
  record(lease: ErasureLease, part: ErasedPart): Promise<void>;
  /**
   * Ends a pass. Without failures the erasure is done; otherwise the next pass begins at the first page with a failure,
   * after increasing pauses.
   */
  endPass(lease: ErasureLease): Promise<void>;
}

/** The progress of a search through all collections. Times in ms since the epoch, database time. */
export interface ErasedSearch {
  startedAt: number;
  collection: string;
  /** The id of the last document looked at; null before the first of the collection. */
  after: unknown;
}

/** A page of documents in which erased people are sought. */
export interface SearchedPage {
  documents: readonly { _id: unknown }[];
  /** Position at which the search continues; null after the last document of the last collection. */
  next: ErasedSearch | null;
}

/** An erased person who is searched for, with their known traces. */
export type SoughtErasure = Pick<Erasure, 'id' | 'person' | 'startedAt'>;

/** The search for erased people in all collections, of which one runs at a time across all processes. */
export interface ErasedSearchStore {
  /** The search that runs, or a new one if the last began a day ago and anyone is sought; otherwise null. */
  begin(): Promise<ErasedSearch | null>;
  /** The people whom a search seeks: erased before it began, for 30 days or until nothing is found. */
  findSought(search: ErasedSearch): Promise<SoughtErasure[]>;
  loadPage(search: ErasedSearch): Promise<SearchedPage>;
  /** Whether an erased account's id may stay in this field, as the pseudonym of its records. */
  mayName(collection: string, field: string): boolean;
  /** Records that an account's person was found. */
  recordFound(accountId: string): Promise<void>;
  /**
   * Records the progress; at the end, that the others were not found, whose addresses are forgotten then.
   * @returns False if another process was faster.
   */
  advance(search: ErasedSearch, next: ErasedSearch | null): Promise<boolean>;
}
