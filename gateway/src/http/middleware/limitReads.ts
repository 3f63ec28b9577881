import type { Clock } from '../../application/ports/clock.ts';
import type { Limits } from '../../domain/limits.ts';
import { rateLimitHeaders } from '../../domain/rateLimitHeaders.ts';
import { Refusal } from '../../domain/refusal.ts';
import { takeToken, type TokenBucket } from '../../domain/tokenBucket.ts';
import { callerOf, type HttpMiddleware } from '../context.ts';

/** What is counted apart: reads of one generation, and all other reads. */
export type ReadKind = 'status-reads' | 'other-reads';

/** Takes one read from an account's allowance: null, or the seconds until there is one. */
export type ReadLimiter = (
  accountId: string,
  kind: ReadKind,
  readsPerMinute: number,
) => number | null;

/** A bucket holds a minute's reads, so that untouched for a minute it is full, and may be forgotten. */
const minuteMs = 60_000;
const retryAfterSecondsMax = 3600;

/**
 * Counts reads per account in memory, as token buckets (design section 4, Limits). Exact within this
 * process; the allowance is shared out evenly over the live ones.
 * @param deps.liveProcesses How many API processes are live now, this one among them.
 */
export function createReadLimiter(deps: {
  clock: Pick<Clock, 'now'>;
  liveProcesses: () => number;
}): ReadLimiter {
  // Two halves instead of a sweep: what nobody touched during a whole minute is dropped with its half.
  let recent = new Map<string, TokenBucket>();
  let older = new Map<string, TokenBucket>();
  let turnedAt = deps.clock.now();

  return (accountId, kind, readsPerMinute) => {
    const now = deps.clock.now();
    if (now - turnedAt >= minuteMs) {
      older = now - turnedAt >= 2 * minuteMs ? new Map<string, TokenBucket>() : recent;
      recent = new Map();
      turnedAt = now;
    }
    const perMinute = readsPerMinute / Math.max(1, deps.liveProcesses());
    const name = `${kind} ${accountId}`;
    const bucket = recent.get(name) ?? older.get(name) ?? null;
    const taken = takeToken(bucket, { perMinute, burst: Math.max(1, perMinute) }, now);
    recent.set(name, taken.bucket);
    if (!('retryAfterSeconds' in taken)) return null;
    return Math.min(retryAfterSecondsMax, taken.retryAfterSeconds);
  };
}

const limitOf: Record<ReadKind, (limits: Limits) => number> = {
  'status-reads': (limits) => limits.statusReadsPerMinute,
  'other-reads': (limits) => limits.otherReadsPerMinute,
};

/**
 * Refuses a read beyond the caller's allowance. Headers: draft-ietf-httpapi-ratelimit-headers-10.
 * @throws Refusal `rate_limited`.
 */
export function limitReads(readLimiter: ReadLimiter, kind: ReadKind): HttpMiddleware {
  return (ctx, next) => {
    const { accountId, limits } = callerOf(ctx);
    const readsPerMinute = limitOf[kind](limits);
    const retryAfterSeconds = readLimiter(accountId, kind, readsPerMinute);
    if (retryAfterSeconds === null) return next();
    throw new Refusal('rate_limited', {
      retryAfterSeconds,
      headers: rateLimitHeaders(
        kind,
        { quota: readsPerMinute, windowSeconds: 60 },
        retryAfterSeconds,
      ),
    });
  };
}
