import { randomUUID } from 'node:crypto';
import type { Log } from '@framegate/contract';
import { connectMongo, type MongoConnection } from '../adapters/mongo/connectMongo.ts';
import { codeVersion, neededVersion } from '../adapters/mongo/migrate.ts';
import type { ProcessRole } from '../adapters/mongo/processRegistry.ts';
import { actor } from '../adapters/system/actor.ts';
import { withEvents } from '../application/accounts/withEvents.ts';
import { DatabaseUnavailableError } from '../application/ports/database.ts';
import type { Config } from '../config.ts';
import { CommandError } from '../domain/installation/commandError.ts';
import { judgeSchema, type StoredSchema, versionOf } from '../domain/installation/schemaVersion.ts';
import { loadPackage } from './loadPackage.ts';

/** The database, with the embedded server behind it, if any. */
export interface OpenDatabase extends MongoConnection {
  /** The database's connection string, with its password. */
  uri: string;
  /** Closes the connection; the last process on an embedded server stops the server. */
  close(): Promise<void>;
}

/**
 * Opens the database from the settings: MONGODB_URI, or the embedded server in DATA_DIR, which all processes
 * with that folder share. Call `requireSchema` before using it.
 * @throws DatabaseUnavailableError with a message for the operator.
 */
export async function openDatabase(
  config: Config,
  options: {
    log: Log;
    role?: ProcessRole;
    poolSize?: number;
    isReadOnly?: boolean;
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
      self: { id: `${process.pid}-${randomUUID()}`, role },
      admit,
      documentChecks: config.database.documentChecks,
      ...rest,
    });
    const changeAccount = withEvents(mongo.database.changeAccount, {
      clock: mongo.clock,
      actor,
      lowCredits: config.lowCredits,
    });
    return {
      ...mongo,
      uri,
      database: { ...mongo.database, changeAccount },
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

/**
 * Starts or joins the embedded server in DATA_DIR.
 * @throws DatabaseUnavailableError with a message for the operator.
 */
async function startEmbedded(config: Config, log: Log, signal: AbortSignal | undefined) {
  const { environment, database, dataDir } = config;
  const { EmbeddedDatabaseError, findMongod, startEmbeddedMongod } = await loadPackage(
    '@framegate/embedded-mongod',
    () => import('@framegate/embedded-mongod'),
    new DatabaseUnavailableError(
      'MONGODB_URI is not set, and this installation does not have the embedded database ' +
        '(@framegate/embedded-mongod): set MONGODB_URI to a MongoDB replica set.',
    ),
  );
  const asUnavailable = (error: unknown): never => {
    if (!(error instanceof EmbeddedDatabaseError)) throw error;
    throw new DatabaseUnavailableError(error.message, { cause: error });
  };
  const mongod = await findMongod({
    mongodPath: database.mongod ?? undefined,
    readVariable: environment,
    cacheDir: database.cacheDir ?? undefined,
    dataDir,
    log,
    signal,
  }).catch(asUnavailable);
  const { uri, release } = await startEmbeddedMongod({ dataDir, mongod, log, signal }).catch(
    asUnavailable,
  );
  return { uri, release: () => release().catch(asUnavailable) };
}

/** Compares a database's schema with this code. */
export async function judgeDatabase(database: Pick<MongoConnection, 'loadSchema'>) {
  return judge(await database.loadSchema());
}

function judge(stored: StoredSchema) {
  const code = { version: codeVersion, needed: neededVersion };
  return { stored, codeVersion, verdict: judgeSchema(stored, code) };
}

/** Keeps this code from writing to a database that it cannot migrate. @throws CommandError */
function admit(stored: StoredSchema): void {
  const judged = judge(stored);
  const refusal = judged.verdict === 'older' ? null : schemaError(judged);
  if (refusal !== null) throw refusal;
}

/** @returns The reason why this code cannot work with the database, with a remedy; null if it can. */
function schemaError({ stored, verdict }: ReturnType<typeof judge>): CommandError | null {
  if (verdict === 'unknown') {
    return new CommandError(
      'The database was created by a version before 0.1.0, whose schema is not supported. Export your data with that version or with mongodump, then start with a new database (MONGODB_URI) or another DATA_DIR.',
    );
  }
  const versions = `The database has schema ${versionOf(stored)}, and this version of Framegate needs ${neededVersion}`;
  if (verdict === 'newer') {
    return new CommandError(
      `${versions}: a newer release has migrated it. Install that release, or restore a backup from before the migration.`,
    );
  }
  if (verdict !== 'older') return null;
  return new CommandError(
    `${versions}: first run "npm run admin -- database migrate" from this version (in a container: "node gateway/src/admin.ts database migrate").`,
  );
}

/**
 * Ensures that the database has a schema with which this code works. In development the missing migrations are run; in
 * production an older schema is refused, because there a deployment step migrates once for all processes.
 * @throws CommandError naming the command.
 */
export async function requireSchema(
  { mode }: Pick<Config, 'mode'>,
  database: Pick<MongoConnection, 'loadSchema' | 'migrate'>,
  options: { log: Log; signal?: AbortSignal; isReadOnly?: boolean },
): Promise<void> {
  const judged = await judgeDatabase(database);
  const { verdict } = judged;
  const refusal = schemaError(judged);
  if (verdict === 'ahead') {
    options.log.info({}, 'database was migrated by a newer, compatible release');
  }
  if (refusal !== null && (verdict !== 'older' || mode === 'production')) throw refusal;
  const isBehind = verdict === 'older' || verdict === 'pending';
  if (isBehind && mode !== 'production' && options.isReadOnly !== true) {
    await database.migrate(options.signal);
  }
}
