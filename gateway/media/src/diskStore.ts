import * as fs from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { errorCodeOf, hourMs } from '@framegate/contract';
import { openLocalFile } from './localFile.ts';
import { type MediaStore, requireMediaKey, type StoredFile } from './mediaStore.ts';
import { watchStall, withStallLimit } from './stallLimit.ts';
import { ifMissing, receiveData, receiveFile, withTempFile } from './tempFiles.ts';

const defaultStallMs = 30_000;

/** Bare descriptors: a stream of a `FileHandle` awaits a promise for each read. */
const descriptors = {
  open: promisify(fs.open),
  stat: promisify(fs.fstat),
  close: promisify(fs.close),
};

/** Contents of the small file next to the bytes. Replacing it makes a new file visible. */
interface Label {
  /** Name of the file with the bytes, in the same folder. */
  file: string;
  bytes: number;
  contentType: string;
  sha256: string;
}

/**
 * The media store on a disk. `outputs/gen_…/0.mp4` becomes two files in `<root>/outputs/gen_…/`: the bytes,
 * under a unique name (`0.mp4.<uuid>`), and `0.mp4.json` with that name and the media type. Bytes and type
 * change together, because the second file is replaced atomically once the first is safely on disk. Files have
 * mode 0600, folders 0700. Several processes may share the folder.
 * @param root A folder; created if missing.
 * @param stallMs A call or transfer without progress is aborted after this time: the folder may be on a server
 * that has stopped responding.
 */
export function createDiskStore(root: string, stallMs = defaultStallMs): MediaStore {
  return {
    put: async (key, data, options) => {
      const path = pathOf(root, key);
      return withStallLimit(stallMs, options.signal, ({ signal, recordProgress: progress }) =>
        withTempFile(tempFolderOf(root), async (temp) => {
          const limits = { ...options, signal, progress };
          const received = await receiveData(temp, data, limits);
          const file = `${basename(path)}.${basename(temp)}`;
          // The call was abandoned: a late response of the disk must not publish the file after all.
          signal.throwIfAborted();
          progress();
          await publish(root, path, temp, { file, contentType: options.contentType, ...received });
          return received;
        }),
      );
    },
    open: async (key, range, stored) => {
      const path = pathOf(root, key);
      const handle = await withStallLimit(stallMs, undefined, async ({ signal }) => {
        const openHandle =
          stored?.path === undefined
            ? await openFile(root, path)
            : await reopen(root, stored.path, stored);
        if (signal.aborted && openHandle) await descriptors.close(openHandle.fd);
        return openHandle;
      });
      if (!handle) return null;
      const { fd, file } = handle;
      // Without its end, the stream allocates 64 KiB for a file of any size.
      const stream = fs.createReadStream('', { end: Math.max(file.bytes - 1, 0), ...range, fd });
      return { stream: watchStall(stream, stallMs), ...file };
    },
    openLocal: async ({ path }) =>
      path === undefined ? null : openLocalFile(join(root, path), stallMs),
    stat: async (key) => {
      const path = pathOf(root, key);
      return withStallLimit(stallMs, undefined, async () => {
        const handle = await openFile(root, path);
        if (handle) await descriptors.close(handle.fd);
        return handle && handle.file;
      });
    },
    delete: async (key) => {
      const path = pathOf(root, key);
      await withStallLimit(stallMs, undefined, () => remove(path));
    },
  };
}

async function remove(path: string): Promise<void> {
  await rm(labelPath(path), { force: true });
  // Removes all bytes of the key, including those left by concurrent writers.
  for (const name of await readdir(dirname(path)).catch(ifMissing([]))) {
    if (isBytesOf(path, name)) await rm(join(dirname(path), name), { force: true });
  }
  // Removes the folder if it is empty.
  await rmdir(dirname(path)).catch(() => undefined);
}

/** The folder of a disk store's incomplete files, cleared by `removeStaleTempFiles`. */
export function tempFolderOf(root: string): string {
  return join(root, 'incomplete');
}

function pathOf(root: string, key: string): string {
  return join(root, ...requireMediaKey(key).split('/'));
}

const labelPath = (path: string) => `${path}.json`;
const isBytesOf = (path: string, name: string) =>
  name.startsWith(`${basename(path)}.`) &&
  /^[0-9a-f-]{36}$/.test(name.slice(basename(path).length + 1));

