import { randomInt, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pause } from '@framegate/limits';
import { ifMissing } from './tempFiles.ts';

/** A holder seen for this long has died, in ms: work under a lock takes milliseconds. */
const usualStaleMs = 20_000;
const firstPauseMs = 8;
const maxPauseMs = 128;

/**
 * Runs work while no other process has the lock, which is a file beside `path` that names its holder. The holder may be
 * on another machine that shares the folder, so only time can show that it has died.
 * @param signal Ends the wait for the lock.
 * @throws The signal's reason; errors of the work.
 */
export async function withFileLock<T>(
  path: string,
  signal: AbortSignal,
  work: () => Promise<T>,
  staleMs = usualStaleMs,
): Promise<T> {
  const lock = `${path}.lock`;
  const own = randomUUID();
  let seen: { holder: string | null; at: number } = { holder: null, at: performance.now() };
  let mostMs = firstPauseMs;
  while (!(await isTaken(lock, own))) {
    const holder = await holderOf(lock);
    if (seen.holder !== holder) seen = { holder, at: performance.now() };
    if (performance.now() - seen.at >= staleMs) await remove(lock, holder);
    await pause(randomInt(mostMs / 2, mostMs), signal);
    signal.throwIfAborted();
    mostMs = Math.min(2 * mostMs, maxPauseMs);
  }
  try {
    return await work();
  } finally {
    await remove(lock, own);
  }
}

const holderOf = (lock: string) => readFile(lock, 'utf8').catch(ifMissing(null));

/** Creates the lock's file, and its folder, which deletes of other files may remove. */
async function isTaken(lock: string, own: string): Promise<boolean> {
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 });
  try {
    const handle = await open(lock, 'wx', 0o600);
    await handle.writeFile(own).finally(() => handle.close());
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['EEXIST', 'ENOENT'].includes(code)) return false;
    throw error;
  }
}

/** Removes the lock of one holder. Of several that do so, one gets the file; a file of another holder is put back. */
async function remove(lock: string, holder: string | null): Promise<void> {
  if ((await holderOf(lock)) !== holder) return;
  const aside = `${lock}.${randomUUID()}`;
  await rename(lock, aside).catch(ifMissing(undefined));
  if (![holder, null].includes(await holderOf(aside)))
    await link(aside, lock).catch(() => undefined);
  await rm(aside, { force: true });
}
