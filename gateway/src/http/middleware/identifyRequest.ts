import type { Random } from '../../application/ports/system.ts';
import type { HttpMiddleware } from '../context.ts';

/**
 * Gives the request its id and the answer the headers that every answer has: the id, no storing by
 * caches, no guessing of types. There is never a CORS header: a key must not be used in a browser.
 */
export function identifyRequest(random: Pick<Random, 'newId'>): HttpMiddleware {
  return (ctx, next) => {
    const requestId = random.newId('req');
    ctx.state = { requestId, caller: null, refused: null, json: undefined };
    ctx.res.setHeader('X-Request-Id', requestId);
    ctx.res.setHeader('Cache-Control', 'no-store');
    ctx.res.setHeader('X-Content-Type-Options', 'nosniff');
    return next();
  };
}
