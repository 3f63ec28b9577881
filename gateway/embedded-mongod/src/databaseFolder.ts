import { randomBytes } from 'node:crypto';
import {
  access,
  chmod,
  constants,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedDatabaseError, explainFileError, ignoring } from './errors.ts';

/** The files of one embedded database, all under `<dataDir>/mongodb`, which only its owner may enter. */
export interface DatabaseFolder {
  root: string;
  /** mongod's data. */
  dbPath: string;
  /** mongod's log of its present run; that of the run before has the suffix `.old`. */
  logFile: string;
  /** What mongod writes before it has a log, such as errors of the dynamic linker. */
  outputFile: string;
  /** One file per process that uses the database, named by its mark. */
  users: string;
  /** Held while the database is started, joined or left. */
  lock: string;
}

/** What is kept about a mongod from one run to the next. */
export interface ServerRecord {
  /** Port on 127.0.0.1; the stored replica set configuration names it too. */
  port: number;
  /** The server that used the data last, for the message when another version cannot read it. */
  version?: string;
  path?: string;
}

/** Secrets of one embedded database, made with it. */
export interface DatabaseSecrets {
  /** File with the replica set's key, which gives every right on the server. */
  keyFile: string;
  key: string;
  /** Of the user `framegate`. */
  password: string;
}

/**
 * Makes sure that a folder is there, can be written, and, if it is new or empty, that only its owner
 * may enter (0700). A folder that already holds something keeps its rights.
 * @param setting The setting that names it, for the message.
 * @throws EmbeddedDatabaseError when it cannot be made or written.
 */
export async function openPrivateFolder(path: string, setting: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    if ((await readdir(path)).length === 0) await chmod(path, 0o700);
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `The folder ${path} cannot be used: ${explainFileError(error)}. Name another with ${setting}.`,
      { cause: error },
    );
  }
}

/**
 * Makes the folders where they are missing, and resolves links, so that all processes use one path.
 * @throws EmbeddedDatabaseError when they cannot be made or written.
 */
export async function openDatabaseFolder(dataDir: string): Promise<DatabaseFolder> {
  await openPrivateFolder(dataDir, 'DATA_DIR');
  const root = join(await realpath(dataDir), 'mongodb');
  await openPrivateFolder(root, 'DATA_DIR');
  await chmod(root, 0o700);
  const folder = {
    root,
    dbPath: join(root, 'db'),
    logFile: join(root, 'mongod.log'),
    outputFile: join(root, 'mongod.output.log'),
    users: join(root, 'users'),
    lock: join(root, 'lock'),
  };
  await mkdir(folder.dbPath, { recursive: true, mode: 0o700 });
  await mkdir(folder.users, { recursive: true, mode: 0o700 });
  return folder;
}

/** The record of the last run; undefined when there is none that can be read. */
export async function readServerRecord(folder: DatabaseFolder): Promise<ServerRecord | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(join(folder.root, 'server.json'), 'utf8'));
    if (typeof value !== 'object' || value === null || !('port' in value)) return undefined;
    return Number.isInteger(value.port) ? (value as ServerRecord) : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the record. Call it with the folder's lock held. */
export function writeServerRecord(folder: DatabaseFolder, record: ServerRecord): Promise<void> {
  return writeWhole(join(folder.root, 'server.json'), `${JSON.stringify(record)}\n`);
}

/** Reads the secrets, or makes them. Call it with the folder's lock held. */
export async function openSecrets(folder: DatabaseFolder): Promise<DatabaseSecrets> {
  const keyFile = join(folder.root, 'keyfile');
  const key = await readOrMake(keyFile, 96);
  return { keyFile, key, password: await readOrMake(join(folder.root, 'password'), 24) };
}

/** @param size Random bytes of a new secret; it is written as hexadecimal digits. */
async function readOrMake(path: string, size: number): Promise<string> {
  const stored = await readFile(path, 'utf8').catch(ignoring('ENOENT'));
  if (stored !== undefined && /^[0-9a-f]{16,}$/.test(stored)) {
    await chmod(path, 0o600); // mongod refuses a key that others could read
    return stored;
  }
  const secret = randomBytes(size).toString('hex');
  await writeWhole(path, secret);
  return secret;
}

/** Replaces a file in one step: readers see the old content or the new, never a part of it. */
async function writeWhole(path: string, content: string): Promise<void> {
  const temporary = `${path}.new`;
  await writeFile(temporary, content, { mode: 0o600 });
  await rename(temporary, path);
}
