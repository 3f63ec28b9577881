import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hourMs, minuteMs } from '@framegate/contract';
import { takeToken, type TokenBucket } from './rateLimit.ts';

const rate = { perMinute: 60, burst: 10 };

describe('a token bucket', () => {
  test('gives its burst at once, then says when to retry', () => {
    let bucket: TokenBucket | null = null;
    for (let count = 0; count < 10; count += 1) {
      const taken = takeToken(bucket, rate, 0);
      expect(taken.ok).toBe(true);
      bucket = taken.bucket;
    }
    expect(takeToken(bucket, rate, 0)).toMatchObject({ ok: false, retryAfterSeconds: 1 });
    expect(takeToken(bucket, rate, 1000).ok).toBe(true);
  });

  test('never gives more than burst plus rate, however it is asked', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -500, max: 3000 }), { maxLength: 200 }), (steps) => {
        let bucket: TokenBucket | null = null;
        let nowMs = 0;
        let latest = 0;
        let given = 0;
        for (const step of steps) {
          nowMs = Math.max(0, nowMs + step);
          latest = Math.max(latest, nowMs);
          const taken = takeToken(bucket, rate, nowMs);
          if (taken.ok) given += 1;
          bucket = taken.bucket;
        }
        expect(given).toBeLessThanOrEqual(rate.burst + (latest * rate.perMinute) / minuteMs);
      }),
    );
  });

  test('the stated wait is sufficient', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 0, max: 99 }),
        fc.integer({ min: -hourMs, max: hourMs }),
        (perMinute, part, at) => {
          const empty = { tokens: part / 100, at };
          const refused = takeToken(empty, { perMinute, burst: 1 }, 0);
          const wait = refused.ok ? 0 : refused.retryAfterSeconds;
          // However far ahead the clock of its last use was.
          expect(wait).toBeLessThanOrEqual(60 + Math.ceil(60 / perMinute));
          const again = takeToken(
            refused.ok ? null : refused.bucket,
            { perMinute, burst: 1 },
            wait * 1000 + 1,
          );
          expect(again.ok).toBe(true);
        },
      ),
    );
  });
});
