import { randomUUID } from 'node:crypto';
import { connectMongo, type MongoConnection } from '../adapters/mongo/connectMongo.ts';
import type { ProcessRole } from '../adapters/mongo/processRegistry.ts';
import type { Log } from '../application/ports/system.ts';
import { DatabaseUnavailable } from '../application/ports/database.ts';
import { loadPackage } from './loadPackage.ts';
import type { Config } from '../config.ts';

/** The database, and the embedded server behind it where there is one. */
export interface OpenDatabase extends MongoConnection {
  /** Closes the connection; the last process on an embedded server stops that, too. */
  close(): Promise<void>;
}

/**
 * Opens the database that the settings name: MONGODB_URI, or the embedded server in DATA_DIR, which
 * all processes with that folder share. `requireSchema` comes before it is used.
 * @throws DatabaseUnavailable with a message for people.
 */
export async function openDatabase(
  config: Config,
  options: {
    log: Log;
    role?: ProcessRole;
    poolSize?: number;
    readsOnly?: boolean;
    signal?: AbortSignal;
  },
): Promise<OpenDatabase> {
  const { log, signal, role = config.role, ...rest } = options;
  const embedded = config.database.uri === null ? await startEmbedded(config, log, signal) : null;
  const uri = config.database.uri ?? embedded?.uri ?? '';
  try {
    const mongo = await connectMongo({
      uri,
      log,
      newClaim: randomUUID,
      self: { id: `${process.pid}-${randomUUID()}`, role },
      ...rest,
    });
    return {
      ...mongo,
      async close() {
        await mongo.close();
        await embedded?.release();
      },
    };
  } catch (error) {
    await embedded?.release();
    throw error;
  }
}

/** Starts or joins the embedded server in DATA_DIR. @throws DatabaseUnavailable with a message for people. */
async function startEmbedded(config: Config, log: Log, signal: AbortSignal | undefined) {
  const { environment, database, dataDir } = config;
  const { EmbeddedDatabaseError, findMongod, startEmbeddedMongod } = await loadPackage(
    '@framegate/embedded-mongod',
    () => import('@framegate/embedded-mongod'),
    new DatabaseUnavailable(
      'MONGODB_URI is not set, and this installation does not have the embedded database ' +
        '(@framegate/embedded-mongod): set MONGODB_URI to a MongoDB replica set.',
    ),
  );
  const asUnavailable = (error: unknown): never => {
    if (!(error instanceof EmbeddedDatabaseError)) throw error;
    throw new DatabaseUnavailable(error.message, { cause: error });
  };
  const mongod = await findMongod({
    mongodPath: database.mongod ?? undefined,
    readVariable: environment,
    cacheDir: database.cacheDir ?? undefined,
    log,
    signal,
  }).catch(asUnavailable);
  const { uri, release } = await startEmbeddedMongod({ dataDir, mongod, log, signal }).catch(
    asUnavailable,
  );
  return { uri, release: () => release().catch(asUnavailable) };
}
