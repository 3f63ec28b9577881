import mongoose from 'mongoose';
import type { Clock } from '../../application/ports/clock.ts';
import type { Database, Stores } from '../../application/ports/database.ts';
import type { Log } from '../../application/ports/log.ts';
import { DatabaseUnavailable } from '../../application/ports/storeErrors.ts';
import { createAccountStore } from './accountStore.ts';
import { collectionsOf, type Collections } from './collections.ts';
import { createDatabaseClock } from './databaseClock.ts';
import { asDuplicate, asUnavailable, translating } from './errors.ts';
import { createFormerKeyStore } from './formerKeyStore.ts';
import { createGenerationStore } from './generationStore.ts';
import { createGroupCommit } from './groupCommit.ts';
import { createJobStore } from './jobStore.ts';
import { createLedgerStore } from './ledgerStore.ts';
import { createMergedReads } from './mergedReads.ts';
import { migrate } from './migrate.ts';
import { createRealPersonAuditStore } from './realPersonAuditStore.ts';

const majority = new mongoose.mongo.WriteConcern('majority');

/** How long an operation may take before the answer is 503, in ms. */
const operationMs = 15_000;

/** An open connection: its owner closes it, nobody else. */
export interface MongoConnection {
  database: Database;
  clock: Clock;
  collections: Collections;
  /** The driver's handle, for Agenda, which shares the connection. */
  db: mongoose.mongo.Db;
  client: mongoose.mongo.MongoClient;
  migrate(): Promise<void>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects to a replica set.
 * @throws DatabaseUnavailable when it cannot be reached within a few seconds.
 */
export async function connectMongo(options: {
  uri: string;
  log: Log;
  newClaim: () => string;
  poolSize?: number;
}): Promise<MongoConnection> {
  const connection = mongoose.createConnection(options.uri, {
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
    maxPoolSize: options.poolSize ?? 50,
    serverSelectionTimeoutMS: 5_000,
    waitQueueTimeoutMS: 10_000,
    // A server that keeps its connections and says nothing is given up after their sum: what waits for
    // it ends, whatever it is, without a limit on operations that take long.
    heartbeatFrequencyMS: 5_000,
    connectTimeoutMS: 5_000,
    writeConcern: { w: 'majority' },
  });
  try {
    await connection.asPromise();
  } catch (error) {
    await connection.close().catch(() => undefined);
    throw new DatabaseUnavailable(
      `MongoDB does not answer at MONGODB_URI: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  connection.on('error', (error: Error) => {
    options.log.warn({ error: error.message }, 'database connection');
  });
  const client = connection.getClient();
  const db = client.db(connection.name);
  const clock = await createDatabaseClock(db);
  const collections = collectionsOf(connection);

  const reads = createMergedReads(collections);
  const storesOf = (session: mongoose.mongo.ClientSession | undefined): Stores => ({
    accounts: translating(createAccountStore(collections, reads, session), asDuplicate),
    generations: translating(
      createGenerationStore(collections, reads, clock, options.newClaim, session),
      asDuplicate,
    ),
    ledger: translating(createLedgerStore(collections, session), asDuplicate),
    jobs: translating(createJobStore(collections, clock, session), asDuplicate),
  });
  const plain = storesOf(undefined);

  async function transact<T>(
    work: (session: mongoose.mongo.ClientSession) => Promise<T>,
  ): Promise<T> {
    const session = client.startSession();
    try {
      // Retries passing conflicts and unknown commit results until the time is up.
      return await session.withTransaction(work, {
        readConcern: { level: 'snapshot' },
        writeConcern: majority,
        readPreference: 'primary',
        timeoutMS: operationMs,
      });
    } catch (error) {
      throw asUnavailable(error);
    } finally {
      await session.endSession();
    }
  }

  const database: Database = {
    accounts: translating(plain.accounts, asUnavailable),
    generations: translating(plain.generations, asUnavailable),
    ledger: translating(plain.ledger, asUnavailable),
    jobs: translating(plain.jobs, asUnavailable),
    realPersonAudit: createRealPersonAuditStore(collections),
    formerKeys: createFormerKeyStore(collections),
    transaction: (work) => transact((session) => work(storesOf(session))),
    commit: createGroupCommit(collections, (work) =>
      transact((session) =>
        work(session).catch((error: unknown) => {
          throw asDuplicate(error);
        }),
      ),
    ),
  };

  return {
    database,
    clock,
    collections,
    db,
    client,
    migrate: () => migrate(collections),
    ping: async () => {
      await db.admin().command({ ping: 1 });
    },
    close: async () => {
      clock.stop();
      await connection.close();
    },
  };
}
