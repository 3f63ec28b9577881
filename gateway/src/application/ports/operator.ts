import type { Account } from '../../domain/account.ts';
import type { StoredEvent } from '../../domain/accountEvent.ts';
import type { LedgerEntry } from '../../domain/credits.ts';
import type { OperatorKey } from '../../domain/operatorKey.ts';
import type { SignInLink } from '../../domain/signInLink.ts';
import type { UsageCost, UsageCount } from '../../domain/usage.ts';
import type { HistoryItem } from './generations.ts';
import type { AuditEntry } from '../staff/ports.ts';

/* Ports of the operator API. */

/** The answer to a write, kept under its Idempotency-Key. Times in ms since the epoch. */
export interface OperatorRequest {
  /** The request id. */
  id: string;
  /** Method, path and Idempotency-Key. */
  scope: string;
  /** Of the body as it was sent. */
  fingerprint: string;
  /** Id of the operator key. */
  keyId: string;
  /** The account that the answer is about; absent in those of releases before. */
  accountId?: string;
  status: number;
  /** JSON. */
  body: string;
  at: number;
  expiresAt: number;
}

/** The records of a write of the operator API, stored in the transaction that does its work. */
export interface OperatorRecords {
  request: OperatorRequest;
  audit: AuditEntry;
}

/** Answers by Idempotency-Key. They are inserted with the work (`AccountDecision`). */
export interface OperatorRequestStore {
  find(scope: string): Promise<OperatorRequest | null>;
}

/**
 * Marks the outputs of a generation as taken down, with the records of the request in one transaction; false if they
 * already are, or there are none: nothing is written then.
 */
export type MarkTakenDown = (
  generationId: string,
  nowMs: number,
  what: string,
  records: OperatorRecords,
) => Promise<boolean>;

/** Links that sign customers in. */
export interface SignInLinkStore {
  /** Inserts a link with the records of the request in one transaction. */
  insert(link: SignInLink, records: OperatorRecords): Promise<void>;
  /** The link if it can be used now, by database time. */
  find(id: string): Promise<SignInLink | null>;
  /** Uses it up, atomically; null if it was used or has expired. */
  take(id: string): Promise<SignInLink | null>;
}

/** Keys of the operator API. */
export interface OperatorKeyStore {
  insert(key: OperatorKey): Promise<void>;
  findByHash(hashes: readonly string[]): Promise<OperatorKey | null>;
  /** Newest first. */
  list(limit: number): Promise<OperatorKey[]>;
  /** Lets it end at this time, or earlier where it does already. @returns it; null if there is none. */
  end(keyId: string, at: number): Promise<OperatorKey | null>;
}

/** Customers' accounts for lists. */
export interface AccountList {
  /** In the order of their ids, after one of them. */
  page(after: string, limit: number): Promise<ListedAccount[]>;
}

/** An account without its keys and credits. */
export type ListedAccount = Pick<
  Account,
  'id' | 'externalId' | 'email' | 'verified' | 'status' | 'group' | 'limits' | 'createdAt'
>;

/** The dimensions by which a report can be split. */
export type UsageDimension = 'day' | 'account' | 'model';

/**
 * Sums up the generations that ended in a range of time (ms since the epoch, `until` exclusive), in the order of the
 * dimensions, at most `limit` counts. It reads all of them: within 20 s.
 */
export type FindUsage = (question: {
  from: number;
  until: number;
  by: readonly UsageDimension[];
  limit: number;
}) => Promise<{ counts: UsageCount[]; costs: UsageCost[] }>;

/** A ledger entry and its place in the feed. */
export interface PlacedEntry {
  position: number;
  entry: LedgerEntry;
}

/** The end of a generation and its place in the feed. */
export interface PlacedEnd {
  position: number;
  ended: HistoryItem;
}

/** A stored event and its place in the feed. */
export interface PlacedEvent {
  position: number;
  event: StoredEvent;
}

/**
 * Ledger entries, ends of generations and stored events of all accounts, in an order in which nothing is ever added but at its end.
 * Those of one account are in the order in which they were written.
 */
export interface Feed {
  /** The entries behind a position, at most `limit`; 0 begins. */
  ledger(after: number, limit: number): Promise<PlacedEntry[]>;
  /** The same with ends and stored events. */
  events(after: number, limit: number): Promise<(PlacedEntry | PlacedEnd | PlacedEvent)[]>;
}
