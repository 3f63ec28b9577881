import type { HttpMiddleware } from '../context.ts';

/** How long browsers keep to https, in seconds: a year. */
const maxAgeSeconds = 31_536_000;

/** Tells browsers to come by https only (RFC 6797), where the public address is one of https. */
export function requireTls(withSubdomains: boolean): HttpMiddleware {
  const policy = `max-age=${maxAgeSeconds}${withSubdomains ? '; includeSubDomains' : ''}`;
  return (ctx, next) => {
    ctx.res.setHeader('Strict-Transport-Security', policy);
    return next();
  };
}
