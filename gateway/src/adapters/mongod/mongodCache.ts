import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoring } from './errorCode.ts';
import { inspectMongod } from './inspectMongod.ts';
import { byNewestVersion } from './mongodVersion.ts';
import { isMarkAlive, newProcessMark } from './processMark.ts';

const PLATFORM = `${process.platform}-${process.arch}`;
const TEMPORARY_PREFIX = '.new-';

/** A mongod that runs here, or why there is none, in words that continue a sentence. */
export type MongodOrProblem = { path: string; version: string } | { problem: string };

/** Where the cached servers are: one folder `<version>-<platform>-<processor>` each. */
export function serversFolder(cacheDir: string): string {
  return join(cacheDir, 'mongod');
}

/** The servers in the cache that were made for this system, the newest first. */
export async function listCachedMongods(cacheDir: string): Promise<string[]> {
  const folder = serversFolder(cacheDir);
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => /^\d/.test(name) && name.endsWith(`-${PLATFORM}`))
    .sort(byNewestVersion)
    .map((name) => join(folder, name, 'mongod'));
}

/**
 * Lets `fetch` put a mongod into an empty folder, checks that it runs, and moves it into the cache in
 * one step, so that no other process ever sees half of it. Several processes may do this at once.
 * @param fetch Gets the folder; returns the path of the mongod in it, or why there is none.
 */
export async function addToCache(
  cacheDir: string,
  signal: AbortSignal | undefined,
  fetch: (folder: string) => Promise<{ path: string } | { problem: string }>,
): Promise<MongodOrProblem> {
  const folder = serversFolder(cacheDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeAbandoned(folder);
  const temporary = join(folder, `${TEMPORARY_PREFIX}${await newProcessMark()}`);
  await mkdir(temporary, { mode: 0o700 });
  try {
    const fetched = await fetch(temporary);
    if ('problem' in fetched) return fetched;
    await chmod(fetched.path, 0o755);
    const inspected = await inspectMongod(fetched.path, signal);
    if ('problem' in inspected) return inspected;
    const ready = join(temporary, 'ready');
    await mkdir(ready);
    await rename(fetched.path, join(ready, 'mongod'));
    const target = join(folder, `${inspected.version}-${PLATFORM}`);
    return await moveIntoPlace(ready, target, temporary, signal);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Keeps a server that works and came first; replaces one that does not. */
async function moveIntoPlace(
  ready: string,
  target: string,
  temporary: string,
  signal: AbortSignal | undefined,
): Promise<MongodOrProblem> {
  const path = join(target, 'mongod');
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      await rename(ready, target);
    } catch (error) {
      ignoring('ENOTEMPTY', 'EEXIST')(error);
    }
    const inspected = await inspectMongod(path, signal);
    if ('version' in inspected) return { path, version: inspected.version };
    await rename(target, join(temporary, `former-${attempt}`)).catch(() => undefined);
  }
  return { problem: `${target} cannot be replaced` };
}

/** Half-made folders of processes that were killed. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(TEMPORARY_PREFIX)) continue;
    if (await isMarkAlive(name.slice(TEMPORARY_PREFIX.length))) continue;
    await rm(join(folder, name), { recursive: true, force: true });
  }
}
