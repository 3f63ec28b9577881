import { access, chmod, constants, mkdir, readdir } from 'node:fs/promises';
import { EmbeddedDatabaseError } from './embeddedDatabaseError.ts';
import { errorCode } from './errorCode.ts';

/**
 * Makes sure that a folder is there, can be written, and, if it is new or empty, that only its owner
 * may enter (0700). A folder that already holds something keeps its rights.
 * @param setting The setting that names it, for the message.
 * @throws EmbeddedDatabaseError when it cannot be made or written.
 */
export async function openPrivateFolder(path: string, setting: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    if ((await readdir(path)).length === 0) await chmod(path, 0o700);
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `The folder ${path} cannot be used: ${explainFileError(error)}. Name another with ${setting}.`,
      { cause: error },
    );
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user has no right to write there',
  EPERM: 'this user has no right to write there',
  EROFS: 'its file system is read-only',
  ENOENT: 'a folder above it is missing or read-only',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'it is a file',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENAMETOOLONG: 'its path is too long',
};

/** A file system error in plain words, without a full stop. */
export function explainFileError(error: unknown): string {
  return (
    REASONS[errorCode(error) ?? ''] ?? (error instanceof Error ? error.message : String(error))
  );
}
