import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { ErrorCode } from '@framegate/contract';
import type Koa from 'koa';
import type { Caller } from '../application/authenticate.ts';

/** The state of one request, shared by the steps of the pipeline. */
export interface RequestState {
  /** Ours, always; a client's own `X-Request-Id` is not trusted. */
  requestId: string;
  /** The trace that it belongs to; null where neither the client nor this gateway traces. */
  traceId: string | null;
  /** Set once the API key has been recognised. */
  caller: Caller | null;
  /** Code of the error answer, if it is one. */
  refused: ErrorCode | null;
  /** The parsed JSON body of a create: a plain object. */
  json: unknown;
}

/** One request and its answer. */
export type HttpContext = Koa.ParameterizedContext<RequestState>;

/** A step of the request pipeline. */
export type HttpMiddleware = Koa.Middleware<RequestState>;

/** The Koa application. */
export type HttpApp = Koa<RequestState>;

/** The caller of a request whose route begins with `authenticate`. */
export function callerOf(ctx: HttpContext): Caller {
  if (ctx.state.caller === null) throw new Error('the route does not authenticate');
  return ctx.state.caller;
}

/** The caller's address, as `trustProxies` found it; empty when the connection is gone. */
export function callerAddress(ctx: HttpContext): string {
  return ctx.ip;
}

/** Media type of every JSON answer. */
export const jsonType = 'application/json; charset=utf-8';

/** Answers JSON text as it is. */
export function answerJson(ctx: HttpContext, status: number, text: string): void {
  ctx.status = status;
  ctx.res.setHeader('Content-Type', jsonType);
  ctx.body = text;
}

/** How texts are compressed, the best first; `identity` is the text as it is. */
const encodings = {
  br: (text: Buffer) =>
    brotliCompressSync(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    }),
  gzip: (text: Buffer) => gzipSync(text, { level: 9 }),
  identity: (text: Buffer) => text,
};
type Encoding = keyof typeof encodings;

/** Below this number of bytes compression gains nothing. */
const minCompressedBytes = 1024;

/**
 * Answers a text or file that never changes while the process runs, with a strong ETag, and compressed where
 * the client takes that. Caches may keep it and ask again each time. If-None-Match is compared here:
 * `ctx.fresh` gives up at the `no-cache` that fetch adds to such a request.
 * @param headers Further headers.
 */
export function staticAnswer(
  content: string | Buffer,
  type: string = jsonType,
  headers: Readonly<Record<string, string>> = {},
): HttpMiddleware {
  const plain = Buffer.from(content);
  const hash = createHash('sha256').update(plain).digest('base64url');
  const made = new Map<Encoding, Buffer>();
  const bodyFor = (encoding: Encoding) => {
    const body = made.get(encoding) ?? encodings[encoding](plain);
    made.set(encoding, body);
    return body;
  };
  // Pictures are compressed already.
  const isPlain = plain.length < minCompressedBytes || type.startsWith('image/');
  return (ctx) => {
    const encoding = isPlain ? 'identity' : encodingFor(ctx);
    // A strong ETag is one of these bytes, so each encoding has its own.
    const etag = encoding === 'identity' ? `"${hash}"` : `"${hash}.${encoding}"`;
    ctx.set({ ...headers, 'Cache-Control': 'no-cache', ETag: etag, Vary: 'Accept-Encoding' });
    if (names(ctx.get('If-None-Match'), etag)) {
      ctx.status = 304;
      return;
    }
    ctx.set('Content-Type', type);
    if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
    ctx.body = bodyFor(encoding);
  };
}

/** The best that the client takes by its Accept-Encoding; without that header, the text as it is. */
function encodingFor(ctx: HttpContext): Encoding {
  if (ctx.get('Accept-Encoding') === '') return 'identity';
  const best = (['br', 'gzip'] as const).find((each) => ctx.acceptsEncodings(each) === each);
  return best ?? 'identity';
}

/** Whether an If-None-Match header names this ETag (weak comparison, RFC 9110 section 13.1.2). */
function names(header: string, etag: string): boolean {
  return header.split(',').some((each) => ['*', etag].includes(each.trim().replace(/^W\//, '')));
}
