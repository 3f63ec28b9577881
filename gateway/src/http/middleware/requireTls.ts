import type { HttpMiddleware } from '../context.ts';

/** How long browsers keep to https, in seconds: a year. */
const maxAgeSeconds = 31_536_000;

/** Tells browsers to come by https only (RFC 6797), where the public address is one of https. */
export function requireTls(): HttpMiddleware {
  return (ctx, next) => {
    ctx.res.setHeader('Strict-Transport-Security', `max-age=${maxAgeSeconds}`);
    return next();
  };
}
