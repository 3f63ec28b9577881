import { isIP } from 'node:net';
import type { HttpContext } from './context.ts';

/**
 * The caller's address: of the connection, or behind trusted proxies (`TRUST_PROXY` hops) what the
 * outermost of them saw. IPv4 in its own notation; empty when the connection is gone.
 */
export function callerAddress(ctx: HttpContext): string {
  const address = isIP(ctx.ip) > 0 ? ctx.ip : (ctx.req.socket.remoteAddress ?? '');
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
