import { createHash } from 'node:crypto';
import type { HttpContext, HttpMiddleware } from './context.ts';

/** Media type of every JSON answer. */
export const jsonType = 'application/json; charset=utf-8';

/** Answers JSON text as it is. */
export function answerJson(ctx: HttpContext, status: number, text: string): void {
  ctx.status = status;
  ctx.res.setHeader('Content-Type', jsonType);
  ctx.body = text;
}

/**
 * Answers a text or file that never changes while the process runs, with a strong ETag. Caches may keep it and
 * ask again each time. If-None-Match is compared here: `ctx.fresh` gives up at the `no-cache` that
 * fetch adds to such a request.
 * @param headers Further headers.
 */
export function staticAnswer(
  content: string | Buffer,
  type: string = jsonType,
  headers: Readonly<Record<string, string>> = {},
): HttpMiddleware {
  const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
  return (ctx) => {
    ctx.set({ ...headers, 'Cache-Control': 'no-cache', ETag: etag });
    if (names(ctx.get('If-None-Match'), etag)) {
      ctx.status = 304;
      return;
    }
    ctx.set('Content-Type', type);
    ctx.body = content;
  };
}

/** Whether an If-None-Match header names this ETag (weak comparison, RFC 9110 section 13.1.2). */
function names(header: string, etag: string): boolean {
  return header.split(',').some((each) => ['*', etag].includes(each.trim().replace(/^W\//, '')));
}
