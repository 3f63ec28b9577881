import { constants, readFileSync } from 'node:fs';
import { access, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCodeOf } from '@framegate/contract';
import { CommandError } from '../../domain/installation/commandError.ts';

/** The system code of an error; its text if it has none. */
const reasonOf = (error: unknown) => errorCodeOf(error) ?? String(error);

/** The text of a file; null if there is no such file. */
export function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** @param setting The setting that names the file. @throws CommandError if the file cannot be replaced or created. */
export async function requireWritable(setting: string, path: string): Promise<void> {
  try {
    const target = await findTarget(path);
    await access(dirname(target), constants.W_OK | constants.X_OK);
    if (await readMode(target)) await access(target, constants.W_OK);
  } catch (error) {
    throw new CommandError(`${setting} cannot be written: ${path} (${reasonOf(error)}).`);
  }
}

/** Writes a file aside and moves it into place, so that no process reads an incomplete one; its mode stays. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const target = await findTarget(path);
  const tempPath = `${target}.${process.pid}`;
  try {
    await writeFile(tempPath, text, { flag: 'wx', mode: (await readMode(target)) ?? 0o644 });
    await rename(tempPath, target);
  } catch (error) {
    await rm(tempPath, { force: true });
    throw new CommandError(`${path} cannot be written (${reasonOf(error)}).`);
  }
}

/** Creates a file that only its owner can read. @throws CommandError if it exists already. */
export async function createSecretFile(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new CommandError(
      errorCodeOf(error) === 'EEXIST'
        ? `${path} already exists: remove it, or choose another name with --name.`
        : `The key cannot be written: ${path} (${reasonOf(error)}).`,
    );
  }
}

/** The file behind symbolic links. */
const findTarget = (path: string): Promise<string> => realpath(path).catch(() => path);

/** Null if there is no file. */
const readMode = async (path: string): Promise<number | null> =>
  stat(path).then(
    ({ mode }) => mode & 0o777,
    () => null,
  );
