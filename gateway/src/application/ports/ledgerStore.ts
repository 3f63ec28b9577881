import type { LedgerEntry } from '../../domain/ledger.ts';

/** The append-only ledger. */
export interface LedgerStore {
  /** The grant or adjustment that was made under this reference. */
  findByReference(reference: string): Promise<LedgerEntry | null>;
  /** The oldest entries behind number `after`, at most `limit`; 0 begins with the first. */
  oldest(accountId: string, after: number, limit: number): Promise<LedgerEntry[]>;
  find(accountId: string): Promise<LedgerEntry[]>;
  /** The newest entries, those before number `before` where it is given. */
  newest(accountId: string, before: number | null, limit: number): Promise<LedgerEntry[]>;
}
