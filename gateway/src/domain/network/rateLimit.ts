import { minuteMs, sum } from '@framegate/contract';
import { isDue, maxAheadMs } from '../time/furthestTimes.ts';

/** A bucket's state: tokens left at a time (ms since the epoch). */
export interface TokenBucket {
  tokens: number;
  at: number;
}

/** A bucket's rule: tokens per minute, and capacity. */
export interface TokenRate {
  perMinute: number;
  burst: number;
}

/** The bucket afterwards; without a token, also the wait in whole seconds. */
export type TakeTokenResult =
  { ok: true; bucket: TokenBucket } | { ok: false; bucket: TokenBucket; retryAfterSeconds: number };

/**
 * The bucket refilled up to `nowMs`; an unused bucket is full. A clock that goes back adds nothing, but a bucket that
 * was used by a clock far ahead is refilled from now on.
 */
export function refill(bucket: TokenBucket | null, rate: TokenRate, nowMs: number): TokenBucket {
  if (bucket === null) return { tokens: rate.burst, at: nowMs };
  const gained = (Math.max(0, nowMs - bucket.at) * rate.perMinute) / minuteMs;
  const at = isDue(bucket.at, nowMs, maxAheadMs.bucket) ? nowMs : bucket.at;
  return { tokens: Math.min(rate.burst, bucket.tokens + gained), at };
}

/** Takes `count` tokens, or returns the wait until they are available. */
export function takeToken(
  bucket: TokenBucket | null,
  rate: TokenRate,
  nowMs: number,
  count = 1,
): TakeTokenResult {
  const refilled = refill(bucket, rate, nowMs);
  if (refilled.tokens >= count) {
    return { ok: true, bucket: { ...refilled, tokens: refilled.tokens - count } };
  }
  // A bucket that was used a little ahead of this clock gains nothing until then.
  const missingMs = refilled.at - nowMs + ((count - refilled.tokens) * minuteMs) / rate.perMinute;
  return {
    ok: false,
    bucket: refilled,
    retryAfterSeconds: Math.max(1, Math.ceil(missingMs / 1000)),
  };
}

/**
 * The headers for an exhausted limit (draft-ietf-httpapi-ratelimit-headers): its policy, and when it has room again.
 * @param quota The allowed number, per `windowSeconds` if the limit counts over a window.
 */
export function rateLimitHeaders(
  name: string,
  { quota, windowSeconds }: { quota: number; windowSeconds?: number },
  retryAfterSeconds: number,
): Record<string, string> {
  const window = windowSeconds === undefined ? '' : `;w=${windowSeconds}`;
  return {
    'RateLimit-Policy': `"${name}";q=${quota}${window}`,
    RateLimit: `"${name}";r=0;t=${retryAfterSeconds}`,
  };
}

/** Length of an interval whose starts are counted together, and of the limit's window, in ms. */
const intervalMs = 1_000;
const windowMs = minuteMs;

/** Number of starts by second (since the epoch, as text). */
export type StartCounts = Readonly<Record<string, number>>;

/** The interval in which starts at `nowMs` are counted. */
export function intervalOf(nowMs: number): string {
  return String(Math.floor(nowMs / intervalMs));
}

/** Number of further starts allowed at `nowMs`. */
export function startsLeft(starts: StartCounts, perMinute: number, nowMs: number): number {
  return Math.max(0, perMinute - startedWithin(windowMs, starts, nowMs));
}

/** How long starts that were taken ahead may be used, in ms; they are spread over blocks of this length. */
export const spreadMs = 5_000;

/**
 * Like `startsLeft`, but spread evenly over the minute, and for starts that may be used up to `spreadMs` later: they
 * count for that much longer.
 */
export function spreadStartsLeft(starts: StartCounts, perMinute: number, nowMs: number): number {
  const ofBlock = Math.ceil((perMinute * spreadMs) / windowMs);
  const remaining = Math.min(
    perMinute - startedWithin(windowMs + spreadMs, starts, nowMs),
    ofBlock - startedWithin(spreadMs, starts, nowMs),
  );
  return Math.max(0, remaining);
}

/** The starts plus `count` at `nowMs`, without those outside the window. */
export function withStarts(starts: StartCounts, count: number, nowMs: number): StartCounts {
  const interval = intervalOf(nowMs);
  const recentStarts = recent(windowMs + spreadMs, starts, nowMs);
  return { ...recentStarts, [interval]: (recentStarts[interval] ?? 0) + count };
}

function startedWithin(ms: number, starts: StartCounts, nowMs: number): number {
  return sum(Object.values(recent(ms, starts, nowMs)));
}

function recent(ms: number, starts: StartCounts, nowMs: number): StartCounts {
  const first = Math.floor((nowMs - ms) / intervalMs);
  // A start further ahead than the window was counted by a clock that was ahead.
  const last = Math.ceil((nowMs + windowMs) / intervalMs);
  return Object.fromEntries(
    Object.entries(starts).filter(
      ([interval]) => Number(interval) >= first && Number(interval) <= last,
    ),
  );
}
