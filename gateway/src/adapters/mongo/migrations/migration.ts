import type { Log } from '../../../application/ports/system.ts';
import type { Collections } from '../collections.ts';

/**
 * One step of the database's schema. It may be run again after it was cut off anywhere, and beside processes of the
 * version before it: docs/changing.md has the rules.
 */
export interface Migration {
  /** One more than the migration before. */
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
  /** Call it between two steps. @throws when another process has taken the lock over, or at a stop. */
  assertLease: () => void;
}
