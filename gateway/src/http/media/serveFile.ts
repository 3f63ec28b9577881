import type { Log } from '@framegate/contract';
import type { MediaStore, StoredFile } from '@framegate/media';
import type { RedirectTo } from '../../domain/generations/mediaUrl.ts';
import { Refusal } from '../../domain/refusal.ts';
import { type HttpContext, listsEtag } from '../context.ts';
import { parseRange } from './byteRange.ts';
import { type Pieces, sendLocalFile } from './sendLocalFile.ts';

/**
 * How bytes reach the client: from this process; from the proxy in front, which is told the file's location; or from
 * another address.
 */
export type MediaDelivery =
  | { by: 'proxy' }
  /** @param accel.path The proxy's internal path for the store's folder; null for X-Sendfile with `folder`. */
  | { by: 'accel'; path: string | null; folder: string }
  | { by: 'redirect'; to: RedirectTo };

/** Dependencies of responses with files. */
export interface FileDeps {
  store: Pick<MediaStore, 'open' | 'openLocal' | 'stat'>;
  /** Absent if this process sends them. */
  delivery?: MediaDelivery;
  /** Memory shared by this process's responses. */
  pieces: Pieces;
  log: Pick<Log, 'warn'>;
}

/** A file to send. */
export interface ServedFile {
  /** The file's key in the store. */
  key: string;
  cacheControl: string;
  /** Headers that describe the file. */
  describe: (file: StoredFile) => Record<string, string>;
  /** Answers if the store does not have it. */
  answerMissing: () => void;
}

/**
 * Answers with a file or a part of it. Supports GET, HEAD, single ranges and conditional requests.
 * @param keptStat Reads the file's label, which may be out of date.
 * @throws Refusal `service_unavailable` if the store fails.
 */
export async function serveFile(
  ctx: HttpContext,
  deps: FileDeps,
  file: ServedFile,
  keptStat?: (key: string) => Promise<StoredFile | null>,
): Promise<void> {
  const stat = (key: string) => deps.store.stat(key);
  for (const read of [keptStat ?? stat, stat]) {
    if (await serveKnown(ctx, deps, file, await readFromStore(deps, read(file.key)))) return;
  }
  throw new Error('a media file changes while it is read');
}

/** @returns False, without a response, if the label is out of date: the file was replaced or deleted. */
async function serveKnown(
  ctx: HttpContext,
  deps: FileDeps,
  { key, cacheControl, describe, answerMissing: missing }: ServedFile,
  file: StoredFile | null,
): Promise<boolean> {
  if (!file) {
    missing();
    return true;
  }
  const etag = `"${file.etag}"`;
  const isKept = listsEtag(ctx.get('If-None-Match'), etag);
  const { delivery } = deps;
  const accel = delivery?.by === 'accel' && file.path !== undefined ? delivery : null;
  const isRanged = ctx.method === 'GET' && isCurrent(ctx.get('If-Range'), etag) && !accel;
  const range = isRanged ? parseRange(ctx.get('Range'), file.bytes) : 'whole';
  const part = typeof range === 'string' ? { start: 0, end: file.bytes - 1 } : range;
  const sends = ctx.method === 'GET' && !isKept && !accel && range !== 'unsatisfiable';
  const hasBytes = part.end >= part.start;
  const body = sends && hasBytes ? await openBody(deps, key, file, part) : null;
  if (sends && hasBytes && !body) return false;
  ctx.set({ ETag: etag, 'Accept-Ranges': 'bytes', 'Cache-Control': cacheControl });
  if (isKept) {
    ctx.status = 304;
    return true;
  }
  if (range === 'unsatisfiable') {
    ctx.set('Content-Range', `bytes */${file.bytes}`);
    sendRefusal(ctx, 416, 'The file does not contain the requested range.');
    return true;
  }
  ctx.set(describe(file));
  ctx.status = range === 'whole' ? 200 : 206;
  if (accel) {
    delegateToProxy(ctx, accel, file.path ?? '');
    return true;
  }
  if (range !== 'whole') ctx.set('Content-Range', `bytes ${part.start}-${part.end}/${file.bytes}`);
  if (!hasBytes) ctx.body = '';
  ctx.length = part.end - part.start + 1;
  await body?.(ctx);
  return true;
}

/** Sends the opened bytes as the body of a response. */
type SendBody = (ctx: HttpContext) => Promise<void> | void;

/**
 * Opens a part of a file.
 * @returns Null if it has been replaced: headers of one file must not precede bytes of another.
 */
async function openBody(
  deps: FileDeps,
  key: string,
  file: StoredFile,
  part: { start: number; end: number },
): Promise<SendBody | null> {
  const { store, pieces } = deps;
  if (store.openLocal && file.path !== undefined) {
    const local = await readFromStore(deps, store.openLocal(file));
    if (!local) return null;
    return async (ctx) => {
      const { sending } = await readFromStore(deps, sendLocalFile(ctx.res, local, part, pieces));
      // The middleware ends when the response begins, as with a stream.
      ctx.respond = false;
      sending.catch((error: unknown) => {
        ctx.onerror(error as Error);
      });
    };
  }
  const isPart = part.start > 0 || part.end < file.bytes - 1;
  const openFile = await readFromStore(deps, store.open(key, isPart ? part : undefined, file));
  if (openFile?.etag !== file.etag) {
    openFile?.stream.destroy();
    return null;
  }
  return (ctx) => {
    ctx.body = openFile.stream;
  };
}

/** Lets the proxy in front send the file, including ranges. */
function delegateToProxy(
  ctx: HttpContext,
  { path, folder }: Extract<MediaDelivery, { by: 'accel' }>,
  file: string,
): void {
  if (path === null) ctx.set('X-Sendfile', `${folder}/${file}`);
  else ctx.set('X-Accel-Redirect', `${path}/${file}`);
  ctx.body = '';
}

/** Awaits the store. @throws Refusal `service_unavailable` if it fails, after a warning in the log. */
async function readFromStore<T>({ log }: FileDeps, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    log.warn({ error }, 'failed to read the media store');
    throw new Refusal('service_unavailable');
  }
}

/** If-Range: absent or equal to the tag. A date never matches, because responses have no Last-Modified. */
function isCurrent(header: string, etag: string): boolean {
  return header === '' || header === etag;
}

/** Refuses in plain text, for browsers and download tools. */
export function sendRefusal(ctx: HttpContext, status: number, text: string): void {
  ctx.status = status;
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Content-Type', 'text/plain; charset=utf-8');
  ctx.body = `${text}\n`;
}
