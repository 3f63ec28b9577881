import type { MediaStore } from '../../application/ports/media.ts';
import {
  showpieceFiles,
  showpieceKey,
  type Showpiece,
  type ShowpieceFile,
} from '../../domain/showpiece.ts';
import { callerAddress, listsEtag, type HttpContext, type HttpMiddleware } from '../context.ts';
import { createAnswerLimits } from '../media/answerLimits.ts';
import { parseRange } from '../media/byteRange.ts';
import { refuse } from '../media/serveFile.ts';

const prefix = '/site/showpieces';
/** In seconds: a generation's files never change, and one that is taken down disappears soon. */
const maxAge = 300;
const types: Readonly<Record<ShowpieceFile, string>> = {
  'small.webp': 'image/webp',
  'large.webp': 'image/webp',
  'clip.mp4': 'video/mp4',
};

const missing = 'There is no such file.';

/** Path of a file of a showpiece. */
export const showpiecePath = ({ generationId }: Showpiece, file: ShowpieceFile): string =>
  `${prefix}/${generationId}/${file}`;

/** Files that pages show. */
export interface Showcase {
  /** The same array until it changes. */
  list: () => Promise<readonly Showpiece[]>;
  store: Pick<MediaStore, 'open' | 'stat'>;
}

/** Serves the files of the showpieces in the list, to everyone. */
export function showpieceAnswers({ list, store }: Showcase): HttpMiddleware {
  const limits = createAnswerLimits();
  return async (ctx) => {
    const [, id, name] = /^\/site\/showpieces\/(\w+)\/([\w.]+)$/.exec(ctx.path) ?? [];
    const file = showpieceFiles.find((each) => each === name);
    const isListed = file && (await list()).some(({ generationId }) => generationId === id);
    if (id === undefined || !isListed) {
      refuse(ctx, 404, missing);
      return;
    }
    const key = showpieceKey(id, file);
    const place = limits.enter({ address: callerAddress(ctx), file: key });
    if (!place.ok) {
      ctx.set('Retry-After', '5');
      refuse(ctx, 429, 'This file is being loaded too often at once.');
      return;
    }
    if (ctx.res.closed) place.leave();
    else ctx.res.once('close', place.leave);
    const found = await store.stat(key);
    if (found) await answer(ctx, store, { key, type: types[file], ...found });
    else refuse(ctx, 404, missing);
  };
}

async function answer(
  ctx: HttpContext,
  store: Showcase['store'],
  { key, type, etag, bytes }: { key: string; type: string; etag: string; bytes: number },
): Promise<void> {
  const quoted = `"${etag}"`;
  ctx.set({
    ...{ ETag: quoted, 'Accept-Ranges': 'bytes', 'X-Content-Type-Options': 'nosniff' },
    ...{ 'Content-Type': type, 'Cache-Control': `public, max-age=${maxAge}` },
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
  if (listsEtag(ctx.get('If-None-Match'), quoted)) {
    ctx.status = 304;
    return;
  }
  const range = ctx.method === 'GET' ? parseRange(ctx.get('Range'), bytes) : 'whole';
  if (range === 'unsatisfiable') {
    ctx.set('Content-Range', `bytes */${bytes}`);
    refuse(ctx, 416, 'The file has no such part.');
    return;
  }
  const part = range === 'whole' ? undefined : range;
  ctx.status = part ? 206 : 200;
  if (part) ctx.set('Content-Range', `bytes ${part.start}-${part.end}/${bytes}`);
  if (ctx.method === 'GET') {
    const opened = await store.open(key, part);
    if (!opened) {
      refuse(ctx, 404, missing);
      return;
    }
    ctx.body = opened.stream;
  }
  ctx.type = type;
  ctx.length = part ? part.end - part.start + 1 : bytes;
}
