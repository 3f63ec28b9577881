import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../support/runNode.ts';
import { until } from '../support/until.ts';

/** A gateway in a separate process, as `npm start` runs it. */
export interface GatewayProcess {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves with the exit status. */
  ended: Promise<number | null>;
  /** Resolves when it has logged that it runs. @throws Error with its output if it ends instead. */
  untilRunning(): Promise<string>;
}

/**
 * Starts `gateway/start.js` with these settings and no others.
 * @param root The folder of the project, or of a copy.
 */
export function startProcess(
  env: Record<string, string>,
  root: string = projectRoot,
): GatewayProcess {
  const { PATH, HOME, MONGOD, CACHE_DIR } = process.env;
  const child = spawn(process.execPath, [join(root, 'gateway/start.js')], {
    cwd: root,
    env: {
      ...(PATH && { PATH }),
      ...(HOME && { HOME }),
      ...(MONGOD && { MONGOD }),
      ...(CACHE_DIR && { CACHE_DIR }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  let hasEnded = false;
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      hasEnded = true;
      resolve(status);
    });
  });
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    async untilRunning() {
      await until(() => hasEnded || /Stop with Ctrl-C\.|"Framegate is running"/.test(stdout));
      if (hasEnded) throw new Error(`the gateway did not start: ${stderr}`);
      return stdout;
    },
  };
}
