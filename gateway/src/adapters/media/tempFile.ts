import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Lends a path for a new file in the folder, which is made when missing, and removes the file when
 * `work` is over, however it ends. A killed process leaves its files to `removeStaleTempFiles`.
 */
export async function withTempFile<T>(
  folder: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  try {
    return await work(path);
  } finally {
    await rm(path, { force: true });
  }
}

/** Lends a new folder of mode 0700 in the same way. */
export async function withTempFolder<T>(
  parent: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(parent, 'work-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Removes what such work left in the folder when its process was killed: files and folders that were
 * last changed before `beforeMs`. @returns how many.
 */
export async function removeStaleTempFiles(folder: string, beforeMs: number): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder).catch(ifMissing([]))) {
    const path = join(folder, name);
    const found = await stat(path).catch(ifMissing(null));
    if (!found || found.mtimeMs >= beforeMs) continue;
    await rm(path, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}

/** For `catch`: answers `value` when there is no such file or folder, and throws everything else. */
export function ifMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if ((error as NodeJS.ErrnoException | null)?.code === 'ENOENT') return value;
    throw error;
  };
}
