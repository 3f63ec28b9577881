import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Exit status and output of a child process. */
export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** The project's root, where npm scripts run. */
export const projectRoot = join(import.meta.dirname, '../..');

/** The gateway's cache of code compiled by Node, with which programs run by tests start sooner. */
export const compiledFolder = join(projectRoot, 'node_modules/.cache/framegate');

/**
 * Runs a program of the project with the tests' Node.
 * @param env Replaces the whole environment except PATH, HOME and NODE_COMPILE_CACHE.
 * @param input Its standard input.
 */
export async function runNode(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = '',
): Promise<Ended> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: projectRoot,
    env: {
      NODE_COMPILE_CACHE: compiledFolder,
      ...(PATH && { PATH }),
      ...(HOME && { HOME }),
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined).end(input);
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [status, stdout, stderr] = await Promise.all([
    exit,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { status, stdout, stderr };
}
