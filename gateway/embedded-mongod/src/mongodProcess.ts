import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { open, readFile, rename, rm, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseFolder } from './databaseFolder.ts';
import { ignoreErrors } from './errors.ts';
import { describeMongodExit, type MongodExit } from './mongodProgram.ts';
import { isRunning, readProcess, type RunningProcess } from './processes.ts';

/** A running mongod of this database folder. */
export interface MongodProcess extends RunningProcess {
  /** Port on 127.0.0.1. */
  port: number;
}

/** A mongod started by this process. */
export interface StartedMongod extends MongodProcess {
  /** Resolves with the reason when it ends. */
  ended: Promise<MongodExit>;
}

/** Name of the replica set of every embedded database. */
export const replicaSetName = 'framegate';

/** Time for a clean stop, in ms, before mongod is killed (its journal preserves the data). */
const stopMs = 30_000;
/** Bytes at the end of a log that are searched for the cause of a failure. */
const logTailBytes = 64 * 1024;
/** Minimum free space for a start, in bytes. */
const fullDiskBytes = 1_000_000;
/**
 * Ports for new databases: below those for outgoing connections (Linux from 32768, macOS from 49152), so that
 * a port is rarely taken at the next startup.
 */
const ports = { first: 20_000, last: 29_999 };

/**
 * Finds the mongod that runs on this folder, whichever process started it. Its pid is in mongod's own lock file.
 * Because pids are reused, its command line must also contain the folder.
 */
export async function findMongodOf(folder: DatabaseFolder): Promise<MongodProcess | undefined> {
  const content = await readFile(`${folder.dbPath}/mongod.lock`, 'utf8').catch(() => '');
  const pid = Number.parseInt(content, 10);
  const running = pid > 0 ? await readProcess(pid) : undefined;
  if (!running?.command.includes(` --dbpath ${folder.dbPath} `)) return undefined;
  const port = / --port (\d+) /.exec(running.command)?.[1];
  return port === undefined ? undefined : { ...running, port: Number(port) };
}

/** Whether a server can listen on this port of 127.0.0.1. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const server = createServer();
    server.once('error', () => settle(false));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.close(() => settle(true));
    });
  });
}

/** Picks a random free port. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(ports.first, ports.last + 1);
    if (await isPortFree(port)) return port;
  }
}

/** Options for starting a mongod. */
export interface SpawnOptions {
  /** The mongod program. */
  path: string;
  folder: DatabaseFolder;
  /** Port on 127.0.0.1. */
  port: number;
  keyFile: string;
  /** Allows fail points and the like. */
  allowsTestCommands: boolean;
  /** Uses a separate process group, which Ctrl-C in this terminal does not reach. */
  detached: boolean;
}

/** Starts a mongod without waiting until it is ready. Returns the reason if it ends immediately. */
export async function startMongod(options: SpawnOptions): Promise<StartedMongod | MongodExit> {
  const { folder, port } = options;
  await rename(folder.logFile, `${folder.logFile}.old`).catch(() => undefined);
  await rm(folder.outputFile, { force: true });
  const output = await open(folder.outputFile, 'w', 0o600);
  const child = spawn(resolve(options.path), mongodArguments(options), {
    cwd: folder.root,
    // This process's environment contains secrets, and that of mongod is readable while it runs.
    env: {},
    detached: options.detached,
    stdio: ['ignore', output.fd, output.fd],
  });
  const ended = new Promise<MongodExit>((settle) => {
    child.once('error', (error) => settle({ kind: 'other', reason: error.message }));
    child.once('exit', (code, signal) => {
      void describeEnd(folder, code, signal).then(settle);
    });
  });
  child.unref();
  await output.close();
  const running = child.pid === undefined ? undefined : await readProcess(child.pid);
  return running === undefined ? ended : { ...running, port, ended };
}

function mongodArguments({ folder, port, keyFile, allowsTestCommands }: SpawnOptions): string[] {
  const options = {
    dbpath: folder.dbPath,
    port: `${port}`,
    bind_ip: '127.0.0.1',
    replSet: replicaSetName,
    keyFile,
    logpath: folder.logFile,
    // Suitable for a laptop. Without the log setting, an empty database takes 300 MB on disk.
    wiredTigerCacheSizeGB: '0.25',
    oplogSize: '64',
    wiredTigerEngineConfigString: 'log=(file_max=10MB,prealloc=false)',
    // All traffic is local, so compression would only cost time.
    networkMessageCompressors: 'disabled',
  };
  const parameters = {
    diagnosticDataCollectionEnabled: 'false',
    // Default 60. Documents of a client that is killed within a transaction stay locked for this time. The
    // gateway limits transactions to 4 s.
    transactionLifetimeLimitSeconds: '20',
    // With the bypass, any user of this machine could create the first database user.
    enableLocalhostAuthBypass: 'false',
    enableTestCommands: allowsTestCommands ? '1' : '0',
  };
  return [
    '--nounixsocket',
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    ...Object.entries(parameters).flatMap(([name, value]) => [
      '--setParameter',
      `${name}=${value}`,
    ]),
    '--quiet',
  ];
}

/** Stops a mongod cleanly, or kills it after 30 s. Never signals another process with the same pid. */
export async function stopMongod(mongod: RunningProcess): Promise<void> {
  const killAt = performance.now() + stopMs;
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
    ignoreErrors('ESRCH')(error);
  }
}

async function describeEnd(
  folder: DatabaseFolder,
  code: number | null,
  signal: string | null,
): Promise<MongodExit> {
  const [text, disk] = await Promise.all([
    readTails(folder),
    statfs(folder.root).catch(() => undefined),
  ]);
  const exit = describeMongodExit(code, signal, text);
  // On a full disk, mongod cannot write its log.
  const isDiskFull = disk !== undefined && disk.bavail * disk.bsize < fullDiskBytes;
  return exit.kind === 'other' && isDiskFull ? { ...exit, reason: 'the disk is full' } : exit;
}

async function readTails(folder: DatabaseFolder): Promise<string> {
  const texts = await Promise.all(
    [folder.outputFile, folder.logFile].map((path) => readFile(path, 'utf8').catch(() => '')),
  );
  return texts.map((text) => text.slice(-logTailBytes)).join('\n');
}
