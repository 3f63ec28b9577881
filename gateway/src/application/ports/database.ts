import type { Account } from '../../domain/account.ts';
import type { Generation } from '../../domain/generation.ts';
import type { LedgerEntry } from '../../domain/ledger.ts';
import type { RealPersonAudit } from '../../domain/realPersonAudit.ts';
import type { AccountStore } from './accountStore.ts';
import type { FormerKeyStore } from './formerKeyStore.ts';
import type { GenerationChange, GenerationStore } from './generationStore.ts';
import type { JobStore } from './jobStore.ts';
import type { LedgerStore } from './ledgerStore.ts';
import type { RealPersonAuditStore } from './realPersonAuditStore.ts';

/** The stores, seen outside or inside one transaction. */
export interface Stores {
  accounts: AccountStore;
  generations: GenerationStore;
  ledger: LedgerStore;
  jobs: JobStore;
}

/** An account's next version. */
export interface AccountChange {
  before: Account;
  after: Account;
  /** When set, database time must still be before it: a lot that is spent expires then. */
  spendsBefore?: number | undefined;
}

/** A change of an unfinished generation under its lease. */
export interface GenerationEnd {
  generation: Generation;
  change: GenerationChange;
  /** The database's own clock must be past the deadline. */
  onlyPastDeadline?: boolean | undefined;
}

/** Writes that happen together or not at all. */
export interface UnitOfWork {
  insert?: Generation;
  /** The use of real-person mode that `insert` makes. */
  audit?: RealPersonAudit | undefined;
  end?: GenerationEnd;
  account: AccountChange;
  entry?: LedgerEntry | undefined;
  job?: { generationId: string; runAt: number };
}

/** The database. It answers `DatabaseUnavailable` when it cannot be reached. */
export interface Database extends Stores {
  realPersonAudit: RealPersonAuditStore;
  formerKeys: FormerKeyStore;
  /**
   * Runs `work` in one majority transaction with stores bound to it; it may run more than once, so it
   * has no side effects of its own. Unknown commit results are resolved before it returns.
   */
  transaction<T>(work: (stores: Stores) => Promise<T>): Promise<T>;
  /**
   * Commits a unit of work with majority; units of one moment share a transaction. Passing conflicts and
   * unknown commit results are resolved before it answers.
   * @throws StaleWrite or DuplicateValue when the unit's own writes meet such; nothing is written then.
   */
  commit(unit: UnitOfWork): Promise<void>;
}
