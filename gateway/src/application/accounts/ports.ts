import type { Account } from '../../domain/account.ts';
import type { Generation } from '../../domain/generation.ts';
import type { LedgerEntry } from '../../domain/credits.ts';

/* Ports of the credit audit, in addition to application/ports/. */

/** The audited part of an account. */
export type AuditedAccount = Pick<
  Account,
  'id' | 'lots' | 'ledgerEntries' | 'inFlightCredits' | 'running' | 'waiting'
>;

/** The audited part of a generation. */
export type AuditedGeneration = Pick<
  Generation,
  'id' | 'accountId' | 'status' | 'step' | 'costCredits' | 'refundedCredits' | 'charge'
> &
  Pick<Generation, 'createdAt' | 'startedAt' | 'endedAt'> & {
    attempts: readonly Pick<Generation['attempts'][number], 'number' | 'outcome'>[];
  };

/** All credit data at one point in time, in streams whose orders can be merged. */
export interface LedgerSnapshot {
  /** By id. */
  accounts(): AsyncIterable<AuditedAccount>;
  /** By account id, then number. */
  entriesByAccount(): AsyncIterable<LedgerEntry>;
  /** Entries that name a generation, by its id. */
  entriesByGeneration(): AsyncIterable<LedgerEntry>;
  /** By id. */
  generations(): AsyncIterable<AuditedGeneration>;
}

/** Reads the data for checking I1, I2, I4, I5, I6 and I9. */
export interface LedgerAudit {
  /**
   * Provides a snapshot that does not change while `work` reads it.
   * @param accountId Restricts it to this account, its entries and its generations; null for everything.
   */
  inSnapshot<T>(
    accountId: string | null,
    work: (snapshot: LedgerSnapshot) => Promise<T>,
  ): Promise<T>;
}
