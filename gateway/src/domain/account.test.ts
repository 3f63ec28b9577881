import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { admitGeneration, defaultLimits, type Account } from './account.ts';

const account = (fields: Partial<Account>): Account => ({
  id: 'acct_a',
  version: 1,
  email: 'a@example.com',
  passwordHash: null,
  verified: true,
  staffRole: null,
  status: 'active',
  limits: {},
  keys: [],
  lots: [
    { id: 'lot_a', kind: 'purchased', amount: 100, remaining: 100, expiresAt: null, createdAt: 0 },
  ],
  ledgerEntries: 1,
  inFlightCredits: 0,
  running: 0,
  waiting: 0,
  createBucket: null,
  createdAt: 0,
  ...fields,
});

describe('admitting a generation', () => {
  test('runs at once while places are free, waits beyond them, is refused beyond those', () => {
    const limits = { ...defaultLimits, running: 2, waiting: 1 };
    const admit = (running: number, waiting: number) =>
      admitGeneration(account({ running, waiting }), 10, limits, 0);
    expect(admit(0, 0)).toMatchObject({ runs: true, account: { running: 1, waiting: 0 } });
    expect(admit(2, 0)).toMatchObject({ runs: false, account: { running: 2, waiting: 1 } });
    expect(admit(2, 1)).toEqual({ ok: false, code: 'concurrency_limited' });
  });

  test('none overtakes one that waits', () => {
    const admission = admitGeneration(account({ running: 1, waiting: 1 }), 10, defaultLimits, 0);
    expect(admission).toMatchObject({ runs: false });
  });

  test('charges the cost and counts it as in flight', () => {
    const admission = admitGeneration(account({ inFlightCredits: 5 }), 40, defaultLimits, 0);
    expect(admission).toMatchObject({
      account: { inFlightCredits: 45, ledgerEntries: 2, lots: [{ remaining: 60 }] },
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
