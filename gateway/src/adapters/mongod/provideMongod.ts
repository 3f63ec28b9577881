import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../application/ports/log.ts';
import {
  readServerRecord,
  writeServerRecord,
  type DatabaseFolder,
  type DatabaseSecrets,
  type ServerRecord,
} from './databaseFolder.ts';
import { EmbeddedDatabaseError } from './embeddedDatabaseError.ts';
import type { MongodExit } from './explainMongodExit.ts';
import { removeDeadMarks } from './folderLock.ts';
import { isPortFree, pickPort } from './localPort.ts';
import {
  findMongodOf,
  isRunning,
  spawnMongod,
  stopMongod,
  type MongodProcess,
} from './mongodProcess.ts';
import { makeReady } from './replicaSet.ts';

/** Recovery after a kill can take a while; longer than this, something is wrong. */
export const START_MS = 120_000;
/** A running mongod that has not answered for this long is stuck. */
const ANSWER_MS = 30_000;
/** Starts that fail for a passing reason: a port that was just taken, a mongod that is just ending. */
const ATTEMPTS = 10;
const PAUSE_MS = 250;
/** A server that was just killed holds its port until the system has cleared it away. */
const PORT_MS = 5_000;
const PORT_LOOK_MS = 50;

export interface ProvideOptions {
  /** The server program, for when none is running. */
  path: string;
  testCommands: boolean;
  detached: boolean;
  log: Log;
  signal?: AbortSignal | undefined;
}

/**
 * The folder's mongod, ready for use: the one that is running, or else a new one on the port that it
 * had before, or on another one when that is taken by now. Call it with the folder's lock held.
 * @throws EmbeddedDatabaseError saying why there is none.
 */
export async function provideMongod(
  folder: DatabaseFolder,
  secrets: DatabaseSecrets,
  options: ProvideOptions,
): Promise<MongodProcess> {
  const users = await removeDeadMarks(folder.users);
  const record = await readServerRecord(folder);
  let port = record?.port;
  for (let attempt = 1; ; attempt += 1) {
    const running = await findMongodOf(folder);
    if (running !== undefined) {
      if (await answers(running, users, secrets, options)) return running;
      continue;
    }
    port = await choosePort(port, options);
    // Before the start, so that the address is kept even if this process is killed now.
    await writeServerRecord(folder, { ...record, port });
    const started = await start(folder, secrets, port, options);
    if ('pid' in started) return started;
    const passing = started.kind === 'portTaken' || started.kind === 'folderInUse';
    if (!passing || attempt === ATTEMPTS) throw notStarted(started, folder, record, options.path);
    if (started.kind === 'portTaken') port = undefined;
    await pause(PAUSE_MS);
  }
}

/** False when a mongod that nobody uses was stuck and has been ended. */
async function answers(
  running: MongodProcess,
  users: readonly string[],
  secrets: DatabaseSecrets,
  { log, signal }: ProvideOptions,
): Promise<boolean> {
  try {
    await makeReady(running, secrets, { readyMs: ANSWER_MS, signal });
  } catch (error) {
    signal?.throwIfAborted();
    if (users.length > 0 || !(error instanceof EmbeddedDatabaseError)) throw error;
    log.warn({ pid: running.pid }, `${error.message} It is ended and started again.`);
    await stopMongod(running);
    return false;
  }
  if (users.length === 0) {
    log.info(
      { pid: running.pid },
      'the database of a run that was killed is still there: reusing it',
    );
  }
  return true;
}

async function choosePort(
  former: number | undefined,
  { log, signal }: ProvideOptions,
): Promise<number> {
  if (former === undefined) return pickPort();
  if (await isPortFree(former)) return former;
  log.info({ former }, `port ${former} is still taken: waiting for it`);
  const until = performance.now() + PORT_MS;
  while (performance.now() < until) {
    await pause(PORT_LOOK_MS, undefined, { signal });
    if (await isPortFree(former)) return former;
  }
  const port = await pickPort();
  log.info({ former, port }, `port ${former} is taken, so the database moves to port ${port}`);
  return port;
}

async function start(
  folder: DatabaseFolder,
  secrets: DatabaseSecrets,
  port: number,
  options: ProvideOptions,
): Promise<MongodProcess | MongodExit> {
  const started = await spawnMongod({ ...options, folder, port, keyFile: secrets.keyFile });
  if ('reason' in started) return started;
  try {
    const version = await makeReady(started, secrets, {
      readyMs: START_MS,
      signal: options.signal,
    });
    await writeServerRecord(folder, { port, version, path: options.path });
    return started;
  } catch (error) {
    if (!(await isRunning(started))) return await started.ended;
    await stopMongod(started);
    throw error;
  }
}

function notStarted(
  { kind, reason }: MongodExit,
  folder: DatabaseFolder,
  record: ServerRecord | undefined,
  path: string,
): EmbeddedDatabaseError {
  const former =
    kind === 'versionMismatch' && record?.path !== undefined
      ? ` It was last used with MongoDB ${record.version ?? ''}: name that one with MONGOD=${record.path}.`
      : '';
  return new EmbeddedDatabaseError(
    `The embedded database in ${folder.root} did not start: ${reason}.${former} ` +
      `The program was ${path}; its log is ${folder.logFile}.`,
  );
}
