import { errorCodeOf, messageOf } from '@framegate/contract/text';

/**
 * The embedded database cannot be found, started or used. The message tells the operator the reason and, if
 * possible, a remedy.
 */
export class EmbeddedDatabaseError extends Error {
  override readonly name = 'EmbeddedDatabaseError';
}

/** A `catch` handler that ignores errors with one of these system codes and rethrows all others. */
export function ignoreErrors(...codes: readonly string[]): (error: unknown) => void {
  return (error) => {
    const code = errorCodeOf(error);
    if (code === undefined || !codes.includes(code)) throw error;
  };
}

/** Plain words for the codes of file system errors. */
const fileErrors: Readonly<Record<string, string>> = {
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
export function describeFileError(error: unknown): string {
  return fileErrors[errorCodeOf(error) ?? ''] ?? messageOf(error);
}
