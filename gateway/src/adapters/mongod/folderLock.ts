import { mkdir, readdir, rename, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EmbeddedDatabaseError } from './embeddedDatabaseError.ts';
import { ignoring } from './errorCode.ts';
import { isMarkAlive, newProcessMark } from './processMark.ts';

/** How often a taken lock is looked at again, in ms. */
const LOOK_EVERY_MS = 25;

/**
 * Runs `work` while holding a lock between processes that a killed holder cannot keep.
 *
 * The lock is a folder that holds one file named after its holder. Taking it renames a prepared
 * folder there, which the system does at once and only over an empty or missing folder. A dead
 * holder's file is removed by its unique name, so that nobody can remove a newer holder by mistake.
 * @param path The lock's folder; its parent exists.
 * @param waitMs Longest wait for another holder, in ms.
 * @throws EmbeddedDatabaseError after that wait.
 */
export async function withFolderLock<T>(
  path: string,
  { waitMs, signal }: { waitMs: number; signal?: AbortSignal | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const mark = await newProcessMark();
  const prepared = `${path}.${mark}`;
  await mkdir(prepared, { mode: 0o700 });
  try {
    await writeFile(join(prepared, mark), '');
    const giveUpAt = performance.now() + waitMs;
    while (!(await renamed(prepared, path))) {
      signal?.throwIfAborted();
      if (performance.now() > giveUpAt) throw await stillHeld(path, waitMs);
      await removeDeadMarks(path);
      await pause(LOOK_EVERY_MS);
    }
  } catch (error) {
    await rm(prepared, { recursive: true, force: true });
    throw error;
  }
  try {
    await removeDeadPreparations(path);
    return await work();
  } finally {
    await unlink(join(path, mark)).catch(ignoring('ENOENT'));
    await rmdir(path).catch(ignoring('ENOENT', 'ENOTEMPTY', 'EEXIST'));
  }
}

/** Removes the files of a folder that were made by processes which are gone; returns the others. */
export async function removeDeadMarks(folder: string): Promise<string[]> {
  const alive: string[] = [];
  for (const mark of await readdir(folder).catch(() => [])) {
    if (await isMarkAlive(mark)) alive.push(mark);
    else await unlink(join(folder, mark)).catch(ignoring('ENOENT'));
  }
  return alive;
}

async function renamed(prepared: string, path: string): Promise<boolean> {
  try {
    await rename(prepared, path);
    return true;
  } catch (error) {
    ignoring('ENOTEMPTY', 'EEXIST')(error);
    return false;
  }
}

/** What processes that were killed while they waited have left beside the lock. */
async function removeDeadPreparations(path: string): Promise<void> {
  const prefix = `${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(prefix) || (await isMarkAlive(name.slice(prefix.length)))) continue;
    await rm(join(dirname(path), name), { recursive: true, force: true });
  }
}

async function stillHeld(path: string, waitMs: number): Promise<EmbeddedDatabaseError> {
  const [mark] = await readdir(path).catch(() => []);
  const holder = mark === undefined ? 'another process' : `the process ${mark.split('-', 1)[0]}`;
  return new EmbeddedDatabaseError(
    `${path} has been held by ${holder} for ${Math.round(waitMs / 1000)} s: end it and start again.`,
  );
}
