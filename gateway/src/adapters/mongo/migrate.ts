import { pause, repeatEvery } from '../../application/ports/timing.ts';
import type { Clock, Log } from '../../application/ports/system.ts';
import { versionOf } from '../../domain/schemaVersion.ts';
import type { Collections } from './collections.ts';
import { migrations as allMigrations } from './migrations/all.ts';
import type { Migration } from './migrations/migration.ts';
import {
  migrationLock,
  noteDone,
  readSchema,
  withPrimary,
  type MigrationLock,
} from './schemaStore.ts';

/** The schema version for which this code was written. */
export const codeVersion = allMigrations.length;

const usualLeaseMs = 30_000;

/** What migrating needs. */
export interface MigrateOptions {
  collections: Collections;
  clock: Pick<Clock, 'now'>;
  log: Log;
  /** This process, by a name that no other has. */
  holder: string;
  /** Ends the wait for another process, and the work at its next step. */
  signal?: AbortSignal | undefined;
  /** Tests give others. */
  migrations?: readonly Migration[];
  leaseMs?: number;
}

/**
 * Runs the migrations that the database lacks, one process at a time: others wait, and one that is killed is
 * taken over from when its lease lapses. Each is noted when it is done; one that was cut off is run again.
 * A schema that is newer than this code stays as it is.
 * @returns the versions that were run.
 * @throws The signal's reason; the error of a migration that fails.
 */
export async function migrate(options: MigrateOptions): Promise<number[]> {
  const { collections, log, holder, leaseMs = usualLeaseMs } = options;
  const { migrations = allMigrations, signal = new AbortController().signal } = options;
  const pending = async () => {
    const version = versionOf(await readSchema(collections, options.clock));
    return migrations.filter((each) => each.version > version);
  };
  const lock = migrationLock(collections, holder, leaseMs);
  let isWaiting = false;
  for (;;) {
    if ((await pending()).length === 0) return [];
    if (await withPrimary(() => lock.take())) break;
    if (!isWaiting) log.info({}, 'another process migrates the database: waiting for it');
    isWaiting = true;
    await pause(Math.min(1_000, leaseMs / 4), signal);
    signal.throwIfAborted();
  }
  const lease = keepLease(lock, leaseMs, signal);
  try {
    const todo = await pending();
    for (const migration of todo) {
      const { version, name } = migration;
      log.info({}, `migrating the database: ${version}, ${name}`);
      const startedAt = performance.now();
      const { assertHeld } = lease;
      assertHeld();
      await withPrimary(() => migration.run({ collections, log, assertHeld }));
      assertHeld();
      const durationMs = Math.round(performance.now() - startedAt);
      await noteDone(collections, migration, durationMs);
      log.info({ version, durationMs }, 'the database is migrated');
    }
    return todo.map(({ version }) => version);
  } finally {
    lease.stop();
    // Where it cannot be given back now, its lease lapses.
    await lock.giveBack().catch(() => undefined);
  }
}

/** Prolongs the lease until it is stopped, and tells between two steps whether it still holds. */
function keepLease(lock: MigrationLock, leaseMs: number, signal: AbortSignal) {
  // By the monotonic clock: the lease counts from a moment after this one.
  let heldUntil = performance.now() + leaseMs;
  const prolong = async () => {
    const until = performance.now() + leaseMs;
    heldUntil = (await lock.take()) ? until : -Infinity;
  };
  // A failure shows when the lease is over.
  const stop = repeatEvery(leaseMs / 6, prolong, () => undefined);
  return {
    stop,
    assertHeld: () => {
      signal.throwIfAborted();
      if (performance.now() < heldUntil) return;
      throw new Error(
        'The lock on migrations was lost to another process, which goes on with them.',
      );
    },
  };
}
