/** A completed migration of a database. */
export interface DoneMigration {
  version: number;
  name: string;
  /** The oldest version whose code works with the result. */
  worksWith: number;
  /** When it ended, in ms since the epoch. */
  doneAt: number;
  durationMs: number;
}

/** The state of a database's schema. */
export interface StoredSchema {
  /** Completed migrations by version. */
  done: readonly DoneMigration[];
  /** The process that is migrating, or null. */
  migratedBy: string | null;
  /** False if the database begins with another migration than this product's, or has accounts without any. */
  isKnown: boolean;
}

/** The last completed migration; 0 for none. */
export const versionOf = ({ done }: Pick<StoredSchema, 'done'>): number =>
  done.at(-1)?.version ?? 0;

/**
 * The relation between a database's schema and the code that opens it: the `same`; `pending`, which lacks only
 * removals that wait for older processes to end; `older`, to be migrated first; `ahead`, migrated by a newer release in
 * a compatible way, as during a rolling upgrade; `newer`, incompatible with this code; `unknown`, made by other code.
 */
export type SchemaVerdict = 'same' | 'pending' | 'older' | 'ahead' | 'newer' | 'unknown';

/**
 * Compares a database's schema with the version that the code was written for.
 * @param code.needed The oldest version on which the code works: those after it only remove things.
 */
export function judgeSchema(
  schema: Pick<StoredSchema, 'done' | 'isKnown'>,
  code: { version: number; needed: number },
): SchemaVerdict {
  if (!schema.isKnown) return 'unknown';
  const version = versionOf(schema);
  if (version === code.version) return 'same';
  if (version < code.version) return version < code.needed ? 'older' : 'pending';
  return schema.done.every(({ worksWith }) => worksWith <= code.version) ? 'ahead' : 'newer';
}
