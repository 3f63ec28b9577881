import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('./startDatabase.ts', import.meta.url));

/** Another process that uses the embedded database of a data folder. */
export interface DatabaseProcess {
  /** Process id of mongod. */
  pid: number;
  port: number;
  uri: string;
  /** Leads a process group of its own, as a shell's job does. */
  child: ChildProcess;
  /** Lets it release the database, and waits for its end. */
  release: () => Promise<void>;
  /** Ends it as Ctrl-C or `kill -9` on the job would, and waits for that. */
  kill: (signal: NodeJS.Signals) => Promise<void>;
}

/** Starts it and waits until it has the database. */
export async function startDatabaseProcess(
  dataDir: string,
  mongod: { path: string },
): Promise<DatabaseProcess> {
  const child = spawn(process.execPath, [script, dataDir, mongod.path], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  const response = JSON.parse(line) as
    { pid: number; port: number; uri: string } | { error: string };
  if ('error' in response) throw new Error(response.error);
  return {
    ...response,
    child,
    release: async () => {
      child.stdin.end('\n');
      await ended;
    },
    kill: async (signal) => {
      if (child.pid === undefined) throw new Error('it has no pid');
      process.kill(-child.pid, signal);
      await ended;
    },
  };
}
