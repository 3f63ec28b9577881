import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { minuteMs } from '@framegate/contract/durations';
import type { Log } from '@framegate/contract/log';
import { type DatabaseFolder, openDatabaseFolder, openSecrets } from './databaseFolder.ts';
import { describeFileError, EmbeddedDatabaseError, ignoreErrors } from './errors.ts';
import { removeDeadMarks, withFolderLock } from './folderLock.ts';
import { findMongodOf, type MongodProcess, stopMongod } from './mongodProcess.ts';
import { isRunning, makeProcessMark } from './processes.ts';
import { provideMongod, startMs } from './provideMongod.ts';
import { databaseUri } from './replicaSet.ts';

/** Maximum wait for another process that is starting or stopping the database, in ms. */
const lockMs = startMs + minuteMs;

/** Options of the embedded database. */
export interface EmbeddedMongodOptions {
  /** DATA_DIR: contains the database in its folder `mongodb`. Processes with the same DATA_DIR share it. */
  dataDir: string;
  /** The result of `findMongod`. */
  mongod: { path: string };
  log: Log;
  /** Allows fail points and the like; for tests only. */
  allowsTestCommands?: boolean;
  /**
   * Keeps mongod in this process's group, so that Ctrl-C in the terminal also ends it without a call of
   * `release`; for tests only.
   */
  endsWithTerminal?: boolean;
  signal?: AbortSignal | undefined;
}

/** A running database in use by this process. */
export interface EmbeddedMongod {
  /** Connection string of the database `framegate`. It contains the password: never log it. */
  uri: string;
  /**
   * Ends this use; the last release stops the server cleanly. Idempotent.
   * @throws EmbeddedDatabaseError if another process holds the folder's lock for three minutes.
   */
  release: () => Promise<void>;
  /** Port on 127.0.0.1. */
  port: number;
  pid: number;
}

/**
 * Starts the embedded database, or joins the running one of another process or a killed run with the same data
 * folder. Resolves when it is the writable primary of its replica set.
 * @throws EmbeddedDatabaseError with a message for the operator; the signal's reason if it is aborted.
 */
export async function startEmbeddedMongod(options: EmbeddedMongodOptions): Promise<EmbeddedMongod> {
  const { log, signal } = options;
  const folder = await openDatabaseFolder(options.dataDir);
  return convertErrors(folder, signal, () =>
    withFolderLock(folder.lock, { waitMs: lockMs, signal }, async () => {
      const secrets = await openSecrets(folder);
      const mongod = await provideMongod(folder, secrets, {
        path: options.mongod.path,
        allowsTestCommands: options.allowsTestCommands ?? false,
        detached: !(options.endsWithTerminal ?? false),
        log,
        signal,
      });
      const registration = join(folder.users, await makeProcessMark());
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
 * Stops the database of a data folder if no process uses it, such as after a killed run.
 * @throws EmbeddedDatabaseError if the folder cannot be used, or another process holds its lock for three
 *   minutes.
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
    // The folder was removed, so no process can use this mongod.
    ignoreErrors('ENOENT')(error);
    if (await isRunning(mongod)) await stopMongod(mongod);
  }
}

async function stopIfUnused(folder: DatabaseFolder, log: Log): Promise<void> {
  if ((await removeDeadMarks(folder.users)).length > 0) return;
  const running = await findMongodOf(folder);
  if (running === undefined) return;
  await stopMongod(running);
  log.info({ pid: running.pid }, 'embedded database stopped');
}

/** Turns errors of the file system, such as a full disk, into messages for operators. */
async function convertErrors<T>(
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
      `The embedded database in ${folder.root} cannot be used: ${describeFileError(error)}.`,
      { cause: error },
    );
  }
}
