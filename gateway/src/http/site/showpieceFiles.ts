import { Readable } from 'node:stream';
import type { Log } from '../../application/ports/system.ts';
import type { WorkSlots } from '../../application/workKinds.ts';
import type { ShownFile, ShownMedia, Showpiece } from '../../domain/brand/showpiece.ts';
import { callerAddress, type HttpMiddleware } from '../context.ts';
import { createFileReaders, sendInSlot } from '../media/fileReaders.ts';
import { createPieces } from '../media/sendLocalFile.ts';
import { refuse, serveFile, type ServeDeps } from '../media/serveFile.ts';

/** Address of a picture or clip for pages. The path of a file contains its hash, so it can be cached for a year. */
export const shownAt = (media: ShownMedia): string =>
  typeof media === 'string' ? media : `/site/showpieces/${media.hash}.${media.extension}`;

/** Origins of the addresses among pictures or clips, for the policy of a page. */
export const shownOrigins = (all: readonly (ShownMedia | null)[]): string[] => [
  ...new Set(all.flatMap((each) => (typeof each === 'string' ? [new URL(each).origin] : []))),
];

/** Serves the files of showpieces from memory, to everyone. */
export function showpieceAnswers(
  showpieces: readonly Showpiece[],
  { log, slots }: { log: Pick<Log, 'warn'>; slots: WorkSlots },
): HttpMiddleware {
  const readers = createFileReaders();
  const all = showpieces.flatMap(({ picture, clip }) => [picture, clip ?? []].flat());
  const files = new Map(
    all.flatMap((each): [string, ShownFile][] =>
      typeof each === 'string' ? [] : [[shownAt(each), each]],
    ),
  );
  const deps = { store: storeOf(files), pieces: createPieces(), log };
  return (ctx) =>
    sendInSlot(
      ctx,
      { slots, readers },
      { address: callerAddress(ctx), file: ctx.path },
      async () => {
        ctx.set(
          'Content-Security-Policy',
          "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
        );
        await serveFile(ctx, deps, {
          key: ctx.path,
          cacheControl: 'public, max-age=31536000, immutable',
          describe: ({ contentType }) => ({ 'Content-Type': contentType }),
          missing: () => {
            refuse(ctx, 404, 'There is no such file.');
          },
        });
      },
    );
}

/** The files in memory as a store whose keys are their paths. */
function storeOf(files: ReadonlyMap<string, ShownFile>): ServeDeps['store'] {
  const find = (path: string) => {
    const file = files.get(path);
    if (!file) return null;
    const { bytes, mediaType, hash } = file;
    return { bytes, about: { bytes: bytes.length, contentType: mediaType, etag: hash } };
  };
  return {
    stat: (path) => Promise.resolve(find(path)?.about ?? null),
    open(path, range) {
      const found = find(path);
      if (!found) return Promise.resolve(null);
      const { start = 0, end = found.bytes.length - 1 } = range ?? {};
      const part = Buffer.from(found.bytes.buffer, found.bytes.byteOffset + start, end - start + 1);
      return Promise.resolve({ ...found.about, stream: Readable.from(part) });
    },
  };
}
