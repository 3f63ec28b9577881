import { type Allowances, refuseBeyond } from '../../application/allowances.ts';
import type { Authenticate, Caller } from '../../application/authenticate.ts';
import type { Limits } from '../../domain/account.ts';
import { callerAddress, callerOf, type HttpMiddleware } from '../context.ts';

/** Recognises the caller by the API key. @throws Refusal `invalid_api_key`, `rate_limited`. */
export function authenticateCaller(authenticate: Authenticate): HttpMiddleware {
  return async (ctx, next) => {
    ctx.state.caller = await authenticate(ctx.req.headers.authorization, callerAddress(ctx));
    await next();
  };
}

const limitOf = {
  'status-reads': (limits: Limits) => limits.statusReadsPerMinute,
  'other-reads': (limits: Limits) => limits.otherReadsPerMinute,
};

/** Takes one read from a caller's allowance. @throws Refusal `rate_limited`. */
export function takeRead(
  allowances: Pick<Allowances, 'take'>,
  { accountId, limits }: Caller,
  kind: keyof typeof limitOf,
): void {
  const perMinute = limitOf[kind](limits);
  refuseBeyond(kind, perMinute, allowances.take(accountId, kind, perMinute));
}

/** Refuses a read beyond the caller's allowance. @throws Refusal `rate_limited`. */
export function limitReads(
  allowances: Pick<Allowances, 'take'>,
  kind: keyof typeof limitOf,
): HttpMiddleware {
  return (ctx, next) => {
    takeRead(allowances, callerOf(ctx), kind);
    return next();
  };
}
