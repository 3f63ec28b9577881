import { mkdir, readdir, rename, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EmbeddedDatabaseError, ignoreErrors } from './errors.ts';
import { isMarkAlive, makeProcessMark } from './processes.ts';

/** Retry interval for a held lock, in ms. */
const retryMs = 25;

/**
 * Runs `work` while holding a lock between processes. The lock of a killed process is released.
 *
 * The lock is a folder with one file, named by the holder's mark. To take it, a prepared folder is renamed to
 * its path: an atomic step that succeeds only over an empty or missing folder. A dead holder's file is removed
 * by its unique name, so a newer holder is never removed by mistake.
 * @param path Folder of the lock; its parent must exist.
 * @param waitMs Maximum wait for another holder, in ms.
 * @throws EmbeddedDatabaseError after that wait; the signal's reason if it is aborted.
 */
export async function withFolderLock<T>(
  path: string,
  { waitMs, signal }: { waitMs: number; signal?: AbortSignal | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const mark = await makeProcessMark();
  const prepared = `${path}.${mark}`;
  await mkdir(prepared, { mode: 0o700 });
  try {
    await writeFile(join(prepared, mark), '');
    const giveUpAt = performance.now() + waitMs;
    while (!(await tryRename(prepared, path))) {
      signal?.throwIfAborted();
      if (performance.now() > giveUpAt) {
        throw new EmbeddedDatabaseError(await describeHeldLock(path, waitMs));
      }
      await removeDeadMarks(path);
      await pause(retryMs);
    }
  } catch (error) {
    await rm(prepared, { recursive: true, force: true });
    throw error;
  }
  try {
    await removeDeadFolders(dirname(path), `${basename(path)}.`);
    return await work();
  } finally {
    await unlink(join(path, mark)).catch(ignoreErrors('ENOENT'));
    await rmdir(path).catch(ignoreErrors('ENOENT', 'ENOTEMPTY', 'EEXIST'));
  }
}

/** Removes files named by marks of ended processes. @returns The remaining names. */
export async function removeDeadMarks(folder: string): Promise<string[]> {
  const alive: string[] = [];
  for (const mark of await readdir(folder).catch(() => [])) {
    if (await isMarkAlive(mark)) alive.push(mark);
    else await unlink(join(folder, mark)).catch(ignoreErrors('ENOENT'));
  }
  return alive;
}

/** Removes folders named by a prefix and the mark of an ended process. */
export async function removeDeadFolders(parent: string, prefix: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix) || (await isMarkAlive(name.slice(prefix.length)))) continue;
    await rm(join(parent, name), { recursive: true, force: true });
  }
}

async function tryRename(prepared: string, path: string): Promise<boolean> {
  try {
    await rename(prepared, path);
    return true;
  } catch (error) {
    ignoreErrors('ENOTEMPTY', 'EEXIST')(error);
    return false;
  }
}

async function describeHeldLock(path: string, waitMs: number): Promise<string> {
  const [mark] = await readdir(path).catch(() => []);
  const holder = mark === undefined ? 'another process' : `the process ${mark.split('-', 1)[0]}`;
  return `${path} has been held by ${holder} for ${Math.round(waitMs / 1000)} s: end it and start again.`;
}
