import type { MediaStore, StoredFile } from '../../application/ports/media.ts';
import type { Log } from '../../application/ports/system.ts';
import type { VersionedSecret } from '../../domain/apiKey.ts';
import {
  mediaKey,
  mediaPurposes,
  verifyMediaUrl,
  type MediaName,
  type MediaPurpose,
} from '../../domain/mediaUrl.ts';
import { Refusal } from '../../domain/refusal.ts';
import { callerAddress, listsEtag, type HttpContext, type HttpMiddleware } from '../context.ts';
import { createAnswerLimits, type AnswerLimits } from './answerLimits.ts';

export interface MediaDeps {
  /** Path of MEDIA_URL on this server, such as `/media`, or `/` on a separate host. */
  path: string;
  store: Pick<MediaStore, 'open' | 'stat'>;
  /** Keys that are valid for signatures. */
  signingKeys: readonly VersionedSecret[];
  /** Ms since the epoch. */
  now: () => number;
  /** True when a generation's outputs were deleted or taken down before their URLs expire. */
  isTakenDown: (generationId: string) => Promise<boolean>;
  log: Pick<Log, 'warn'>;
}

/** Cache lifetime, in seconds; URLs change every hour. */
const maxAgeSeconds = 3600;

/** `Retry-After` of 429 and 503, in seconds. */
const retryAfterSeconds = 5;

/** Types served inline; all others are downloads. */
const shownTypes =
  /^(video\/(mp4|quicktime|webm)|image\/(png|jpeg|webp)|audio\/(mpeg|wav|mp4|aac))$/;

/**
 * Headers of every answer. Files come from models and are untrusted: no sniffing, no scripts, an opaque
 * origin. The browser's viewer may load the file itself. Any site may embed a file, because the URL is the
 * permission, but no script may read it (no CORS).
 */
