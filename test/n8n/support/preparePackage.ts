import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { installWords, isInstalled, recordInstalled } from '../../../scripts/release/ownTools.ts';
import { inTurn } from '../../support/inTurn.ts';
import { compiledFolder } from '../../support/runNode.ts';
import { packageFolder } from './packageFolder.ts';

const run = promisify(execFile);

/** The packed package, installed as n8n installs community nodes: each n8n gets a copy. */
export const packedNodes = join(compiledFolder, 'n8n-nodes');

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

/** Installs the package's lockfile unless that is done already, and builds, packs and installs the package. */
export async function preparePackage(): Promise<void> {
  await installLocked(packageFolder, installWords);
  await npm(packageFolder, 'run', 'build');
  await inTurn(packedNodes, installPacked);
}

async function installPacked(): Promise<void> {
  await rm(packedNodes, { recursive: true, force: true });
  await mkdir(packedNodes, { recursive: true });
  const manifest = join(packedNodes, 'package.json');
  await writeFile(manifest, '{ "name": "installed-nodes", "private": true }');
  const pack = ['pack', '--silent', `--pack-destination=${packedNodes}`];
  const tarball = basename((await npm(packageFolder, ...pack)).trim().split('\n').at(-1) ?? '');
  const quiet = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit'];
  await npm(packedNodes, 'install', ...quiet, join(packedNodes, tarball));
}

/**
 * Installs a folder's lockfile once: a note next to it names the installed lockfile.
 * @returns Whether it was installed now.
 */
export async function installLocked(folder: string, args: string[]): Promise<boolean> {
  return inTurn(folder, async () => {
    if (isInstalled(folder)) return false;
    await npm(folder, ...args);
    recordInstalled(folder);
    return true;
  });
}
