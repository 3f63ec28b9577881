import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installLocked, npm } from '../../support/install.ts';

const run = promisify(execFile);

/**
 * Builds a package with tools of its own lockfile, installed once, packs it, and unpacks it into `node_modules`.
 * @returns Its path there.
 */
export async function unpackBuilt(folder: string, source: string): Promise<string> {
  await installLocked(source);
  await npm(source, 'run', 'build');
  const packed = await npm(source, 'pack', '--ignore-scripts', '--pack-destination', folder);
  const { name } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as {
    name: string;
  };
  const installed = join(folder, 'node_modules', name);
  await mkdir(installed, { recursive: true });
  const file = join(folder, packed.trim().split('\n').at(-1) ?? '');
  await run('tar', ['-xzf', file, '-C', installed, '--strip-components=1']);
  return installed;
}
