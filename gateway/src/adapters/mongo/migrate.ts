import type { Log } from '@framegate/contract';
import { pause, repeatEvery } from '@framegate/limits';
import type { Clock } from '../../application/ports/system.ts';
import {
  type DoneMigration,
  type StoredSchema,
  versionOf,
} from '../../domain/installation/schemaVersion.ts';
import { type Collections, shortReadMs as maxTimeMS } from './collections.ts';
import { ignoreDuplicate, retry, whileStarting } from './errors.ts';
import type { Migration } from './migrations/migration.ts';
import { migrationCodec } from './models/migrations.ts';

/** The schema version of this code: the number of its migrations, which only `migrate` loads. */
export const codeVersion = 1;

/** The oldest schema version on which this code works: the migrations after it only remove things. */
export const neededVersion = 1;

const defaultLeaseMs = 30_000;

/** Dependencies of a migration. */
export interface MigrateOptions {
  collections: Collections;
  clock: Pick<Clock, 'now'>;
  log: Log;
  /** This process, by a unique name. */
  holder: string;
  /** Aborts the wait for another process, and the work at its next step. */
  signal?: AbortSignal | undefined;
  /** Gives all collections the validators and indexes of this code's schemas (models/applySchemas.ts). */
  applySchemas: (requireLease: () => void) => Promise<void>;
  /** Overridden by tests. */
  migrations?: readonly Migration[];
  leaseMs?: number;
}

/**
 * Runs the migrations that the database lacks, in one process at a time: others wait, and take over from a killed one
 * when its lease expires. Each completed migration is recorded; an interrupted one runs again. A migration that would
 * break a running process waits for a later call, as do those after it. A schema newer than this code is left alone.
 * @returns The versions that were run.
 * @throws The signal's reason; the error of a failed migration.
 */
export async function migrate(options: MigrateOptions): Promise<number[]> {
  const { collections, log, holder, leaseMs = defaultLeaseMs } = options;
  const { signal = new AbortController().signal } = options;
  const { migrations } = options.migrations ? options : await import('./migrations/all.ts');
  let isReported = false;
  /** The missing migrations up to the first that must wait. */
  async function findPending(): Promise<Migration[]> {
    const version = versionOf(await loadSchema(collections, options.clock));
    const missing = migrations.filter((each) => each.version > version);
    for (const [index, migration] of missing.entries()) {
      if (!(await isNeededByOthers(collections, migration))) continue;
      if (!isReported) log.info({ version: migration.version }, waitsForOthers);
      isReported = true;
      return missing.slice(0, index);
    }
    return missing;
  }
  const lock = migrationLock(collections, holder, leaseMs);
  let isWaiting = false;
  for (;;) {
    if ((await findPending()).length === 0) {
      await keepSchemas(options, migrations.length);
      return [];
    }
    if (await withPrimary(() => lock.acquire())) break;
    if (!isWaiting) log.info({}, 'waiting for another process to migrate the database');
    isWaiting = true;
    await pause(Math.min(1_000, leaseMs / 4), signal);
    signal.throwIfAborted();
  }
  const lease = keepLease(lock, leaseMs, signal);
  try {
    const todo = await findPending();
    // For a new database, logs only the start and the end instead of two lines per migration.
    const isNew = todo[0]?.version === 1;
    const begunAt = performance.now();
    if (isNew) log.info({}, 'creating the collections and indexes of a new database');
    for (const migration of todo) {
      const { version, name } = migration;
      if (!isNew) log.info({}, `migrating the database: ${version}, ${name}`);
      const startedAt = performance.now();
      const { requireLease } = lease;
      requireLease();
      await withPrimary(() =>
        migration.run({
          collections,
          log,
          applySchemas: () => options.applySchemas(requireLease),
          requireLease,
        }),
      );
      requireLease();
      const durationMs = Math.round(performance.now() - startedAt);
      await recordDone(collections, migration, durationMs);
      if (!isNew) log.info({ version, durationMs }, 'database migrated');
    }
    const newestVersion = todo.at(-1)?.version;
    if (isNew) {
      log.info(
        { version: newestVersion, durationMs: Math.round(performance.now() - begunAt) },
        'database created',
      );
    }
    return todo.map(({ version }) => version);
  } finally {
    lease.stop();
    // If it cannot be released now, its lease expires.
    await lock.release().catch(() => undefined);
  }
}

