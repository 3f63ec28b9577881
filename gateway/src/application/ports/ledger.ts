import type { LedgerEntry } from '../../domain/credits/ledgerChain.ts';

/** The conditions of a search in the ledger. */
export interface LedgerFilter {
  /** Start of a time span, in ms since the epoch; given with its end. */
  from?: number;
  /** Exclusive end of the time span. */
  until?: number;
  /** Credits of the entry, whatever its sign. */
  amount?: number;
}

/** The append-only ledger. */
export interface LedgerStore {
  /** The grant or adjustment with this reference. */
  findByReference(reference: string): Promise<LedgerEntry | null>;
  /** The oldest entries after number `after` (0: from the first), at most `limit`. */
  listOldest(accountId: string, after: number, limit: number): Promise<LedgerEntry[]>;
  find(accountId: string): Promise<LedgerEntry[]>;
  /**
   * The newest matching entries, or those before number `before`; examines a bounded number per page.
   * @returns `older` is where the next page begins; null at the end. A page with a successor may be short.
   */
  search(
    accountId: string,
    filter: LedgerFilter,
    before: number | null,
    limit: number,
  ): Promise<{ entries: LedgerEntry[]; older: number | null }>;
  /** The newest entries, or those before number `before`. */
  listNewest(accountId: string, before: number | null, limit: number): Promise<LedgerEntry[]>;
  /** All entries, or those of an account, by account and number. */
  listPages(accountId: string | null): AsyncIterable<LedgerPage>;
}

/** Entries with the email addresses of their accounts, by account id. */
export interface LedgerPage {
  entries: Pick<LedgerEntry, 'accountId' | 'number' | 'kind' | 'at' | 'movements'>[];
  emails: ReadonlyMap<string, string>;
}
