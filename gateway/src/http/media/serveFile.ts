import type { MediaStore, StoredFile } from '../../application/ports/media.ts';
import type { Log } from '../../application/ports/system.ts';
import {
  mediaKey,
  type MediaName,
  type MediaPurpose,
  type RedirectTo,
} from '../../domain/mediaUrl.ts';
import { Refusal } from '../../domain/refusal.ts';
import { listsEtag, type HttpContext } from '../context.ts';
import { parseRange } from './byteRange.ts';

/**
 * How bytes reach the client: by this process; by the proxy in front, which is told where they lie; or by another
 * address.
 */
export type MediaDelivery =
  | { by: 'proxy' }
  /** @param accel.path The proxy's internal path of the store's folder; null for X-Sendfile with `folder`. */
  | { by: 'accel'; path: string | null; folder: string }
  | { by: 'redirect'; to: RedirectTo };

/** Dependencies of answers with files. */
export interface ServeDeps {
  /** How names of results begin. */
  fileStem: string;
  store: Pick<MediaStore, 'open' | 'stat'>;
  /** Ms since the epoch. */
  now: () => number;
  delivery: MediaDelivery;
  log: Pick<Log, 'warn'>;
}

/** Cache lifetime, in seconds; URLs change every hour. */
const maxAgeSeconds = 3600;

/** Types served inline; all others are downloads. */
const shownTypes =
  /^(video\/(mp4|quicktime|webm)|image\/(png|jpeg|webp)|audio\/(mpeg|wav|mp4|aac))$/;

/**
 * Answers with the file, or a part of it.
 * @param stat Reads the label of the file.
 * @returns false, without an answer, if the label is out of date: the file was replaced or deleted.
 */
export async function serveFile(
  ctx: HttpContext,
  deps: ServeDeps,
  name: MediaName & { purpose: MediaPurpose; expiresAtMs: number },
  stat: (key: string) => Promise<StoredFile | null>,
): Promise<boolean> {
  const key = mediaKey(name.purpose, name);
  const file = await fromStore(deps, stat(key));
  if (!file) {
    refuse(ctx, 410, 'This file has been deleted.');
    return true;
  }
  const etag = `"${file.etag}"`;
  const isKept = listsEtag(ctx.get('If-None-Match'), etag);
  const { delivery } = deps;
  const isHandedOn = delivery.by === 'accel' && file.path !== undefined;
  const isRanged = ctx.method === 'GET' && isCurrent(ctx.get('If-Range'), etag) && !isHandedOn;
  const range = isRanged ? parseRange(ctx.get('Range'), file.bytes) : 'whole';
  const sends = ctx.method === 'GET' && !isKept && !isHandedOn && range !== 'unsatisfiable';
  const part = typeof range === 'string' ? undefined : range;
  const opened = sends ? await fromStore(deps, deps.store.open(key, part, file)) : null;
  // Headers of one file must not precede bytes of another.
  if (sends && opened?.etag !== file.etag) {
    opened?.stream.destroy();
    return false;
  }
  const age = Math.min(maxAgeSeconds, Math.floor((name.expiresAtMs - deps.now()) / 1000));
  ctx.set({ ETag: etag, 'Accept-Ranges': 'bytes', 'Cache-Control': `private, max-age=${age}` });
  if (isKept) {
    ctx.status = 304;
    return true;
  }
  if (range === 'unsatisfiable') {
    ctx.set('Content-Range', `bytes */${file.bytes}`);
    refuse(ctx, 416, 'The file has no such part.');
    return true;
  }
  const stem = name.purpose === 'inputs' ? 'input' : `${deps.fileStem}-${name.generationId}`;
  describeFile(ctx, file, stem, name);
  ctx.status = part ? 206 : 200;
  if (delivery.by === 'accel' && file.path !== undefined) {
    handOn(ctx, delivery, file.path);
    return true;
  }
  const { start, end } = part ?? { start: 0, end: file.bytes - 1 };
  if (part) ctx.set('Content-Range', `bytes ${start}-${end}/${file.bytes}`);
  if (opened) ctx.body = opened.stream;
  ctx.length = end - start + 1;
  return true;
}

/** Has the proxy in front send the file, which then sees to ranges as well. */
function handOn(
  ctx: HttpContext,
  { path, folder }: Extract<MediaDelivery, { by: 'accel' }>,
  file: string,
): void {
  if (path === null) ctx.set('X-Sendfile', `${folder}/${file}`);
  else ctx.set('X-Accel-Redirect', `${path}/${file}`);
  ctx.body = '';
}

function describeFile(
  ctx: HttpContext,
  { contentType }: StoredFile,
  stem: string,
  { index, extension }: MediaName,
): void {
  const isShown = shownTypes.test(contentType);
  const fileName = `${stem}-${index + 1}.${extension}`;
  ctx.set('Content-Type', isShown ? contentType : 'application/octet-stream');
  ctx.set('Content-Disposition', `${isShown ? 'inline' : 'attachment'}; filename="${fileName}"`);
}

/** Awaits the store. @throws Refusal `service_unavailable` if it fails, after a warning in the log. */
async function fromStore<T>({ log }: ServeDeps, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (err) {
    log.warn({ err }, 'the media store could not be read');
    throw new Refusal('service_unavailable');
  }
}

/** If-Range: absent or equal to the tag. A date never matches, because answers have no Last-Modified. */
function isCurrent(header: string, etag: string): boolean {
  return header === '' || header === etag;
}

/** Refuses in plain text, for browsers and download tools. */
export function refuse(ctx: HttpContext, status: number, text: string): void {
  ctx.status = status;
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Content-Type', 'text/plain; charset=utf-8');
  ctx.body = `${text}\n`;
}
