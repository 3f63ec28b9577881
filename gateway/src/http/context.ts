import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type Koa from 'koa';
import type { Caller } from '../application/authenticate.ts';
import type { OperatorKey } from '../domain/accounts/operatorKey.ts';
import type { RefusalCode } from '../domain/refusalCodes.ts';
import {
  compress,
  effortOnce,
  type Encoding,
  encodingFor,
  minCompressedBytes,
} from './compression.ts';

/** State of one request, shared by all middleware. */
export interface RequestState {
  /** Always generated here; a client's `X-Request-Id` is not trusted. */
  requestId: string;
  /** Null when neither the client nor this gateway traces. */
  traceId: string | null;
  /** The caller, set by `authenticateCaller`. */
  caller: Caller | null;
  /** The key of a request to the operator API. */
  operatorKey: OperatorKey | null;
  /** Error code of the response, for the access log. */
  refused: RefusalCode | null;
  /** The parsed JSON body of a create request: a plain object. */
  json: unknown;
}

/** One request and its response. */
export type HttpContext = Koa.ParameterizedContext<RequestState>;

/** Middleware of the gateway's Koa application. */
export type HttpMiddleware = Koa.Middleware<RequestState>;

/** The gateway's Koa application. */
export type HttpApp = Koa<RequestState>;

/** The authenticated caller. @throws Error on a route without `authenticateCaller`. */
export function callerOf(ctx: HttpContext): Caller {
  if (ctx.state.caller === null) throw new Error('the route does not authenticate');
  return ctx.state.caller;
}

/** The caller's address, set by `trustProxies`; empty when the connection has closed. */
export function callerAddress(ctx: HttpContext): string {
  return ctx.ip;
}

/** Aborted when the response is complete or its connection closes. */
export function disconnectSignalOf(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (res.closed) controller.abort();
  else res.once('close', () => controller.abort());
  return controller.signal;
}

/** Media type of every JSON response. */
export const jsonType = 'application/json; charset=utf-8';

/** Sends text that is already JSON. */
export function sendJson(ctx: HttpContext, status: number, text: string): void {
  ctx.status = status;
  ctx.res.setHeader('Content-Type', jsonType);
  ctx.body = text;
}

/**
 * Serves content that does not change while the process runs: compressed if the client accepts it, with a
 * strong ETag. Caches must revalidate. `ctx.fresh` cannot be used, because it ignores If-None-Match when
 * a request also has `Cache-Control: no-cache`, as those of fetch do.
 * @param headers Additional headers.
 */
export function staticResponse(
  content: string | Buffer,
  type: string = jsonType,
  headers: Readonly<Record<string, string>> = {},
): HttpMiddleware {
  const plain = Buffer.from(content);
  const hash = createHash('sha256').update(plain).digest('base64url');
  const bodies = new Map<Encoding, Promise<Buffer>>();
  const makeBody = (encoding: Encoding) => {
    const earlier = bodies.get(encoding);
    if (earlier) return earlier;
    const body = compress(plain, encoding, effortOnce);
    bodies.set(encoding, body);
    // The next request tries again.
    body.catch(() => bodies.delete(encoding));
    return body;
  };
  // Images are compressed already.
  const isPlain = plain.length < minCompressedBytes || type.startsWith('image/');
  return async (ctx) => {
    const encoding = isPlain ? 'identity' : encodingFor(ctx);
    // A strong ETag identifies exact bytes, so each coding needs its own.
    const etag = encoding === 'identity' ? `"${hash}"` : `"${hash}.${encoding}"`;
    ctx.set({ ...headers, 'Cache-Control': 'no-cache', ETag: etag, Vary: 'Accept-Encoding' });
    if (listsEtag(ctx.get('If-None-Match'), etag)) {
      ctx.status = 304;
      return;
    }
    ctx.set('Content-Type', type);
    if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
    ctx.body = await makeBody(encoding);
  };
}

/** True if an If-None-Match header contains this ETag or `*` (weak comparison, RFC 9110 section 13.1.2). */
export function listsEtag(header: string, etag: string): boolean {
  return header.split(',').some((each) => ['*', etag].includes(each.trim().replace(/^W\//, '')));
}
