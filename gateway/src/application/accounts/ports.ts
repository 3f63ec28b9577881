import type { Account } from '../../domain/account.ts';
import type { Generation } from '../../domain/generation.ts';
import type { LedgerEntry } from '../../domain/credits.ts';

/* What an audit of the stored credits needs of the outside world, beside application/ports/. */

/** What an audit inspects of an account. */
export type AuditedAccount = Pick<
  Account,
  'id' | 'lots' | 'ledgerEntries' | 'inFlightCredits' | 'running' | 'waiting'
>;

/** What an audit inspects of a generation. */
export type AuditedGeneration = Pick<
  Generation,
  'id' | 'accountId' | 'status' | 'step' | 'costCredits' | 'charge'
> &
  Pick<Generation, 'createdAt' | 'startedAt' | 'endedAt'> & {
    attempts: readonly Pick<Generation['attempts'][number], 'number' | 'outcome'>[];
  };

/** Everything about credits as it was at one moment, in streams whose orders can be merged. */
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

/** Reads what I1, I2, I4, I5, I6 and I9 are about. */
export interface LedgerAudit {
  /**
   * Hands over a snapshot that stays the same while `work` reads it, whatever is written meanwhile.
   * @param accountId Reads this account alone, its entries and its generations; null: everything.
   */
  inSnapshot<T>(
    accountId: string | null,
    work: (snapshot: LedgerSnapshot) => Promise<T>,
  ): Promise<T>;
}
