import { execFile } from 'node:child_process';
import { dirname, delimiter } from 'node:path';
import { promisify } from 'node:util';
import { installWords, isInstalled, noteInstalled } from '../../../scripts/release/ownTools.ts';
import { inTurn } from '../../support/inTurn.ts';
import { packageFolder } from './packageFolder.ts';

const run = promisify(execFile);

/** The environment of this process with its own Node first on the path. */
export function withThisNode(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
  };
}

/** Runs npm in a folder. @throws Error with npm's own words when it fails. */
export async function npm(folder: string, ...args: string[]): Promise<string> {
  const options = { cwd: folder, env: withThisNode(), maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await run('npm', args, options);
  return stdout;
}

/** Installs the package's lockfile unless that is done already, and builds the package. */
export async function preparePackage(): Promise<void> {
  await installLocked(packageFolder, installWords);
  await npm(packageFolder, 'run', 'build');
}

/**
 * Installs a folder's lockfile once: a note beside it names the installed lockfile.
 * @returns Whether it was installed now.
 */
export async function installLocked(folder: string, args: string[]): Promise<boolean> {
  return inTurn(folder, async () => {
    if (isInstalled(folder)) return false;
    await npm(folder, ...args);
    noteInstalled(folder);
    return true;
  });
}
