import type { MongoConnection } from '../adapters/mongo/connectMongo.ts';
import { codeVersion } from '../adapters/mongo/migrate.ts';
import { PlainRefusal } from '../application/plainRefusal.ts';
import type { Log } from '../application/ports/system.ts';
import type { Config } from '../config.ts';
import { judgeSchema, versionOf } from '../domain/schemaVersion.ts';

/** How a database's schema goes with this code. */
export async function judgeDatabase(database: Pick<MongoConnection, 'schema'>) {
  const stored = await database.schema();
  return { stored, codeVersion, verdict: judgeSchema(stored, codeVersion) };
}

/** @returns why this code cannot work with the database, and what to do; null when it can. */
function refusalOf({ stored, verdict }: Awaited<ReturnType<typeof judgeDatabase>>) {
  const versions = `The database has schema ${versionOf(stored)}, and this version of Framegate needs ${codeVersion}`;
  if (verdict === 'newer') {
    return new PlainRefusal(
      `${versions}: a newer release has migrated it. Install that release, or restore the backup from before it.`,
    );
  }
  if (verdict !== 'older') return null;
  return new PlainRefusal(
    `${versions}: run "npm run admin -- database migrate" of this version first (in a container: "node gateway/src/admin.ts database migrate").`,
  );
}

/**
 * Sees to it that the database has the schema of this code: in development an older one is migrated, in
 * production it is refused, because a step of the deployment migrates there, once for all processes.
 * @throws PlainRefusal that names the command.
 */
export async function requireSchema(
  { mode }: Pick<Config, 'mode'>,
  database: Pick<MongoConnection, 'schema' | 'migrate'>,
  options: { log: Log; signal?: AbortSignal; readsOnly?: boolean },
): Promise<void> {
  const judged = await judgeDatabase(database);
  const { verdict } = judged;
  const refusal = refusalOf(judged);
  if (verdict === 'ahead') {
    options.log.info({}, 'a newer release has migrated the database, and this one works with it');
  }
  if (refusal === null) return;
  if (verdict === 'newer' || mode === 'production') throw refusal;
  if (options.readsOnly !== true) await database.migrate(options.signal);
}
