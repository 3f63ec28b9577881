/** A migration that was run on a database. */
export interface DoneMigration {
  version: number;
  name: string;
  /** The oldest version whose code works with what it made. */
  worksWith: number;
  /** When it ended, in ms since the epoch. */
  doneAt: number;
  durationMs: number;
}

/** What a database knows of its schema. */
export interface StoredSchema {
  /** By version. */
  done: readonly DoneMigration[];
  /** The process that migrates now; null when none does. */
  migratedBy: string | null;
}

/** The last migration that was run; 0: none, or by releases without numbered migrations. */
export const versionOf = ({ done }: Pick<StoredSchema, 'done'>): number =>
  done.at(-1)?.version ?? 0;

/**
 * How a database's schema and the code that opens it go together: the `same`; `older`, so that it has to be
 * migrated first; `ahead`, migrated by a newer release in a way that this code can live with, as in the
 * middle of a rolling upgrade; or `newer`, and of no use to this code.
 */
export type SchemaVerdict = 'same' | 'older' | 'ahead' | 'newer';

/** Judges a database's schema by the version that the code was written for. */
export function judgeSchema(
  stored: Pick<StoredSchema, 'done'>,
  codeVersion: number,
): SchemaVerdict {
  const version = versionOf(stored);
  if (version === codeVersion) return 'same';
  if (version < codeVersion) return 'older';
  return stored.done.every(({ worksWith }) => worksWith <= codeVersion) ? 'ahead' : 'newer';
}
