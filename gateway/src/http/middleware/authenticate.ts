import type { Authenticate } from '../../application/authenticate.ts';
import type { HttpMiddleware } from '../context.ts';

/** Recognises the caller by the API key. @throws Refusal `invalid_api_key`. */
export function authenticateCaller(authenticate: Authenticate): HttpMiddleware {
  return async (ctx, next) => {
    ctx.state.caller = await authenticate(ctx.req.headers.authorization);
    await next();
  };
}
