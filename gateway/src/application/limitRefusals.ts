import type { Account } from '../domain/account.ts';
import { availableCredits } from '../domain/credits.ts';
import { leftToday } from '../domain/dailyLimit.ts';
import type { Limits } from '../domain/limits.ts';
import { rateLimitHeaders } from '../domain/rateLimitHeaders.ts';
import { Refusal } from '../domain/refusal.ts';

/** Too many creates within a minute; they fit again after `retryAfterSeconds`. */
export function rateLimited(limits: Limits, retryAfterSeconds: number): Refusal {
  return new Refusal('rate_limited', {
    retryAfterSeconds,
    headers: rateLimitHeaders(
      'create',
      { quota: limits.createsPerMinute, windowSeconds: 60 },
      retryAfterSeconds,
    ),
  });
}

/** No place is free, or the account cannot pay `costCredits`. */
export function notAdmitted(
  code: 'concurrency_limited' | 'insufficient_credits',
  costCredits: number,
  account: Account,
  limits: Limits,
  now: number,
): Refusal {
  if (code === 'insufficient_credits') {
    const available = availableCredits(account.lots, now);
    return new Refusal(code, { credits: { required: costCredits, available } });
  }
  const retryAfterSeconds = 10;
  const quota = limits.running + limits.waiting;
  const headers = rateLimitHeaders('in-flight', { quota }, retryAfterSeconds);
  return new Refusal(code, { retryAfterSeconds, headers });
}

/** The key's daily limit with what is left of it: a cheaper generation may still fit. */
export function keyLimitReached(
  { keys }: Account,
  keyId: string | null,
  costCredits: number,
  now: number,
): Refusal {
  const key = keys.find(({ id }) => id === keyId);
  const left = (key && leftToday(key, now)) ?? 0;
  return new Refusal('key_limit_reached', {
    message: `This API key may spend ${key?.dailyCredits ?? 0} credits a day and has ${left} left today (UTC); this generation costs ${costCredits}. Raise the limit in your account settings or wait for the next day.`,
  });
}
