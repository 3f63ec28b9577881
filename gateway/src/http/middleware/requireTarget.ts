import { Refusal } from '../../domain/refusal.ts';
import type { HttpMiddleware } from '../context.ts';

/** A path with an optional query, in visible ASCII; a fragment is never sent (RFC 9112 section 3.2). */
const originForm = /^\/[\x21\x22\x24-\x7e]*$/;
/** Scheme and authority of the form that proxies are sent (RFC 9112 section 3.2.2). */
const authority = /^https?:\/\/[^/?#]+(?=\/)/i;

/**
 * Refuses what Node's parser lets through and the URL parser behind `ctx.path` would repair or throw
 * at; and HTTP/1.1 without a Host header (RFC 9112 section 3.2), which Node would answer without a body.
 */
export function requireTarget(): HttpMiddleware {
  return (ctx, next) => {
    const { req } = ctx;
    // `OPTIONS *` asks about the server as a whole, which has no address of its own here.
    const target = (req.url ?? '').replace(authority, '').replace(/^\*$/, '/');
    const lawful = originForm.test(target);
    req.url = lawful ? target : '/';
    if (!lawful || (req.httpVersion === '1.1' && req.headers.host === undefined)) {
      throw new Refusal('invalid_request', {
        message: 'The request line or the Host header is not valid HTTP.',
      });
    }
    return next();
  };
}
