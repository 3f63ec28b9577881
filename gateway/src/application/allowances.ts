import { minuteMs } from '@framegate/contract';
import { rateLimitHeaders, takeToken, type TokenBucket } from '../domain/network/rateLimit.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Clock } from './ports/system.ts';

/**
 * Kinds of requests that are limited separately: reads of one generation, all other reads, replayed create requests,
 * pages of the site, searches, pages behind links, JSON bodies, megabytes of forms with files, and requests of one
 * operator key.
 */
export type AllowanceKind =
  | 'status-reads'
  | 'other-reads'
  | 'replays'
  | 'pages'
  | 'searches'
  | 'shared-pages'
  | 'bodies'
  | 'form-megabytes'
  | 'operator';

/** Limits per account, or per address for pages without an account, per minute. */
export interface Allowances {
  /**
   * Takes one, or `count`, from an account's allowance.
   * @returns Null, or the seconds until that many are available.
   */
  take(accountId: string, kind: AllowanceKind, perMinute: number, count?: number): number | null;
  /** The seconds until one is available, without taking it; null if one is available now. */
  wait(accountId: string, kind: AllowanceKind, perMinute: number): number | null;
}

/** A bucket holds one minute's allowance, so a bucket unused for a minute is full and can be forgotten. */
const maxRetryAfterSeconds = 3600;

/**
 * Token buckets per account in memory. Each process grants them in full, because the proxies send all requests of a key
 * or session to one process.
 */
export function createAllowances(deps: { clock: Pick<Clock, 'now'> }): Allowances {
  // Two halves instead of a sweep: a bucket unused for a whole minute is dropped with its half.
  let recent = new Map<string, TokenBucket>();
  let older = new Map<string, TokenBucket>();
  let turnedAt = deps.clock.now();

  function tryTake(accountId: string, kind: AllowanceKind, perMinute: number, count = 1) {
    const nowMs = deps.clock.now();
    if (nowMs - turnedAt >= minuteMs) {
      older = nowMs - turnedAt >= 2 * minuteMs ? new Map<string, TokenBucket>() : recent;
      recent = new Map();
      turnedAt = nowMs;
    }
    const name = `${kind} ${accountId}`;
    const bucket = recent.get(name) ?? older.get(name) ?? null;
    const result = takeToken(bucket, { perMinute, burst: Math.max(1, perMinute) }, nowMs, count);
    if (result.ok) return { name, bucket: result.bucket, waitSeconds: null };
    const waitSeconds = Math.min(maxRetryAfterSeconds, result.retryAfterSeconds);
    return { name, bucket: result.bucket, waitSeconds };
  }

  return {
    take(accountId, kind, perMinute, count) {
      const { name, bucket, waitSeconds } = tryTake(accountId, kind, perMinute, count);
      recent.set(name, bucket);
      return waitSeconds;
    },
    wait: (accountId, kind, perMinute) => tryTake(accountId, kind, perMinute).waitSeconds,
  };
}

/**
 * Refuses a request beyond its allowance. Headers: draft-ietf-httpapi-ratelimit-headers-10.
 * @param waitSeconds From `Allowances`; null means within the allowance.
 * @throws Refusal `rate_limited`.
 */
export function refuseBeyond(
  kind: AllowanceKind,
  perMinute: number,
  waitSeconds: number | null,
): void {
  if (waitSeconds === null) return;
  throw new Refusal('rate_limited', {
    retryAfterSeconds: waitSeconds,
    headers: rateLimitHeaders(kind, { quota: perMinute, windowSeconds: 60 }, waitSeconds),
  });
}
