import type { Clock } from '../../application/ports/system.ts';
import type { DoneMigration, StoredSchema } from '../../domain/schemaVersion.ts';
import type { Collections } from './collections.ts';
import { fromFields } from './documents.ts';
import { isDatabaseTrouble, isDuplicate } from './errors.ts';
import type { Migration } from './migrations/migration.ts';
import { retry } from './retry.ts';

const lockId = 'lock';
const maxTimeMS = 5_000;

/** How long the database may be without a primary while it is looked at or migrated, in ms. */
const primaryWithinMs = 30_000;

/** Repeats work while the database has no primary. The driver does not do so for the making of an index. */
export function withPrimary<T>(work: () => Promise<T>): Promise<T> {
  return retry(work, { on: isDatabaseTrouble, withinMs: primaryWithinMs, maxPauseMs: 1_000 });
}

/** Reads what was migrated, and writes nothing. */
export async function readSchema(
  { migrations }: Pick<Collections, 'migrations'>,
  clock: Pick<Clock, 'now'>,
): Promise<StoredSchema> {
  const documents = await withPrimary(() => migrations.find({}, { maxTimeMS }).toArray());
  const lock = documents.find(({ _id }) => _id === lockId);
  const { holder, until } = fromFields<{ holder?: string | null; until?: number }>(lock ?? {});
  const done = documents
    .filter(({ _id }) => _id !== lockId)
    .map((document) => fromFields<DoneMigration>(document))
    .sort((a, b) => a.version - b.version);
  const isHeld = typeof holder === 'string' && until !== undefined && until > clock.now();
  return { done, migratedBy: isHeld ? holder : null };
}

/** Notes that a migration has been run; once more changes nothing. */
export async function noteDone(
  { migrations }: Pick<Collections, 'migrations'>,
  { version, name, worksWith }: Migration,
  durationMs: number,
): Promise<void> {
  const fields = { version, name, worksWith, doneAt: '$$NOW', durationMs };
  await withPrimary(() =>
    migrations.updateOne(
      { _id: String(version).padStart(4, '0') },
      [{ $replaceWith: { $mergeObjects: [fields, '$$ROOT'] } }],
      { upsert: true, maxTimeMS },
    ),
  );
}

/** The lock under which one process at a time migrates, with a lease in database time. */
export interface MigrationLock {
  /** Takes it where it is free or its lease has lapsed, or prolongs one's own. @returns whether it is held. */
  take(): Promise<boolean>;
  giveBack(): Promise<void>;
}

/** @param holder Who takes it: a name that no other process has. */
export function migrationLock(
  { migrations }: Pick<Collections, 'migrations'>,
  holder: string,
  leaseMs: number,
): MigrationLock {
  return {
    async take() {
      const free = { $setOnInsert: { holder: null, until: new Date(0) } };
      const made = migrations.updateOne({ _id: lockId }, free, { upsert: true, maxTimeMS });
      await made.catch((error: unknown) => {
        // Two that make it at once meet on its id.
        if (!isDuplicate(error)) throw error;
      });
      const until = { $add: ['$$NOW', leaseMs] };
      const { matchedCount } = await migrations.updateOne(
        {
          _id: lockId,
          $expr: { $or: [{ $eq: ['$holder', holder] }, { $lt: ['$until', '$$NOW'] }] },
        },
        [{ $set: { holder, until } }],
        { maxTimeMS },
      );
      return matchedCount === 1;
    },
    async giveBack() {
      const free = { $set: { holder: null, until: new Date(0) } };
      await migrations.updateOne({ _id: lockId, holder }, free, { maxTimeMS });
    },
  };
}
