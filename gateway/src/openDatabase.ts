import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { connectMongo, type MongoConnection } from './adapters/mongo/connectMongo.ts';
import type { ProcessRole } from './adapters/mongo/processRegistry.ts';
import { defaultCacheDir } from './adapters/mongod/defaultCacheDir.ts';
import { findMongod } from './adapters/mongod/findMongod.ts';
import { startEmbeddedMongod } from './adapters/mongod/startEmbeddedMongod.ts';
import type { Log } from './application/ports/log.ts';
import type { Config } from './config.ts';

/** The database, and the embedded server behind it where there is one. */
export interface OpenDatabase extends MongoConnection {
  /** Closes the connection; the last process on an embedded server stops that, too. */
  close(): Promise<void>;
}

/**
 * Opens the database that the settings name: MONGODB_URI, or the embedded server in DATA_DIR, which
 * all processes with that folder share. Its indexes are brought up to date by `migrate`.
 * @throws EmbeddedDatabaseError or DatabaseUnavailable, each with a message for people.
 */
export async function openDatabase(
  config: Config,
  options: { log: Log; role?: ProcessRole; poolSize?: number; signal?: AbortSignal },
): Promise<OpenDatabase> {
  const { log, signal, role = config.role, ...rest } = options;
  const embedded = config.database.uri === null ? await embeddedServer(config, log, signal) : null;
  const uri = config.database.uri ?? embedded?.uri ?? '';
  try {
    const mongo = await connectMongo({
      ...{ uri, log, newClaim: randomUUID },
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

async function embeddedServer(config: Config, log: Log, signal: AbortSignal | undefined) {
  const { environment, database, dataDir } = config;
  const env = { XDG_CACHE_HOME: environment('XDG_CACHE_HOME') };
  const mongod = await findMongod({
    mongodPath: database.mongod ?? undefined,
    readVariable: environment,
    cacheDir: database.cacheDir ?? defaultCacheDir(env, process.platform, homedir()),
    log,
    ...(signal && { signal }),
  });
  return startEmbeddedMongod({ dataDir, mongod, log, signal });
}
