/* What the staff console asks of the database. */

import type { Account } from '../../domain/account.ts';
import type { CostLine } from '../../domain/cost.ts';
import type { Generation } from '../../domain/generation.ts';
import type { LedgerEntry } from '../../domain/credits.ts';
import type { HistoryItem } from './generations.ts';

/** An Agenda job as staff see it. */
export interface JobLine {
  id: string;
  name: string;
  nextRunAt: number | null;
  lockedAt: number | null;
  lastRunAt: number | null;
  lastFinishedAt: number | null;
  failReason: string | null;
  /** The process that wrote it last. */
  lastModifiedBy: string | null;
}

/** A generation in a list of results. */
export type GenerationLine = Pick<
  HistoryItem,
  | 'id'
  | 'accountId'
  | 'type'
  | 'model'
  | 'status'
  | 'createdAt'
  | 'endedAt'
  | 'costCredits'
  | 'channel'
  | 'keyId'
  | 'failure'
>;

/** An end as the console's charts count it. Times in ms since the epoch. */
export interface EndedPoint {
  model: string;
  status: 'completed' | 'failed';
  /** Of the last attempt; null when none was made. */
  provider: string | null;
  /** Why it failed; null when it completed. */
  code: string | null;
  credits: number;
  createdAt: number;
  endedAt: number;
}

/** What a list of generations is narrowed down to. */
export interface LineFilter {
  status: Generation['status'];
  /** Of ended ones: ended since then, in ms since the epoch. */
  since?: number;
  model?: string;
  /** Of failed ones: why. */
  code?: string;
}

/** What the list of an account's generations is narrowed down to. */
export type AccountFilter = Partial<Pick<Generation, 'status' | 'channel'> & { keyId: string }>;

/** A page of such a list. */
export interface LinePage {
  /** Of ended ones with all that ended in the millisecond of the last one, so a page may be longer than asked. */
  lines: GenerationLine[];
  /** Where the next page begins; null at the end. A page may be short before that. */
  older: string | null;
}

/** A host that an owner asked for, with its key and account. */
export interface HostRequest {
  accountId: string;
  email: string;
  keyId: string;
  keyName: string;
  rule: string;
}

/** The resolution by staff of an unknown submission that had already been refunded. */
export interface Resolution {
  resolvedAt: number;
  /** Whether the provider had made it after all. */
  found: boolean;
  by: string;
}

/** A generation with what only staff may see. */
export type StaffGeneration = Generation & { resolution?: Resolution | null };

/** The queries of the console; each uses an index, however much is stored. */
export interface StaffQueries {
  generation(generationId: string): Promise<StaffGeneration | null>;
  /** Addresses of the admins who may use the console. */
  admins(limit: number): Promise<string[]>;
  byRequestId(requestId: string): Promise<GenerationLine[]>;
  byConsentReference(reference: string, limit: number): Promise<GenerationLine[]>;
  byUpstreamId(taskId: string, limit: number): Promise<GenerationLine[]>;
  /** The generation that an Agenda job is of. */
  byJobId(jobId: string): Promise<string | null>;
  /** Accounts with a key that ends so. */
  byLastFour(lastFour: string, limit: number): Promise<Account[]>;
  /** An account's newest that fit, as `list` finds them. */
  ofAccount(
    accountId: string,
    filter: AccountFilter,
    before: string | null,
    limit: number,
  ): Promise<LinePage>;
  /** The newest that fit; looks at a bounded number for each page. @param before Of the page before. */
  list(filter: LineFilter, before: string | null, limit: number): Promise<LinePage>;
  /** The newest ends since a time (ms since the epoch), `limit` of them at most. */
  ends(since: number, limit: number): Promise<EndedPoint[]>;
  /** When unfinished generations were created, in ms since the epoch, of `limit` at most. */
  openSince(limit: number): Promise<number[]>;
  /** Generations whose id or request id begins so. */
  linesFrom(by: 'id' | 'requestId', start: string, limit: number): Promise<GenerationLine[]>;
  /** Accounts whose id or address, or one of whose keys' id or key itself, begins so. */
  accountsFrom(
    by: 'id' | 'email' | 'keyId' | 'key',
    start: string,
    limit: number,
  ): Promise<Account[]>;
  /** Ledger entries that name a generation. */
  entriesOf(generationId: string): Promise<LedgerEntry[]>;
  job(generationId: string): Promise<JobLine | null>;
  hostRequests(limit: number): Promise<HostRequest[]>;
  /** Submissions of unknown outcome that are not resolved, the newest first. */
  unresolved(limit: number): Promise<GenerationLine[]>;
}

/** Reads what attempts cost, of the generations that ended on the day (UTC) that begins at this time. */
export type FindCostLines = (dayStart: number) => Promise<CostLine[]>;
