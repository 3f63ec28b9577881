import type { RouterContext } from '@koa/router';
import { Refusal } from '../../domain/refusal.ts';
import type { RequestState } from '../context.ts';

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
