import mongoose from 'mongoose';
import type { Log } from '@framegate/contract';
import { type Database, DatabaseUnavailableError } from '../../application/ports/database.ts';
import type { Feed, MarkTakenDown } from '../../application/ports/operator.ts';
import type { Clock } from '../../application/ports/system.ts';
import type { StoredSchema } from '../../domain/installation/schemaVersion.ts';
import { createAccountChanges } from './accounts/accountChanges.ts';
import { type AccountLookups, createAccountLookups } from './accounts/accountLookups.ts';
import { createAccountStore, createFormerKeyStore } from './accounts/accountStore.ts';
import { createErasedSearchStore } from './accounts/erasedSearch.ts';
import { createErasureStore } from './accounts/erasureStore.ts';
import { type Collections, collectionsOf, createModels, type Models } from './collections.ts';
import { createLedgerStore, createRealPersonAuditStore } from './credits/ledgerStore.ts';
import { createDatabaseClock } from './databaseClock.ts';
import {
  describeUnreachable,
  isDatabaseTrouble,
  isUnauthorized,
  retry,
  whileStarting,
} from './errors.ts';
import { createFeed } from './feed/feed.ts';
import { createGenerationStore } from './generations/generationStore.ts';
import { createUploadStore } from './generations/uploadStore.ts';
import { createGroupCommit } from './groupCommit.ts';
import { createJobStore } from './jobs/jobStore.ts';
import { createLeaseNames } from './jobs/releaseLeases.ts';
import { createMergedReads } from './mergedReads.ts';
import { isCodeOutdated, loadSchema, migrate } from './migrate.ts';
import type { ValidationAction } from './models/applySchemas.ts';
import {
  joinProcesses,
  type ProcessRegistry,
  type ProcessRole,
  unregisteredProcess,
} from './processRegistry.ts';
import { createTaskStore } from './providers/taskStore.ts';
import { createMarkTakenDown } from './staff/operatorStores.ts';
import { createRunTransaction, type RunTransaction } from './transactions.ts';

/** An open connection, to be closed by its owner. */
export interface MongoConnection {
  database: Database;
  clock: Clock;
  collections: Collections;
  models: Models;
  lookups: AccountLookups;
  /** The driver's handle, for Agenda, which shares the connection. */
  db: mongoose.mongo.Db;
  client: mongoose.mongo.MongoClient;
  /** This process's id in the registry of processes. */
  processId: string;
  processes: ProcessRegistry;
  feed: Feed;
  markTakenDown: MarkTakenDown;
  /** Transaction runner for stores made elsewhere. */
  runTransaction: RunTransaction;
  loadSchema(): Promise<StoredSchema>;
  /** Runs the missing migrations (migrate.ts). @returns Their versions. */
  migrate(signal?: AbortSignal): Promise<number[]>;
  close(): Promise<void>;
}

/**
 * Connects to a replica set.
 * @throws DatabaseUnavailableError if it does not respond within a few seconds.
 */
export async function connectMongo(options: {
  uri: string;
  log: Log;
  /** This process in the registry of processes. */
  self: { id: string; role: ProcessRole };
  /** Whether nothing may be written, not even this process's heartbeat. */
  isReadOnly?: boolean;
  /** Callback before the first write; its error closes the connection. */
  admit?: (schema: StoredSchema) => void;
  poolSize?: number;
  /** Whether documents that violate their schemas are logged or refused, from the next migration on. */
  documentChecks?: ValidationAction;
}): Promise<MongoConnection> {
  const connection = mongoose.createConnection(options.uri, {
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    maxPoolSize: options.poolSize ?? 50,
    serverSelectionTimeoutMS: 5_000,
    waitQueueTimeoutMS: 10_000,
    // Operations on a hung server end after heartbeatFrequencyMS + connectTimeoutMS. There is no timeout per operation,
    // because some run long.
    heartbeatFrequencyMS: 5_000,
    connectTimeoutMS: 5_000,
    writeConcern: { w: 'majority' },
  });
  try {
    await connection.asPromise();
  } catch (error) {
    await connection.close().catch(() => undefined);
    throw new DatabaseUnavailableError(describeUnreachable(error), { cause: error });
  }
  connection.on('error', (error: Error) => {
    options.log.warn({ error: error.message }, 'database connection error');
  });
  const client = connection.getClient();
  const db = client.db(connection.name);
  const collections = collectionsOf(connection);
  const models = createModels(connection);
  const { clock, processes } = await join(options, db, collections).catch(
    async (error: unknown) => {
      await connection.close();
      throw error;
    },
  );
  const reads = createMergedReads(collections);
  const runTransaction = createRunTransaction(client, (session) =>
    processes.recordSession(session),
  );
  const lookups = createAccountLookups(collections);
  const accounts = createAccountStore(collections, reads, runTransaction, lookups);
  const database: Database = {
    accounts,
    generations: createGenerationStore(
      collections,
      reads,
      clock,
      createLeaseNames(options.self.id),
      () => processes.isRecovering(),
    ),
    ledger: createLedgerStore(collections),
    jobs: createJobStore(collections, clock),
    realPersonAudit: createRealPersonAuditStore(collections),
    formerKeys: createFormerKeyStore(models, collections),
    tasks: createTaskStore(collections, clock),
    uploads: createUploadStore(models, collections, clock),
    erasures: createErasureStore(collections, clock, runTransaction),
    erasedSearch: createErasedSearchStore(collections, clock),
    changeAccount: createAccountChanges({
      read: (accountId) => accounts.find(accountId),
      findNewest: (accountId) => accounts.findNewest(accountId),
      commit: createGroupCommit(collections, runTransaction),
    }),
    isTrouble: isDatabaseTrouble,
  };

  return {
    database,
    clock,
    collections,
    models,
    lookups,
    db,
    client,
    processId: options.self.id,
    processes,
    feed: createFeed(collections, runTransaction, options.log),
    markTakenDown: createMarkTakenDown(collections, runTransaction),
    runTransaction,
    loadSchema: () => loadSchema(collections, clock),
    migrate: (signal) =>
      migrate({
        collections,
        clock,
        log: options.log,
        // Loaded late: it needs the schemas of all collections, and most commands do not.
        async applySchemas(requireLease) {
          const { applySchemas } = await import('./models/applySchemas.ts');
          await applySchemas(db, options.documentChecks ?? 'error', requireLease);
        },
        holder: options.self.id,
        signal,
      }),
    close: async () => {
      await processes.stop();
      clock.stop();
      await connection.close();
    },
  };
}

/** The database's clock, and this process's registration. @throws DatabaseUnavailableError */
async function join(
  options: Parameters<typeof connectMongo>[0],
  db: mongoose.mongo.Db,
  collections: Collections,
) {
  const clock = await retry(() => createDatabaseClock(db, options.log), whileStarting);
  try {
    if (options.isReadOnly) return { clock, processes: unregisteredProcess };
    options.admit?.(await loadSchema(collections, clock));
    const checkSchema = async () => {
      if (!(await isCodeOutdated(collections))) return null;
      const schema = await loadSchema(collections, clock);
      try {
        options.admit?.(schema);
        return null;
      } catch (error) {
        return error as Error;
      }
    };
    const own = { ...options, db, collections, clock, checkSchema };
    return { clock, processes: await joinProcesses(own) };
  } catch (error) {
    clock.stop();
    if (!isUnauthorized(error)) throw error;
    throw new DatabaseUnavailableError(
      `The user of MONGODB_URI cannot write to the database ${db.databaseName}: give it the role readWrite there.`,
      { cause: error },
    );
  }
}
