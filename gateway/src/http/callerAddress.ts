import type { HttpContext } from './context.ts';

/** The caller's address, as `trustProxies` found it; empty when the connection is gone. */
export function callerAddress(ctx: HttpContext): string {
  return ctx.ip;
}
