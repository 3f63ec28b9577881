import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, open, readlink, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { UsageError } from '../errors.ts';
import type { OpenFile, Sink } from '../sink.ts';

/** Destination of the bytes of a download to a path. */
interface Destination {
  path: string;
  /** Whether the bytes go straight to an existing target: a device, a pipe or an open file. */
  isDirect: boolean;
  /** Permissions of a new file. */
  mode: number;
}

/** A file that is open already, such as the standard output. */
const descriptor = /^\/(dev|proc\/.+)\/fd\/\d+$/;

/** Bytes of a name that leave room for the rest of a part's name in every file system. */
const longName = 100;

/**
 * Opens a file for a download. The bytes go to a part file next to it, named after the download, so that a later
 * download of the same file continues it; the file gets its own name once it is complete.
 */
export const openFile: OpenFile = async (path, about) => {
  const place = await findDestination(path, about);
  return (version) => (place.isDirect ? openDirect(place.path) : openPart(place, version));
};

/**
 * Finds the place of a path without changing it. Links are followed, so that no link is replaced by a file.
 * @throws UsageError if it cannot be the path of a file; the system's error if it cannot be written.
 */
export async function findDestination(path: string, about = {}): Promise<Destination> {
  const unusable = (why: string) => new UsageError('unusable_target', why, about);
  if (path.includes('\0')) throw unusable('A path must not contain a null character.');
  const stats = await stat(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  });
  if (path === '' || path.endsWith('/') || path.endsWith(sep) || stats?.isDirectory() === true) {
    throw unusable(`"${path}" is a folder: include the file name.`);
  }
  const isDirect = descriptor.test(path) || stats?.isFile() === false;
  if (!isDirect) {
    const link = await readlink(path).catch(() => undefined);
    if (link !== undefined) return findDestination(resolve(dirname(path), link), about);
    await access(dirname(path), constants.W_OK);
  }
  if (stats && (stats.mode & 0o222) === 0) throw new Error(`${path} is write-protected`);
  // A file that only its owner may read stays such a file.
  return { path, isDirect, mode: stats ? stats.mode & 0o777 : 0o666 };
}

async function openPart({ path, mode }: Destination, version: string | undefined): Promise<Sink> {
  const name = version?.replaceAll(/\W/g, '').slice(0, 40) ?? crypto.randomUUID();
  const own = basename(path);
  const isLong = Buffer.byteLength(own) > longName;
  const start = isLong ? createHash('sha256').update(own).digest('hex').slice(0, 32) : own;
  const part = join(dirname(path), `${start}.${name}.part`);
  // A link in its place would lead elsewhere; Windows has no such option.
  const { O_RDWR, O_CREAT, O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;
  const handle = await open(part, (O_RDWR ?? 0) | (O_CREAT ?? 0) | O_NOFOLLOW, mode);
  const { size } = await handle.stat();
  return {
    size,
    // By position: two downloads to one path write the same bytes to the same places.
    write: (chunk, position) => writeAll(handle, chunk, position),
    async finish(bytes) {
      await handle.truncate(bytes);
      await handle.sync();
      await handle.close();
      await rename(part, path).catch(async (error: unknown) => {
        // Another download of the same file to the same path may have been faster.
        if ((await stat(path)).size !== bytes) throw error;
      });
    },
    async abandon(_, shouldDiscard) {
      const isEmpty = (await handle.stat()).size === 0;
      await handle.close();
      if (shouldDiscard || isEmpty) await rm(part, { force: true });
    },
  };
}

async function openDirect(path: string): Promise<Sink> {
  const handle = await open(path, constants.O_WRONLY | constants.O_APPEND);
  return {
    size: 0,
    write: (chunk) => writeAll(handle, chunk, null),
    finish: () => handle.close(),
    abandon: () => handle.close(),
  };
}

async function writeAll(
  handle: FileHandle,
  chunk: Uint8Array,
  position: number | null,
): Promise<void> {
  for (let written = 0; written < chunk.length;) {
    const at = position === null ? null : position + written;
    written += (await handle.write(chunk, written, chunk.length - written, at)).bytesWritten;
  }
}
