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
import { describeFileError, EmbeddedDatabaseError, ignoreErrors } from './errors.ts';

/** Files of one embedded database, all under `<dataDir>/mongodb`, accessible only to the owner. */
export interface DatabaseFolder {
  root: string;
  /** Data folder of mongod. */
  dbPath: string;
  /** Log of the current run; that of the previous run has the suffix `.old`. */
  logFile: string;
  /** Output of mongod before it opens its log, such as errors of the dynamic linker. */
  outputFile: string;
  /** One file per process that uses the database, named by its mark. */
  users: string;
  /** File locked while the database is started, joined or left. */
  lock: string;
}

/** Data about a mongod that persists between runs. */
export interface ServerRecord {
  /** Port on 127.0.0.1, as in the stored replica set configuration. */
  port: number;
  /** The last server that used the data, for the error message if another version cannot read it. */
  version?: string;
  path?: string;
}

/** Secrets of one embedded database. */
export interface DatabaseSecrets {
  /** File with the key of the replica set, which grants all rights on the server. */
  keyFile: string;
  key: string;
  /** Password of the user `framegate`. */
  password: string;
}

/**
 * Creates a folder if needed and checks that it is writable. A new or empty folder becomes accessible only to
 * its owner (0700); other folders keep their permissions.
 * @param setting Setting that names the folder, for the error message.
 * @throws EmbeddedDatabaseError if it cannot be created or written.
 */
export async function openPrivateFolder(path: string, setting: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    if ((await readdir(path)).length === 0) await chmod(path, 0o700);
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `The folder ${path} cannot be used: ${describeFileError(error)}. Name another with ${setting}.`,
      { cause: error },
    );
  }
}

/**
 * Creates missing folders and resolves links, so that all processes use the same path.
 * @throws EmbeddedDatabaseError if they cannot be created or written.
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

/** Reads the record of the last run; undefined if it is missing or unreadable. */
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

/** Reads or creates the secrets. Call it with the folder's lock held. */
export async function openSecrets(folder: DatabaseFolder): Promise<DatabaseSecrets> {
  const keyFile = join(folder.root, 'keyfile');
  const key = await readOrMake(keyFile, 96);
  return { keyFile, key, password: await readOrMake(join(folder.root, 'password'), 24) };
}

/** @param size Random bytes of a new secret, which is stored in hexadecimal. */
async function readOrMake(path: string, size: number): Promise<string> {
  const stored = await readFile(path, 'utf8').catch(ignoreErrors('ENOENT'));
  if (stored !== undefined && /^[0-9a-f]{16,}$/.test(stored)) {
    await chmod(path, 0o600); // mongod refuses a key that others can read
    return stored;
  }
  const secret = randomBytes(size).toString('hex');
  await writeWhole(path, secret);
  return secret;
}

/** Replaces a file atomically. */
async function writeWhole(path: string, content: string): Promise<void> {
  const temporary = `${path}.new`;
  await writeFile(temporary, content, { mode: 0o600 });
  await rename(temporary, path);
}
