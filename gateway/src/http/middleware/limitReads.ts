import { refuseBeyond, type Allowances } from '../../application/allowances.ts';
import type { Limits } from '../../domain/limits.ts';
import { callerOf, type HttpMiddleware } from '../context.ts';

const limitOf = {
  'status-reads': (limits: Limits) => limits.statusReadsPerMinute,
  'other-reads': (limits: Limits) => limits.otherReadsPerMinute,
};

/**
 * Refuses a read beyond the caller's allowance.
 * @throws Refusal `rate_limited`.
 */
export function limitReads(
  allowances: Pick<Allowances, 'take'>,
  kind: keyof typeof limitOf,
): HttpMiddleware {
  return (ctx, next) => {
    const { accountId, limits } = callerOf(ctx);
    const perMinute = limitOf[kind](limits);
    refuseBeyond(kind, perMinute, allowances.take(accountId, kind, perMinute));
    return next();
  };
}