const waitsForOthers =
  'a migration is waiting for processes that still need the removed parts: run "database migrate" again once they have stopped';

/** Whether a migration may break a running process. */
async function isNeededByOthers(
  { processes }: Pick<Collections, 'processes'>,
  { worksWith }: Migration,
): Promise<boolean> {
  const older = { codeVersion: { $lt: worksWith } };
  return withPrimary(async () => (await processes.countDocuments(older, { maxTimeMS })) > 0);
}

/** Applies a changed DOCUMENT_CHECKS. Validators of a newer release are left alone. */
async function keepSchemas(
  { collections, clock, applySchemas, signal }: MigrateOptions,
  target: number,
): Promise<void> {
  const version = versionOf(await loadSchema(collections, clock));
  if (version >= neededVersion && version <= target) {
    await withPrimary(() => applySchemas(() => signal?.throwIfAborted()));
  }
}

/** Renews the lease until stopped, and checks between two steps that it is still held. */
function keepLease(lock: MigrationLock, leaseMs: number, signal: AbortSignal) {
  // By the monotonic clock, read before the write, so that the lease expires later than this says.
  let leaseUntil = performance.now() + leaseMs;
  const extend = async () => {
    const until = performance.now() + leaseMs;
    leaseUntil = (await lock.acquire()) ? until : -Infinity;
  };
  // A failure shows when the lease has expired.
  const stop = repeatEvery(leaseMs / 6, extend, () => undefined);
  return {
    stop,
    requireLease: () => {
      signal.throwIfAborted();
      if (performance.now() < leaseUntil) return;
      throw new Error('Another process took over the migration lock and continues the migrations.');
    },
  };
}

const lockId = 'lock';

/** Retries work while the database has no primary. The driver does not do so when it creates an index. */
export function withPrimary<T>(work: () => Promise<T>): Promise<T> {
  return retry(work, whileStarting);
}

/** Reads the state of the migrations without writing. */
export async function loadSchema(
  { migrations, accounts }: Pick<Collections, 'migrations' | 'accounts'>,
  clock: Pick<Clock, 'now'>,
): Promise<StoredSchema> {
  const rows = await withPrimary(() => migrations.find({}, { maxTimeMS }).toArray());
  const documents = rows.map(migrationCodec.fromStored);
  const { holder = null, until = 0 } = documents.find(({ id }) => id === lockId) ?? {};
  const past = documents.filter(isDone).toSorted((a, b) => a.version - b.version);
  const migratedBy = until > clock.now() ? holder : null;
  const any = { projection: { _id: 1 }, maxTimeMS } as const;
  const isOurs = past.length > 0 || (await withPrimary(() => accounts.findOne({}, any))) === null;
  return { done: past, migratedBy, isKnown: isOurs && (past[0]?.name ?? first) === first };
}

/** Whether a migration has run that breaks this code. */
export async function isCodeOutdated({
  migrations,
}: Pick<Collections, 'migrations'>): Promise<boolean> {
  const newer = { worksWith: { $gt: codeVersion } };
  return (await migrations.findOne(newer, { projection: { _id: 1 }, maxTimeMS })) !== null;
}

/** The name of the first migration, which distinguishes this product's databases from others. */
const first = 'init';

const isDone = <T extends { version?: number }>(document: T): document is T & DoneMigration =>
  document.version !== undefined;

/** Records a completed migration; repeating it changes nothing. */
export async function recordDone(
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
  /** Acquires the lock if it is free or its lease has expired, or renews our own. @returns Whether it is held. */
  acquire(): Promise<boolean>;
  release: () => Promise<void>;
}

/** @param holder A name unique to the process. */
export function migrationLock(
  { migrations }: Pick<Collections, 'migrations'>,
  holder: string,
  leaseMs: number,
): MigrationLock {
  return {
    async acquire() {
      const freeLock = { $setOnInsert: { holder: null, until: new Date(0) } };
      // Two processes that create it simultaneously collide on its id.
      await ignoreDuplicate(
        migrations.updateOne({ _id: lockId }, freeLock, { upsert: true, maxTimeMS }),
      );
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
    async release() {
      const freeLock = { $set: { holder: null, until: new Date(0) } };
      await migrations.updateOne({ _id: lockId, holder }, freeLock, { maxTimeMS });
    },
  };
}
