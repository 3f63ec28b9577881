import { spawn } from 'node:child_process';
import { open, readFile, rename, rm, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseFolder } from './databaseFolder.ts';
import { ignoring } from './errorCode.ts';
import { explainMongodExit, type MongodExit } from './explainMongodExit.ts';
import { readProcess, type RunningProcess } from './readProcess.ts';

/** A mongod that is known to serve this database folder. */
export interface MongodProcess extends RunningProcess {
  /** On 127.0.0.1. */
  port: number;
}

/** A mongod that this process has started. */
export interface StartedMongod extends MongodProcess {
  /** Settles when it ends, saying why. */
  ended: Promise<MongodExit>;
}

/** How long a mongod may take for its clean stop, in ms, before it is killed (its journal keeps the data). */
const STOP_MS = 30_000;
/** Bytes of a log that are read for the reason of a failure. */
const LOG_TAIL_BYTES = 64 * 1024;
/** Longer than any transaction of ours may take (`transactions.ts`: 4 s). */
const TRANSACTION_SECONDS = 20;
/** With less than this, no database starts. */
const FULL_DISK_BYTES = 1_000_000;

/**
 * The mongod that is running on this folder, whoever has started it. Its pid is in the lock file that
 * mongod keeps in its data; pids are used again, so its command line has to name the folder too.
 */
export async function findMongodOf(folder: DatabaseFolder): Promise<MongodProcess | undefined> {
  const content = await readFile(`${folder.dbPath}/mongod.lock`, 'utf8').catch(() => '');
  const pid = Number.parseInt(content, 10);
  return pid > 0 ? recognize(pid, folder) : undefined;
}

async function recognize(pid: number, folder: DatabaseFolder): Promise<MongodProcess | undefined> {
  const running = await readProcess(pid);
  if (!running?.command.includes(` --dbpath ${folder.dbPath} `)) return undefined;
  const port = / --port (\d+) /.exec(running.command)?.[1];
  return port === undefined ? undefined : { ...running, port: Number(port) };
}

interface SpawnOptions {
  path: string;
  folder: DatabaseFolder;
  port: number;
  keyFile: string;
  testCommands: boolean;
  detached: boolean;
}

/** The name of the replica set that every embedded database is. */
export const REPLICA_SET = 'framegate';

/** Starts a mongod; it is not ready yet. */
export async function spawnMongod(options: SpawnOptions): Promise<StartedMongod | MongodExit> {
  const { folder, port } = options;
  await rename(folder.logFile, `${folder.logFile}.old`).catch(() => undefined);
  await rm(folder.outputFile, { force: true });
  const output = await open(folder.outputFile, 'w', 0o600);
  const child = spawn(resolve(options.path), mongodArguments(options), {
    cwd: folder.root,
    // It needs nothing of ours, which has secrets and can be read for as long as it runs.
    env: {},
    // A process group of its own: Ctrl-C goes to the gateway, which then stops mongod cleanly.
    detached: options.detached,
    stdio: ['ignore', output.fd, output.fd],
  });
  const ended = new Promise<MongodExit>((settle) => {
    child.once('error', (error) => settle({ kind: 'other', reason: error.message }));
    child.once('exit', (code, signal) => {
      void explainEnd(folder, code, signal).then(settle);
    });
  });
  child.unref();
  await output.close();
  const running = child.pid === undefined ? undefined : await readProcess(child.pid);
  return running === undefined ? ended : { ...running, port, ended };
}

function mongodArguments(options: SpawnOptions): string[] {
  const { folder, port, keyFile, testCommands } = options;
  return [
    ...['--dbpath', folder.dbPath, '--port', `${port}`, '--bind_ip', '127.0.0.1', '--nounixsocket'],
    ...['--replSet', REPLICA_SET, '--keyFile', keyFile, '--logpath', folder.logFile, '--quiet'],
    // Small: this is a laptop's database. Without the log setting an empty one takes 300 MB on disk.
    ...['--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '64'],
    ...['--wiredTigerEngineConfigString', 'log=(file_max=10MB,prealloc=false)'],
    // Everything stays on this machine: compression would cost time and save nothing.
    ...['--networkMessageCompressors', 'disabled'],
    ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
    // A process that is killed within a transaction keeps its account locked for so long; usually 60.
    ...['--setParameter', `transactionLifetimeLimitSeconds=${TRANSACTION_SECONDS}`],
    // Without this, any user of the machine could make the first database user before we do.
    ...['--setParameter', 'enableLocalhostAuthBypass=false'],
    ...['--setParameter', `enableTestCommands=${testCommands ? '1' : '0'}`],
  ];
}

/** Is this very process (not another with its pid) still running? */
export async function isRunning({ pid, startedAt }: RunningProcess): Promise<boolean> {
  return (await readProcess(pid))?.startedAt === startedAt;
}

/** Stops it cleanly; kills it when it has not ended after half a minute. Never hits another process. */
export async function stopMongod(mongod: RunningProcess): Promise<void> {
  const killAt = performance.now() + STOP_MS;
  let signal: NodeJS.Signals = 'SIGTERM';
  let sent: NodeJS.Signals | undefined;
  while (await isRunning(mongod)) {
    if (performance.now() > killAt) signal = 'SIGKILL';
    if (sent !== signal) sendSignal(mongod.pid, signal);
    sent = signal;
    await pause(20);
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    ignoring('ESRCH')(error);
  }
}

async function explainEnd(
  folder: DatabaseFolder,
  code: number | null,
  signal: string | null,
): Promise<MongodExit> {
  const [text, disk] = await Promise.all([
    readTails(folder),
    statfs(folder.root).catch(() => undefined),
  ]);
  const exit = explainMongodExit(code, signal, text);
  // On a full disk mongod cannot write its log either.
  const full = disk !== undefined && disk.bavail * disk.bsize < FULL_DISK_BYTES;
  return exit.kind === 'other' && full ? { ...exit, reason: 'the disk is full' } : exit;
}

async function readTails(folder: DatabaseFolder): Promise<string> {
  const texts = await Promise.all(
    [folder.outputFile, folder.logFile].map((path) => readFile(path, 'utf8').catch(() => '')),
  );
  return texts.map((text) => text.slice(-LOG_TAIL_BYTES)).join('\n');
}
