import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { takeToken, type TokenBucket } from '../domain/network/rateLimit.ts';
import { type AllowanceKind, createAllowances } from './allowances.ts';

const step = fc.record({
  waitMs: fc.oneof(fc.nat(2_000), fc.nat(150_000)),
  account: fc.constantFrom('a', 'b', 'c'),
  kind: fc.constantFrom<AllowanceKind>('status-reads', 'other-reads'),
});

describe('createAllowances', () => {
  test('forgetting idle accounts changes no response', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 200 }),
        fc.integer({ min: 1, max: 8 }),
        (steps, perMinute) => {
          const clock = { nowMs: 1_000_000, now: () => clock.nowMs };
          const allowances = createAllowances({ clock });
          const remembersAll = new Map<string, TokenBucket>();
          for (const { waitMs, account, kind } of steps) {
            clock.nowMs += waitMs;
            const name = `${kind} ${account}`;
            const rate = { perMinute, burst: perMinute };
            const taken = takeToken(remembersAll.get(name) ?? null, rate, clock.nowMs);
            remembersAll.set(name, taken.bucket);
            const expected = taken.ok ? null : taken.retryAfterSeconds;
            expect(allowances.wait(account, kind, perMinute)).toBe(expected);
            expect(allowances.take(account, kind, perMinute)).toBe(expected);
          }
        },
      ),
    );
  });

  test('a limit of zero allows one, and says when to retry', () => {
    const allowances = createAllowances({ clock: { now: () => 0 } });
    expect(allowances.take('a', 'other-reads', 0)).toBeNull();
    expect(allowances.take('a', 'other-reads', 0)).toBe(3600);
  });
});
