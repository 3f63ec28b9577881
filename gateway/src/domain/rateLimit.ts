/** A bucket's state: tokens left at a moment (ms since the epoch). */
export interface TokenBucket {
  tokens: number;
  at: number;
}

/** A bucket's rule: tokens a minute, and how many it holds at most. */
export interface TokenRate {
  perMinute: number;
  burst: number;
}

/** The bucket afterwards, and without a token how long until there is one, in whole seconds. */
export type TokenTaken =
  { ok: true; bucket: TokenBucket } | { ok: false; bucket: TokenBucket; retryAfterSeconds: number };

/** The bucket at this moment; a bucket never used is full. A clock that went back adds nothing. */
export function refill(bucket: TokenBucket | null, rate: TokenRate, nowMs: number): TokenBucket {
  if (bucket === null) return { tokens: rate.burst, at: nowMs };
  const gained = (Math.max(0, nowMs - bucket.at) * rate.perMinute) / 60_000;
  return { tokens: Math.min(rate.burst, bucket.tokens + gained), at: Math.max(nowMs, bucket.at) };
}

/** Takes one token, or `count`, or says when there will be so many. */
export function takeToken(
  bucket: TokenBucket | null,
  rate: TokenRate,
  nowMs: number,
  count = 1,
): TokenTaken {
  const now = refill(bucket, rate, nowMs);
  if (now.tokens >= count) return { ok: true, bucket: { ...now, tokens: now.tokens - count } };
  const missingMs = ((count - now.tokens) * 60_000) / rate.perMinute;
  return { ok: false, bucket: now, retryAfterSeconds: Math.max(1, Math.ceil(missingMs / 1000)) };
}

/**
 * The headers of a limit that is used up (draft-ietf-httpapi-ratelimit-headers): its policy, and when
 * there is room again.
 * @param quota What the limit allows; within `windowSeconds`, where it counts over a window.
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

/** Starts that are counted together, and in which time in ms: any such time has no more than the limit. */
const [slotMs, windowMs] = [1_000, 60_000];

/** How many were started, by the second (since the epoch, as text). */
export type Starts = Readonly<Record<string, number>>;

/** The slot that starts at this moment are counted in. */
export function slotOf(nowMs: number): string {
  return String(Math.floor(nowMs / slotMs));
}

/** How many may still be started at this moment. */
export function startsLeft(starts: Starts, perMinute: number, nowMs: number): number {
  const used = Object.values(recent(starts, nowMs)).reduce((sum, count) => sum + count, 0);
  return Math.max(0, perMinute - used);
}

/** The starts with further ones at this moment, without those that count no more. */
export function withStarts(starts: Starts, count: number, nowMs: number): Starts {
  const slot = slotOf(nowMs);
  const kept = recent(starts, nowMs);
  return { ...kept, [slot]: (kept[slot] ?? 0) + count };
}

function recent(starts: Starts, nowMs: number): Starts {
  const first = Math.floor((nowMs - windowMs) / slotMs);
  return Object.fromEntries(Object.entries(starts).filter(([slot]) => Number(slot) >= first));
}
