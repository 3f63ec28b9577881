import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { installLocked, npm } from '../../support/install.ts';
import { inTurn } from '../../support/inTurn.ts';
import { compiledFolder } from '../../support/runNode.ts';
import { packageFolder } from './packageFolder.ts';

/** The packed package, installed as n8n installs community nodes: each n8n gets a copy. */
export const packedNodes = join(compiledFolder, 'n8n-nodes');

/** Installs the package's lockfile unless that is done already, and builds, packs and installs the package. */
export async function preparePackage(): Promise<void> {
  await installLocked(packageFolder);
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
