import type { Log } from '@framegate/contract';
import type { Collections } from '../collections.ts';

/**
 * One step of the database's schema. It may run again after an interruption at any point, and next to processes of the
 * previous version; docs/changing.md lists the rules.
 */
export interface Migration {
  /** One more than the previous migration's. */
  version: number;
  name: string;
  /**
   * The oldest version whose code still works once this has run: for an expanding step the value of the previous
   * migration; for a contracting step the first version whose code no longer needs the removed parts.
   */
  worksWith: number;
  run(context: MigrationContext): Promise<void>;
}

/** The database as a migration sees it. */
export interface MigrationContext {
  collections: Collections;
  log: Log;
  /** Gives all collections the validators and indexes of this code's schemas (models/applySchemas.ts). */
  applySchemas: () => Promise<void>;
  /** Call it between two steps. @throws If another process has taken over the lock, or at a stop. */
  requireLease: () => void;
}
