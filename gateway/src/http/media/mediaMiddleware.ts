import type { StoredFile } from '@framegate/media';
import { createCachedReads } from '../../application/cachedReads.ts';
import type { WorkSlots } from '../../application/workKinds.ts';
import type { VersionedSecret } from '../../domain/accounts/apiKey.ts';
import {
  mediaKey,
  type MediaName,
  mediaPurposes,
  type RedirectTo,
  signRedirect,
  verifyMediaUrl,
} from '../../domain/generations/mediaUrl.ts';
import { filePolicy, inlineStyles, ownOrigin } from '../contentPolicy.ts';
import { callerAddress, type HttpContext, type HttpMiddleware } from '../context.ts';
import { createFileReaders, sendInSlot } from './fileReaders.ts';
import { type FileDeps, type MediaDelivery, sendRefusal, serveFile } from './serveFile.ts';

/** Dependencies of media by signed URL. */
export interface MediaDeps extends FileDeps {
  /** Start of the names of results. */
  fileStem: string;
  delivery: MediaDelivery;
  slots: WorkSlots;
  /** Ms since the epoch. */
  now: () => number;
  /** Path of MEDIA_URL on this server, such as `/media`, or empty on a separate host. */
  path: string;
  /** Keys that are valid for signatures. */
  signingKeys: readonly VersionedSecret[];
  /** True when a generation's outputs were deleted or taken down before their URLs expire. */
  isTakenDown: (generationId: string) => Promise<boolean>;
}

/** How long, and for how many files, a file's label and takedown state are cached, in ms. */
const cachedMs = 5_000;
const maxCached = 10_000;

/** Time between the end of a redirect's caching and the expiry of its URL, in seconds, for clients to follow it. */
const redirectSlackSeconds = 60;

/**
 * Headers of every response. Files come from models and are untrusted: no sniffing, no scripts, an opaque
 * origin. The browser's viewer may load the file itself. Any site may show a file as its picture or video, because the
 * URL is the permission, but none may frame it, and no script may read it (no CORS).
 */
const guards = {
  'Content-Security-Policy': filePolicy({
    'style-src': [inlineStyles],
    'img-src': [ownOrigin],
    'media-src': [ownOrigin],
  }),
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};

/**
 * Serves media by signed URL: outputs and posters to anyone with the URL, inputs to providers for a short time.
 * Supports GET, HEAD, single ranges and conditional requests. Refusals are plain text for browsers and download tools.
 * Other paths are passed on.
 */
export function mediaMiddleware(deps: MediaDeps): HttpMiddleware {
  const readers = createFileReaders();
  const cached = keepKnown(deps);
  return async (ctx, next) => {
    const path = ctx.path.startsWith(`${deps.path}/`) ? ctx.path.slice(deps.path.length) : '';
    const purpose = mediaPurposes.find((each) => path.startsWith(`/${each}/`));
    if (!purpose) {
      await next();
      return;
    }
    ctx.set(guards);
    if (!['GET', 'HEAD'].includes(ctx.method)) {
      ctx.set('Allow', 'GET, HEAD');
      sendRefusal(ctx, 405, 'Only GET and HEAD are allowed here.');
      return;
    }
    const { signingKeys } = deps;
    const nowMs = deps.now();
    const verdict = verifyMediaUrl({ purpose, path, query: ctx.querystring, signingKeys, nowMs });
    if (!verdict.ok) {
      if (verdict.reason === 'expired') {
        sendRefusal(ctx, 410, 'This link has expired. Read the generation again to get a new one.');
      } else {
        sendRefusal(ctx, 403, 'This link is invalid. Copy it unchanged from the generation.');
      }
      return;
    }
    const key = mediaKey(purpose, verdict);
    // Only providers fetch inputs, and they fetch many at once.
    const address = purpose === 'inputs' ? null : callerAddress(ctx);
    const answerMissing = () => {
      sendRefusal(ctx, 410, 'This file has been deleted.');
    };
    await sendInSlot(ctx, { slots: deps.slots, readers }, { address, file: key }, async () => {
      if (purpose !== 'inputs' && (await cached.isTakenDown(verdict.generationId))) {
        answerMissing();
      } else if (purpose !== 'inputs' && deps.delivery.by === 'redirect') {
        // Providers read inputs here, because not all of them follow redirects.
        redirect(ctx, deps.delivery.to, key, verdict.expiresAt, nowMs);
      } else {
        const ageSeconds = Math.min(maxAgeSeconds, Math.floor((verdict.expiresAt - nowMs) / 1000));
        const cacheControl = `private, max-age=${ageSeconds}`;
        const stem = purpose === 'inputs' ? 'input' : `${deps.fileStem}-${verdict.generationId}`;
        const describe = (file: StoredFile) => describeFile(file, stem, verdict);
        await serveFile(ctx, deps, { key, cacheControl, describe, answerMissing }, cached.stat);
      }
    });
  };
}

/** Cache lifetime, in seconds; URLs change every hour. */
const maxAgeSeconds = 3600;

/** Types served inline; all others are downloads. */
const shownTypes =
  /^(video\/(mp4|quicktime|webm)|image\/(png|jpeg|webp)|audio\/(mpeg|wav|mp4|aac))$/;

function describeFile(
  { contentType }: StoredFile,
  stem: string,
  { index, extension }: MediaName,
): Record<string, string> {
  const isShown = shownTypes.test(contentType);
  const fileName = `${stem}-${index + 1}.${extension}`;
  return {
    'Content-Type': isShown ? contentType : 'application/octet-stream',
    'Content-Disposition': `${isShown ? 'inline' : 'attachment'}; filename="${fileName}"`,
  };
}

/** Caches answers of the store and the database for a few seconds: a player requests many ranges of one file. */
function keepKnown({ now, store, isTakenDown }: MediaDeps) {
  const keep = <T>(read: (key: string) => Promise<T>) =>
    createCachedReads(
      { now },
      { max: maxCached, read, cachedUntil: (_key, _begun, end) => end + cachedMs },
    );
  const stat = keep((key) => store.stat(key));
  return {
    // A file may appear at any time, so its absence is not cached.
    stat: async (key: string) => (await stat(key)) ?? store.stat(key),
    isTakenDown: keep(isTakenDown),
  };
}

function redirect(
  ctx: HttpContext,
  to: RedirectTo,
  key: string,
  untilMs: number,
  nowMs: number,
): void {
  const { url, expiresAt } = signRedirect(to, { key, nowMs, expiresAt: untilMs });
  const ageSeconds = Math.max(0, Math.floor((expiresAt - nowMs) / 1000) - redirectSlackSeconds);
  ctx.set('Cache-Control', `private, max-age=${ageSeconds}`);
  ctx.set('Location', url);
  ctx.status = 302;
  ctx.body = '';
}
