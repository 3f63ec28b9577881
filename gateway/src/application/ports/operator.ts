import type { Account } from '../../domain/accounts/account.ts';
import type { StoredEvent } from '../../domain/accounts/accountEvent.ts';
import type { OperatorKey } from '../../domain/accounts/operatorKey.ts';
import type { LedgerEntry } from '../../domain/credits/ledgerChain.ts';
import type { UsageCost, UsageCount } from '../../domain/credits/usage.ts';
import type { FeedCounter, FeedPoint } from '../../domain/feed/feedEpochs.ts';
import type { SignInLink } from '../../domain/signIn/signInLink.ts';
import type { AuditEntry } from '../../domain/staff/auditEntry.ts';
import type { HistoryItem } from './generations.ts';

/* Ports of the operator API. */

/** The response to a write, kept under its Idempotency-Key. Times in ms since the epoch. */
export interface OperatorRequest {
  /** The request id. */
  id: string;
  /** Method, path and Idempotency-Key. */
  scope: string;
  /** Fingerprint of the body as sent. */
  fingerprint: string;
  /** Id of the operator key. */
  keyId: string;
  /** The account that the response describes. */
  accountId: string;
  status: number;
  /** JSON. */
  body: string;
  at: number;
  expiresAt: number;
}

/** The records of an operator's write, stored in the transaction that does its work. */
export interface OperatorRecords {
  /** The request, for the operator API. */
  request?: OperatorRequest;
  audit: AuditEntry;
}

/** Responses by Idempotency-Key, inserted together with the work (`AccountDecision`). */
export interface OperatorRequestStore {
  find(scope: string): Promise<OperatorRequest | null>;
}

/**
 * Marks the outputs of a generation as taken down, with the records of the request in one transaction. False, without a
 * write, if they already are or there are none.
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
  /** The link if it is usable now, by database time. */
  find(id: string): Promise<SignInLink | null>;
  /** Consumes it atomically; null if it was used or has expired. */
  take(id: string): Promise<SignInLink | null>;
}

/** Keys of the operator API. */
export interface OperatorKeyStore {
  insert(key: OperatorKey): Promise<void>;
  findByHash(hashes: readonly string[]): Promise<OperatorKey | null>;
  /** Newest first. */
  list(limit: number): Promise<OperatorKey[]>;
  /** Ends a key at this time, or keeps an earlier end. @returns The key; null if there is none. */
  end(keyId: string, atMs: number): Promise<OperatorKey | null>;
}

/** Customer accounts for lists. */
export interface AccountList {
  /** Accounts after an id, by id. */
  listPage(after: string, limit: number): Promise<ListedAccount[]>;
}

/** An account without its keys and credits. */
export type ListedAccount = Pick<
  Account,
  'id' | 'externalId' | 'email' | 'isVerified' | 'status' | 'group' | 'limits' | 'createdAt'
>;

/** The dimensions of a report. */
export type UsageDimension = 'day' | 'account' | 'model';

/**
 * Sums up the generations that ended in a time range (ms since the epoch, `until` exclusive), in the order of the
 * dimensions, at most `limit` counts. Reads all of them, within 20 s.
 */
export type FindUsage = (question: {
  from: number;
  until: number;
  by: readonly UsageDimension[];
  limit: number;
}) => Promise<{ counts: UsageCount[]; costs: UsageCost[] }>;

/** A ledger entry and its position in the feed. */
export interface PositionedLedgerEntry {
  position: number;
  entry: LedgerEntry;
}

/** The end of a generation and its position in the feed. */
export interface PositionedEnd {
  position: number;
  ended: HistoryItem;
}

/** A stored event and its position in the feed. */
export interface PositionedEvent {
  position: number;
  event: StoredEvent;
}

/**
 * Ledger entries, ends of generations and stored events of all accounts, in an order that only ever grows at its end.
 * Items of one account keep the order in which they were written.
 */
export interface Feed {
  /** Finds at most `limit` entries after a position; 0 starts from the beginning. */
  findEntries(after: number, limit: number): Promise<FeedRead<PositionedLedgerEntry>>;
  /** At most `limit` ends and stored events after a position; 0 starts from the beginning. */
  findEvents(
    after: number,
    limit: number,
  ): Promise<FeedRead<PositionedLedgerEntry | PositionedEnd | PositionedEvent>>;
  /** The counter by a linearizable read: no server of the database knows a newer one. */
  confirmCounter(): Promise<FeedCounter>;
  /**
   * Begins an epoch after a restore. Reads do so by themselves if the counter is behind the newest known position.
   * @returns Null if the newest was begun by a restore and nothing was placed since: nothing has changed.
   */
  beginEpoch(): Promise<FeedCounter | null>;
  /** The newest point that this process knows to have been given. */
  newest(): FeedPoint;
  /** Takes over the point stored by an earlier process. Call it before the first read. */
  recallPoint(point: FeedPoint): void;
}

/** Items of the feed, and the counter that gave their positions; it may be behind. */
export interface FeedRead<Item> {
  counter: FeedCounter;
  items: Item[];
}
