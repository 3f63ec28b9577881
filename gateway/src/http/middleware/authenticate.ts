import type { Authenticate } from '../../application/authenticate.ts';
import { callerAddress, type HttpMiddleware } from '../context.ts';

/** Recognises the caller by the API key. @throws Refusal `invalid_api_key`, `rate_limited`. */
export function authenticateCaller(authenticate: Authenticate): HttpMiddleware {
  return async (ctx, next) => {
    ctx.state.caller = await authenticate(ctx.req.headers.authorization, callerAddress(ctx));
    await next();
  };
}
