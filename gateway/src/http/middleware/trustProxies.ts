import { createProxyTrust, type TrustedProxies } from '../../domain/trustedProxies.ts';
import type { HttpMiddleware } from '../context.ts';

/**
 * Gives the request its caller's address, and drops the `X-Forwarded-*` headers of connections that do
 * not come from a proxy of ours, so that no later step believes them.
 */
export function trustProxies(proxies: TrustedProxies): HttpMiddleware {
  const trust = createProxyTrust(proxies);
  return (ctx, next) => {
    const connection = ctx.req.socket.remoteAddress ?? '';
    if (!trust.believes(connection)) {
      const headers = Object.entries(ctx.req.headers);
      ctx.req.headers = Object.fromEntries(
        headers.filter(([name]) => !name.startsWith('x-forwarded-')),
      );
    }
    ctx.request.ip = trust.callerOf(connection, ctx.get('x-forwarded-for'));
    return next();
  };
}
