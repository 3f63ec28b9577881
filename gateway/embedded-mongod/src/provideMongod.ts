import { setTimeout as pause } from 'node:timers/promises';
import { minuteMs } from '@framegate/contract/durations';
import type { Log } from '@framegate/contract/log';
import {
  type DatabaseFolder,
  type DatabaseSecrets,
  readServerRecord,
  type ServerRecord,
  writeServerRecord,
} from './databaseFolder.ts';
import { EmbeddedDatabaseError } from './errors.ts';
import { removeDeadMarks } from './folderLock.ts';
import {
  findFreePort,
  findMongodOf,
  isPortFree,
  type MongodProcess,
  type SpawnOptions,
  startMongod,
  stopMongod,
} from './mongodProcess.ts';
import type { MongodExit } from './mongodProgram.ts';
import { isRunning } from './processes.ts';
import { initReplicaSet } from './replicaSet.ts';

/** Maximum start time in ms, including recovery after a kill. */
export const startMs = 2 * minuteMs;
/** Time in ms after which a running mongod without a response counts as stuck. */
const responseMs = 30_000;
/** Maximum starts after temporary failures: a port that was just taken, a mongod that is ending. */
const maxAttempts = 10;
const attemptPauseMs = 250;
/** A killed server holds its port for a moment. */
const portWait = { maxMs: 5_000, retryMs: 50 };

/** Options for starting a mongod if none is running. */
export interface ProvideOptions extends Pick<
  SpawnOptions,
  'path' | 'allowsTestCommands' | 'detached'
> {
  log: Log;
  signal?: AbortSignal | undefined;
}

/**
 * Returns the folder's mongod, ready for use: the running one, or a new one on the port of the last run or, if
 * that is taken, on another port. Call it with the folder's lock held.
 * @throws EmbeddedDatabaseError with the reason for a failure; the signal's reason if it is aborted.
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
      if (await doesRespond(running, users, secrets, options)) return running;
      continue;
    }
    port = await choosePort(port, options);
    // Before the start, so that the port is known even if this process is killed now.
    await writeServerRecord(folder, { ...record, port });
    const started = await start(folder, secrets, port, options);
    if ('pid' in started) return started;
    const isTransient = started.kind === 'portTaken' || started.kind === 'folderInUse';
    if (!isTransient || attempt === maxAttempts) {
      throw notStarted(started, folder, record, options.path);
    }
    if (started.kind === 'portTaken') port = undefined;
    await pause(attemptPauseMs);
  }
}

/** False after stopping a stuck mongod without users. */
async function doesRespond(
  running: MongodProcess,
  users: readonly string[],
  secrets: DatabaseSecrets,
  { log, signal }: ProvideOptions,
): Promise<boolean> {
  try {
    await initReplicaSet(running, secrets, { readyMs: responseMs, signal });
  } catch (error) {
    signal?.throwIfAborted();
    if (users.length > 0 || !(error instanceof EmbeddedDatabaseError)) throw error;
    log.warn({ pid: running.pid }, `${error.message} Restarting it.`);
    await stopMongod(running);
    return false;
  }
  if (users.length === 0) {
    log.info({ pid: running.pid }, 'reusing the database of a killed run');
  }
  return true;
}

/** @param former Port of the last run. */
async function choosePort(
  former: number | undefined,
  { log, signal }: ProvideOptions,
): Promise<number> {
  if (former === undefined) return findFreePort();
  if (await isPortFree(former)) return former;
  log.info({ former }, `port ${former} is still taken: waiting for it`);
  const until = performance.now() + portWait.maxMs;
  while (performance.now() < until) {
    await pause(portWait.retryMs, undefined, { signal });
    if (await isPortFree(former)) return former;
  }
  const port = await findFreePort();
  log.info({ former, port }, `port ${former} is taken, so the database moves to port ${port}`);
  return port;
}

async function start(
  folder: DatabaseFolder,
  secrets: DatabaseSecrets,
  port: number,
  options: ProvideOptions,
): Promise<MongodProcess | MongodExit> {
  const started = await startMongod({ ...options, folder, port, keyFile: secrets.keyFile });
  if ('reason' in started) return started;
  try {
    const version = await initReplicaSet(started, secrets, {
      readyMs: startMs,
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
