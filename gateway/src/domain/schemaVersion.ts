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
  /** By version. */
  done: readonly DoneMigration[];
  /** The process that is migrating, or null. */
  migratedBy: string | null;
}

/** The last completed migration; 0 for none, or for releases without numbered migrations. */
export const versionOf = ({ done }: Pick<StoredSchema, 'done'>): number =>
  done.at(-1)?.version ?? 0;

/**
 * The relation between a database's schema and the code that opens it: `same`; `older`, to be migrated first; `ahead`,
 * migrated by a newer release in a compatible way, as during a rolling upgrade; `newer`, incompatible with this code.
 */
export type SchemaVerdict = 'same' | 'older' | 'ahead' | 'newer';

/** Compares a database's schema with the version expected by the code. */
export function judgeSchema(
  stored: Pick<StoredSchema, 'done'>,
  codeVersion: number,
): SchemaVerdict {
  const version = versionOf(stored);
  if (version === codeVersion) return 'same';
  if (version < codeVersion) return 'older';
  return stored.done.every(({ worksWith }) => worksWith <= codeVersion) ? 'ahead' : 'newer';
}
