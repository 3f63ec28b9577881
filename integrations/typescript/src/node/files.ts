import { constants } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { Sink } from '../sink.ts';

/**
 * Opens a file for a download. The bytes go to a part file beside it, named after the download, so that a later
 * download of the same file continues it; the file gets its own name once it is complete.
 */
export async function openFile(path: string, version: string | undefined): Promise<Sink> {
  const target = await stat(path).catch(() => undefined);
  if (target?.isDirectory()) throw new Error(`${path} is a folder`);
  // A device or a pipe receives the bytes itself; it must not be replaced by a file.
  if (target && !target.isFile()) return deviceSink(await open(path, 'w'));
  const name = version?.replaceAll(/\W/g, '').slice(0, 40) ?? crypto.randomUUID();
  const part = `${path}.${name}.part`;
  const handle = await open(part, constants.O_RDWR | constants.O_CREAT);
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
    async abandon(_, discard) {
      await handle.close();
      if (discard) await rm(part, { force: true });
    },
  };
}

function deviceSink(handle: FileHandle): Sink {
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
  for (let done = 0; done < chunk.length;) {
    const at = position === null ? null : position + done;
    done += (await handle.write(chunk, done, chunk.length - done, at)).bytesWritten;
  }
}
