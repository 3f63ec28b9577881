import { setTimeout } from 'node:timers/promises';
import type { RouterContext } from '@koa/router';
import type { Clock } from '../../application/ports/system.ts';
import { addressGroup } from '../../domain/addresses.ts';
import { Refusal } from '../../domain/refusal.ts';
import { callerAddress, type RequestState, type HttpMiddleware } from '../context.ts';

const order = ['GET', 'HEAD', 'POST'];

/**
 * The end of the pipeline: 405 with `Allow` for a path that takes other methods (OPTIONS is not
 * answered, there being no CORS), else 404. Both without asking for a key: the paths are public, and
 * a caller with a wrong base address should read that, not that the key is wrong.
 */
export function refuseUnmatched(ctx: RouterContext<RequestState>): never {
  const methods = new Set((ctx.matched ?? []).flatMap((layer) => layer.methods));
  if (methods.size === 0) throw new Refusal('not_found');
  const allowed = order.filter((method) => methods.has(method));
  throw new Refusal('method_not_allowed', { headers: { Allow: allowed.join(', ') } });
}

/** Requests of one address that are refused in a second before further refusals are held back. */
export const maxRefusedPerSecond = 200;
/** How long a refusal is held back, in ms: a flood on n connections comes to 2n requests a second. */
export const heldBackMs = 500;
/** Refusals held back at a time; a flood on more connections than these is for the proxy in front. */
const maxHeldBack = 1_000;
const maxAddresses = 10_000;

/**
 * Holds back answers of status 4xx to an address that gets very many of them, so that a flood of
 * requests that are refused anyway does not take the process from others.
 */
export function holdBackRefusals(clock: Pick<Clock, 'now'>): HttpMiddleware {
  const refused = new Map<string, number>();
  let second = 0;
  let heldBack = 0;
  return async (ctx, next) => {
    await next();
    if (ctx.status < 400 || ctx.status > 499) return;
    const now = Math.floor(clock.now() / 1000);
    if (now !== second || refused.size >= maxAddresses) refused.clear();
    second = now;
    const group = addressGroup(callerAddress(ctx));
    const count = (refused.get(group) ?? 0) + 1;
    refused.set(group, count);
    if (count <= maxRefusedPerSecond || heldBack >= maxHeldBack) return;
    heldBack += 1;
    await setTimeout(heldBackMs);
    heldBack -= 1;
  };
}