const guards = {
  'Content-Security-Policy':
    "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};

/**
 * Serves media by signed URL: outputs and posters to anyone with the URL, inputs to providers for a short
 * time. Supports GET, HEAD, single ranges and conditional requests. Refusals are plain text for browsers and
 * download tools. Other paths pass.
 */
export function mediaMiddleware(deps: MediaDeps): HttpMiddleware {
  const base = deps.path.replace(/\/$/, '');
  const limits = createAnswerLimits();
  return async (ctx, next) => {
    const path = ctx.path.startsWith(`${base}/`) ? ctx.path.slice(base.length) : '';
    const purpose = mediaPurposes.find((each) => path.startsWith(`/${each}/`));
    if (!purpose) {
      await next();
      return;
    }
    ctx.set(guards);
    if (!['GET', 'HEAD'].includes(ctx.method)) {
      ctx.set('Allow', 'GET, HEAD');
      refuse(ctx, 405, 'Only GET and HEAD are possible here.');
      return;
    }
    const { signingKeys } = deps;
    const nowMs = deps.now();
    const verdict = verifyMediaUrl({ purpose, path, query: ctx.querystring, signingKeys, nowMs });
    if (!verdict.ok) {
      if (verdict.reason === 'expired') {
        refuse(ctx, 410, 'This link has expired. Read the generation again for a new one.');
      } else {
        refuse(ctx, 403, 'This link is not valid. Copy it unchanged from the generation.');
      }
    } else if (!enter(ctx, limits, purpose, mediaKey(purpose, verdict))) {
      return;
    } else if (purpose !== 'inputs' && (await deps.isTakenDown(verdict.generationId))) {
      refuse(ctx, 410, 'This file has been deleted.');
    } else {
      await serve(ctx, deps, purpose, verdict, nowMs);
    }
  };
}

/** Counts the answer as running until the connection closes. @returns false after a refusal. */
function enter(
  ctx: HttpContext,
  limits: AnswerLimits,
  purpose: MediaPurpose,
  file: string,
): boolean {
  // Only providers fetch inputs, and they fetch many at once.
  const address = purpose === 'inputs' ? null : callerAddress(ctx);
  const place = limits.enter({ address, file });
  if (place.ok) {
    if (ctx.res.closed) place.leave();
    else ctx.res.once('close', place.leave);
    return true;
  }
  ctx.set('Retry-After', String(retryAfterSeconds));
  if (place.full === 'address') refuse(ctx, 429, 'Your address is loading too many files at once.');
  else refuse(ctx, 503, 'This file is being loaded too often at once.');
  return false;
}

function refuse(ctx: HttpContext, status: number, text: string): void {
  ctx.status = status;
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Content-Type', 'text/plain; charset=utf-8');
  ctx.body = `${text}\n`;
}

async function serve(
  ctx: HttpContext,
  deps: MediaDeps,
  purpose: MediaPurpose,
  name: MediaName & { expiresAtMs: number },
  nowMs: number,
): Promise<void> {
  const key = mediaKey(purpose, name);
  const file = await fromStore(deps, deps.store.stat(key));
  if (!file) {
    refuse(ctx, 410, 'This file has been deleted.');
    return;
  }
  const etag = `"${file.etag}"`;
  const age = Math.min(maxAgeSeconds, Math.floor((name.expiresAtMs - nowMs) / 1000));
  ctx.set({ ETag: etag, 'Accept-Ranges': 'bytes', 'Cache-Control': `private, max-age=${age}` });
  if (listsEtag(ctx.get('If-None-Match'), etag)) {
    ctx.status = 304;
    return;
  }
  const isRanged = ctx.method === 'GET' && isCurrent(ctx.get('If-Range'), etag);
  const range = isRanged ? parseRange(ctx.get('Range'), file.bytes) : 'whole';
  if (range === 'unsatisfiable') {
    ctx.set('Content-Range', `bytes */${file.bytes}`);
    refuse(ctx, 416, 'The file has no such part.');
    return;
  }
  describeFile(ctx, file, purpose, name);
  const part = range === 'whole' ? { start: 0, end: file.bytes - 1 } : range;
  ctx.status = range === 'whole' ? 200 : 206;
  if (range !== 'whole') ctx.set('Content-Range', `bytes ${part.start}-${part.end}/${file.bytes}`);
  if (ctx.method === 'GET') await send(ctx, deps, key, file, range === 'whole' ? undefined : part);
  ctx.length = part.end - part.start + 1;
}

function describeFile(
  ctx: HttpContext,
  { contentType }: StoredFile,
  purpose: MediaPurpose,
  { generationId, index, extension }: MediaName,
): void {
  const isShown = shownTypes.test(contentType);
  const stem = purpose === 'inputs' ? 'input' : `framegate-${generationId}`;
  const fileName = `${stem}-${index + 1}.${extension}`;
  ctx.set('Content-Type', isShown ? contentType : 'application/octet-stream');
  ctx.set('Content-Disposition', `${isShown ? 'inline' : 'attachment'}; filename="${fileName}"`);
}

async function send(
  ctx: HttpContext,
  deps: MediaDeps,
  key: string,
  file: StoredFile,
  part: { start: number; end: number } | undefined,
): Promise<void> {
  const opened = await fromStore(deps, deps.store.open(key, part));
  if (opened?.etag !== file.etag) {
    // Replaced or deleted since `stat`: headers of one file must not precede bytes of another.
    opened?.stream.destroy();
    throw new Error('a media file changed while it was read');
  }
  ctx.body = opened.stream;
}

/** Awaits the store. @throws Refusal `service_unavailable` if it fails, after a warning in the log. */
async function fromStore<T>({ log }: MediaDeps, reading: Promise<T>): Promise<T> {
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

/** Requested part of a file; `start` and `end` are inclusive byte positions. */
export type ByteRange = 'whole' | 'unsatisfiable' | { start: number; end: number };

/**
 * Parses a Range header with one byte range (RFC 9110 section 14). As that section permits, multiple ranges,
 * other units and invalid values are ignored and yield the whole file.
 * @param size Size of the file, in bytes.
 */
export function parseRange(header: string, size: number): ByteRange {
  const match = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/.exec(header.trim());
  if (!match) return 'whole';
  const [, first, last, suffix] = match;
  if (first === undefined) {
    const wanted = Number(suffix);
    if (wanted === 0 || size === 0) return 'unsatisfiable';
    return { start: Math.max(0, size - wanted), end: size - 1 };
  }
  const start = Number(first);
  const end = last ? Math.min(Number(last), size - 1) : size - 1;
  if (last && Number(last) < start) return 'whole';
  return start < size ? { start, end } : 'unsatisfiable';
}
