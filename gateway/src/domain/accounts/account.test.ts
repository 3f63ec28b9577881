import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Account, admitGeneration } from './account.ts';
import { type ApiKey, endKey, isLive, liveKey, siteRequester } from './apiKey.ts';
import { defaultLimits } from './limits.ts';

const account = (fields: Partial<Account>): Account => ({
  id: 'acct_a',
  version: 1,
  email: 'a@example.com',
  passwordHash: null,
  isVerified: true,
  externalId: null,
  group: null,
  staffRole: null,
  status: 'active',
  limits: {},
  keys: [],
  lots: [
    { id: 'lot_a', kind: 'purchased', amount: 100, remaining: 100, expiresAt: null, createdAt: 0 },
  ],
  ledgerEntries: 1,
  ledgerHash: null,
  inFlightCredits: 0,
  running: 0,
  waiting: 0,
  createBucket: null,
  createdAt: 0,
  ...fields,
});

describe('admitting a generation', () => {
  test('runs immediately while slots are free, then waits, and is refused when the queue is full', () => {
    const limits = { ...defaultLimits, running: 2, waiting: 1 };
    const admit = (running: number, waiting: number) =>
      admitGeneration(account({ running, waiting }), 10, limits, 0);
    expect(admit(0, 0)).toMatchObject({ canRun: true, account: { running: 1, waiting: 0 } });
    expect(admit(2, 0)).toMatchObject({ canRun: false, account: { running: 2, waiting: 1 } });
    expect(admit(2, 1)).toEqual({ ok: false, code: 'concurrency_limited' });
  });

  test('never overtakes a waiting one', () => {
    const admission = admitGeneration(account({ running: 1, waiting: 1 }), 10, defaultLimits, 0);
    expect(admission).toMatchObject({ canRun: false });
  });

  test('charges the cost and counts it as in flight', () => {
    const admission = admitGeneration(account({ inFlightCredits: 5 }), 40, defaultLimits, 0);
    expect(admission).toMatchObject({
      account: { inFlightCredits: 45, lots: [{ remaining: 60 }] },
      movements: [{ lotId: 'lot_a', amount: -40 }],
    });
  });

  test('never lets the balance fall below zero', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 8 }), (costs) => {
        let wallet = account({});
        for (const cost of costs) {
          const admission = admitGeneration(wallet, cost, defaultLimits, 0);
          if (admission.ok) wallet = admission.account;
          else expect(wallet.lots[0]?.remaining).toBeLessThan(cost);
        }
        expect(wallet.lots[0]?.remaining).toBe(100 - wallet.inFlightCredits);
      }),
    );
  });
});

describe('a key', () => {
  const key = (id: string, revokedAt: number | null) =>
    ({
      id,
      revokedAt,
      hosts: [{ rule: `${id}.example.com`, state: 'approved' }],
    }) as Partial<ApiKey> as ApiKey;

  test('works until the moment of its expiry, but not at it', () => {
    expect([null, 1001, 1000, 999].map((revokedAt) => isLive({ revokedAt }, 1000))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('is found by its id only while it works', () => {
    const keys = [key('key_a', 1000), key('key_b', null)];
    expect(liveKey({ keys }, 'key_a', 999)?.id).toBe('key_a');
    expect(liveKey({ keys }, 'key_a', 1000)).toBeNull();
    expect(liveKey({ keys }, 'key_b', 1000)?.id).toBe('key_b');
    expect(liveKey({ keys }, 'key_c', 999)).toBeNull();
  });

  test('that has ended adds no hosts to the site', () => {
    const keys = [key('key_a', 1000), key('key_b', null)];
    const rules = (nowMs: number) =>
      siteRequester({ keys }, [], nowMs).hosts.map(({ rule }) => rule);
    expect(rules(999)).toEqual(['key_a.example.com', 'key_b.example.com']);
    expect(rules(1000)).toEqual(['key_b.example.com']);
  });

  test('ends at once, and never later than it would have', () => {
    const endOf = (revokedAt: number | null) => endKey(key('key_a', revokedAt), 1000).revokedAt;
    expect([endOf(null), endOf(2000), endOf(500)]).toEqual([1000, 1000, 500]);
    expect(isLive(endKey(key('key_a', null), 1000), 1000)).toBe(false);
  });
});
