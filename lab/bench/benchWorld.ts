import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../test/support/freePort.ts';
import { startTestMongod } from '../../test/support/mongod.ts';

/** The working tree of this lab. */
export const thisTree = join(import.meta.dirname, '../..');

/** The mongod, folder and processes of one bench; all are removed at its end, even after a failure. */
export interface BenchWorld {
  /** Connection string of the bench's own database. */
  uri: string;
  dataDir: string;
  /** Starts a script of this folder. */
  startScript: (name: string, ...args: string[]) => ChildProcess;
  /** Starts a gateway, of this working tree or of another. Its log is written, as in production, but discarded. */
  startGateway: (env: Record<string, string>, ofTree?: string) => ChildProcess;
  /** Starts an API, on a free port if `env` names none, and waits until it answers. */
  startApi: (env: Record<string, string>, ofTree?: string) => Promise<StartedServer>;
}

/** A server in a process of its own. */
export interface StartedServer {
  origin: string;
  child: ChildProcess;
}

/**
 * Runs a bench in a world of its own.
 * @param database Where the bench has a database of its own, which is stopped at its end.
 */
export async function withBenchWorld(
  bench: (world: BenchWorld) => Promise<void>,
  database?: { uri: string; stop(): Promise<unknown> },
): Promise<void> {
  const mongod = database ?? (await startTestMongod());
  const dataDir = await mkdtemp(join(tmpdir(), 'framegate-bench-'));
  const children: ChildProcess[] = [];
  const track = (child: ChildProcess) => {
    children.push(child);
    return child;
  };
  const startGateway: BenchWorld['startGateway'] = (env, ofTree = thisTree) =>
    track(
      fork(join(ofTree, 'gateway/start.js'), {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      }),
    );
  try {
    await bench({
      uri: mongod.uri.replace(/\/framegate\?/, '/bench?'),
      dataDir,
      startScript: (name, ...args) =>
        track(fork(join(import.meta.dirname, name), args, { stdio: 'inherit' })),
      startGateway,
      async startApi(env, ofTree) {
        const { PORT = String(await freePort()) } = env;
        const origin = `http://127.0.0.1:${PORT}`;
        const child = startGateway({ ...env, PORT, ROLE: 'api' }, ofTree);
        await waitUntilItAnswers(origin, child);
        return { origin, child };
      },
    });
  } finally {
    await stopAll(children);
    await mongod.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Stops the processes of one part of a bench. */
export const stopAll = (children: readonly ChildProcess[]) =>
  Promise.all(children.filter((child) => !hasEnded(child)).map(stop));

/** Waits until a server answers. @throws Error if its process ends instead. */
export async function waitUntilItAnswers(origin: string, child: ChildProcess): Promise<void> {
  while (!(await fetch(`${origin}/readyz`).catch(() => null))) {
    if (hasEnded(child)) throw new Error(`${child.spawnargs.join(' ')} ended at its start`);
    await pause(100);
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null;

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
