import { execFile } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { promisify } from 'node:util';
import { installWords, isInstalled, recordInstalled } from '../../scripts/release/ownTools.ts';
import { inTurn } from './inTurn.ts';

const run = promisify(execFile);

/** The environment of this process with its own Node first on the path. */
export function withThisNode(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
  };
}

/** Runs npm in a folder. @returns Its output. @throws Error with npm's own words if it fails. */
export async function npm(folder: string, ...args: string[]): Promise<string> {
  const options = { cwd: folder, env: withThisNode(), maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await run('npm', args, options);
  return stdout;
}

/** Arguments for npm: install a lock file, and run the scripts of its packages. */
export const withScripts = ['ci', '--no-audit', '--no-fund'];

/** Installs a folder's lock file once: a note next to it names the installed lock file. */
export async function installLocked(folder: string, words = installWords): Promise<void> {
  await inTurn(folder, async () => {
    if (isInstalled(folder)) return;
    await npm(folder, ...words);
    recordInstalled(folder);
  });
}
