import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabaseFolder, openSecrets, type DatabaseFolder } from './databaseFolder.ts';
import { EmbeddedDatabaseError, explainFileError, ignoring } from './errors.ts';
import { removeDeadMarks, withFolderLock } from './folderLock.ts';
import type { Log } from './log.ts';
import { findMongodOf, stopMongod, type MongodProcess } from './mongodProcess.ts';
import { isRunning, newProcessMark } from './processes.ts';
import { provideMongod, startMs } from './provideMongod.ts';
import { databaseUri } from './replicaSet.ts';

/** Longest wait for another process that is starting or stopping the database, in ms. */
const lockMs = startMs + 60_000;

export interface EmbeddedMongodOptions {
  /** DATA_DIR: the database lives in its folder `mongodb`. Processes that name the same one share it. */
  dataDir: string;
  /** From `findMongod`. */
  mongod: { path: string };
  log: Log;
  /** Allows fail points and the like; for tests only. */
  testCommands?: boolean;
  /**
   * Leaves mongod in this process's group, so that Ctrl-C in the terminal ends it too even if
   * `release` is never called; for tests only.
   */
  endsWithTerminal?: boolean;
  signal?: AbortSignal | undefined;
}

/** A running database that this process uses. */
export interface EmbeddedMongod {
  /** Connection string of the database `framegate`. It holds the password: never log it. */
  uri: string;
  /**
   * Ends this use; the last user's release stops the server cleanly. Calling it again does nothing.
   * @throws EmbeddedDatabaseError when another process holds the folder's lock for three minutes.
   */
  release: () => Promise<void>;
  /** On 127.0.0.1. */
  port: number;
  pid: number;
}

/**
 * Starts the embedded database, or joins the one that another process with the same data folder is
 * using or that a killed run has left. Returns when it is the writable primary of its replica set.
 * @throws EmbeddedDatabaseError with a message for people when there is none; the signal's reason when
 *   it is aborted.
 */
export async function startEmbeddedMongod(options: EmbeddedMongodOptions): Promise<EmbeddedMongod> {
  const { log, signal } = options;
  if (process.platform === 'win32') {
    throw new EmbeddedDatabaseError(
      'There is no embedded database on Windows: name a replica set with MONGODB_URI.',
    );
  }
  const folder = await openDatabaseFolder(options.dataDir);
  return explained(folder, signal, () =>
    withFolderLock(folder.lock, { waitMs: lockMs, signal }, async () => {
      const secrets = await openSecrets(folder);
      const mongod = await provideMongod(folder, secrets, {
        path: options.mongod.path,
        testCommands: options.testCommands ?? false,
        detached: !(options.endsWithTerminal ?? false),
        log,
        signal,
      });
      const registration = join(folder.users, await newProcessMark());
      await writeFile(registration, '');
      const { port, pid } = mongod;
      let released: Promise<void> | undefined;
      return {
        uri: databaseUri(port, secrets.password),
        release: () => (released ??= release(folder, registration, mongod, log)),
        port,
        pid,
      };
    }),
  );
}

/**
 * Stops the database of a data folder if it is running and no living process uses it, as after a run
 * that was killed.
 * @throws EmbeddedDatabaseError when the folder cannot be used, or another process holds its lock for
 *   three minutes.
 */
export async function stopUnusedMongod(dataDir: string, log: Log): Promise<void> {
  if (!existsSync(join(dataDir, 'mongodb'))) return;
  const folder = await openDatabaseFolder(dataDir);
  await withFolderLock(folder.lock, { waitMs: lockMs }, () => stopIfUnused(folder, log));
}

async function release(
  folder: DatabaseFolder,
  registration: string,
  mongod: MongodProcess,
  log: Log,
): Promise<void> {
  try {
    await withFolderLock(folder.lock, { waitMs: lockMs }, async () => {
      await rm(registration, { force: true });
      await stopIfUnused(folder, log);
    });
  } catch (error) {
    // The folder has been removed, so no process can use this mongod any more.
    ignoring('ENOENT')(error);
    if (await isRunning(mongod)) await stopMongod(mongod);
  }
}

async function stopIfUnused(folder: DatabaseFolder, log: Log): Promise<void> {
  if ((await removeDeadMarks(folder.users)).length > 0) return;
  const running = await findMongodOf(folder);
  if (running === undefined) return;
  await stopMongod(running);
  log.info({ pid: running.pid }, 'the embedded database has been stopped');
}

/** Errors of the file system, such as a full disk, come out as a message for people. */
async function explained<T>(
  folder: DatabaseFolder,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof EmbeddedDatabaseError) throw error;
    throw new EmbeddedDatabaseError(
      `The embedded database in ${folder.root} cannot be used: ${explainFileError(error)}.`,
      { cause: error },
    );
  }
}