const describe = (root: string, path: string, label: Label): StoredFile => ({
  bytes: label.bytes,
  contentType: label.contentType,
  etag: label.sha256.slice(0, 32),
  path: relative(root, join(dirname(path), label.file)),
});

const maxMoves = 1_000;

/**
 * Moves a file into a folder, which `delete` removes whenever it is empty: before the file is moved, or while the
 * folder is being created.
 * @returns The first folder created, if any.
 */
async function moveInto(folder: string, path: string, name: string): Promise<string | undefined> {
  for (let moves = 1; ; moves += 1) {
    try {
      const firstNewFolder = await mkdir(folder, { recursive: true, mode: 0o700 });
      await rename(path, join(folder, name));
      return firstNewFolder;
    } catch (error) {
      if (moves === maxMoves || errorCodeOf(error) !== 'ENOENT') throw error;
    }
  }
}

/** Moves first the bytes and then the label into place, both synced to disk. */
async function publish(root: string, path: string, temp: string, label: Label): Promise<void> {
  const folder = dirname(path);
  const tempLabel = `${temp}.json`;
  try {
    await receiveFile(tempLabel, Buffer.from(JSON.stringify(label)), { maxBytes: 4096 });
    const firstNewFolder = await moveInto(folder, temp, label.file);
    const earlier = await readLabel(path);
    await rename(tempLabel, labelPath(path));
    await syncFolders(folder, firstNewFolder === undefined ? folder : root);
    if (earlier) await removeReplaced(path, label.file, earlier.file);
  } finally {
    await rm(tempLabel, { force: true });
  }
}

/** Bytes that are older than the new ones by more than this, in ms, belong to no writer that may still publish them. */
const leftAfterMs = hourMs;

/**
 * Removes the bytes that a label replaced. Others may belong to a writer that is about to publish them, unless they are
 * old: of two writers that replace the same bytes, one leaves its own.
 * @param current The name of the new bytes, which another writer may have replaced and removed.
 * @param earlier The name of those that they replaced.
 */
export async function removeReplaced(
  path: string,
  current: string,
  earlier: string,
): Promise<void> {
  const folder = dirname(path);
  const readTime = async (name: string) =>
    (await stat(join(folder, name)).catch(ifMissing(null)))?.mtimeMs;
  // Without the new bytes, nothing tells which others are old.
  const oldBeforeMs = ((await readTime(current)) ?? -Infinity) - leftAfterMs;
  for (const name of await readdir(folder).catch(ifMissing([]))) {
    if (!isBytesOf(path, name) || name === current) continue;
    const isLeft = name === earlier || ((await readTime(name)) ?? Infinity) < oldBeforeMs;
    if (isLeft) await rm(join(folder, name), { force: true });
  }
}

/** An open file of the store. */
interface OpenedFile {
  fd: number;
  file: StoredFile;
}

/** Opens bytes that were found before: under their name they never change, and they are removed when replaced. */
async function reopen(root: string, path: string, file: StoredFile): Promise<OpenedFile | null> {
  const fd = await descriptors.open(join(root, path), 'r').catch(ifMissing(null));
  return fd === null ? null : { fd, file };
}

/** Opens the bytes named by the label, with one retry: a writer may replace both in between. */
async function openFile(root: string, path: string): Promise<OpenedFile | null> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const label = await readLabel(path);
    if (!label) return null;
    const fd = await descriptors.open(join(dirname(path), label.file), 'r').catch(ifMissing(null));
    if (fd === null) continue;
    const { size } = await descriptors.stat(fd);
    if (size === label.bytes) return { fd, file: describe(root, path, label) };
    await descriptors.close(fd);
    throw new Error(`stored file ${label.file} has ${size} bytes instead of ${label.bytes}`);
  }
  return null;
}

async function readLabel(path: string): Promise<Label | null> {
  const text = await readFile(labelPath(path), 'utf8').catch(ifMissing(null));
  if (text === null) return null;
  const label = JSON.parse(text) as Label;
  if (!isBytesOf(path, label.file)) throw new Error(`${basename(path)}.json names another file`);
  return label;
}

/** Syncs a folder and its parents up to `top`, without which a rename may not survive a crash. */
async function syncFolders(folder: string, top: string): Promise<void> {
  for (let each = folder; each.startsWith(top); each = dirname(each)) {
    const handle = await open(each, 'r');
    await handle.sync().finally(() => handle.close());
  }
}
