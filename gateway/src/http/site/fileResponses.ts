import { Readable } from 'node:stream';
import type { Log } from '@framegate/contract';
import type { WorkSlots } from '../../application/workKinds.ts';
import { filePolicy } from '../contentPolicy.ts';
import { callerAddress, type HttpMiddleware } from '../context.ts';
import { createFileReaders, sendInSlot } from '../media/fileReaders.ts';
import { createPieces } from '../media/sendLocalFile.ts';
import { type FileDeps, sendRefusal, serveFile } from '../media/serveFile.ts';

/** A file that this process keeps in memory. */
export interface HeldFile {
  bytes: Uint8Array;
  mediaType: string;
  /** Differs whenever the bytes differ. */
  hash: string;
}

/**
 * Serves files from memory, to everyone. They may be cached for a year.
 * @param files By the path of a request, which is only looked up here.
 * @param headers Additional headers.
 */
export function fileResponses(
  files: ReadonlyMap<string, HeldFile>,
  { log, slots }: { log: Pick<Log, 'warn'>; slots: WorkSlots },
  headers: Readonly<Record<string, string>> = {},
): HttpMiddleware {
  const readers = createFileReaders();
  const deps = { store: storeOf(files), pieces: createPieces(), log };
  return (ctx) =>
    sendInSlot(
      ctx,
      { slots, readers },
      { address: callerAddress(ctx), file: ctx.path },
      async () => {
        ctx.set('Content-Security-Policy', filePolicy());
        await serveFile(ctx, deps, {
          key: ctx.path,
          cacheControl: 'public, max-age=31536000, immutable',
          describe: ({ contentType }) => ({ 'Content-Type': contentType, ...headers }),
          answerMissing: () => {
            sendRefusal(ctx, 404, 'This file does not exist.');
          },
        });
      },
    );
}

/** The files as a store whose keys are their paths. */
function storeOf(files: ReadonlyMap<string, HeldFile>): FileDeps['store'] {
  const find = (path: string) => {
    const file = files.get(path);
    if (!file) return null;
    const { bytes, mediaType, hash } = file;
    return { bytes, about: { bytes: bytes.length, contentType: mediaType, etag: hash } };
  };
  return {
    stat: (path) => Promise.resolve(find(path)?.about ?? null),
    open(path, range) {
      const file = find(path);
      if (!file) return Promise.resolve(null);
      const { start = 0, end = file.bytes.length - 1 } = range ?? {};
      const part = Buffer.from(file.bytes.buffer, file.bytes.byteOffset + start, end - start + 1);
      return Promise.resolve({ ...file.about, stream: Readable.from(part) });
    },
  };
}
