import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayMs } from '@framegate/contract';
import { closedBreaker } from '../providers/breaker.ts';
import {
  budgetBreakerKey,
  fileHostKey,
  keyBreakerKey,
  modelBreakerKey,
} from '../providers/breakerKeys.ts';
import type { Account } from './account.ts';
import {
  announceExpiring,
  breakerEvent,
  changeSequence,
  type EventFact,
  eventsOf,
  expiryNoticeMs,
} from './accountEvent.ts';

const account = (fields: Partial<Account>): Account =>
  ({ id: 'acct_1', keys: [], lots: [], ...fields }) as Account;

const lot = (remaining: number, expiresAt: number | null = null, id = 'lot_1') =>
  ({ id, kind: 'purchased', amount: remaining, remaining, expiresAt, createdAt: 0 }) as const;

const nowMs = 1_800_000_000_000;
const factsOf = (before: Account, after: Account, lowCredits = 0): EventFact[] =>
  eventsOf(before, after, { lowCredits, nowMs });

test('a balance that goes up and down is reported as low once per fall', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(200)), fc.integer({ min: 1, max: 100 }), (balances, threshold) => {
      const told = balances.flatMap((balance, index) => {
        const before = account({ lots: [lot(balances[index - 1] ?? 0)] });
        return factsOf(before, account({ lots: [lot(balance)] }), threshold);
      });
      const below = [0, ...balances].map((balance) => balance < threshold);
      const waysDown = below.filter((isLow, index) => index > 0 && isLow && !below[index - 1]);
      expect(told).toHaveLength(waysDown.length);
    }),
  );
});

test('every lot with credits a week before its expiry is reported once, whenever the check runs', () => {
  const lots = fc.array(fc.record({ credits: fc.nat(3), inDays: fc.integer({ min: 1, max: 40 }) }));
  fc.assert(
    fc.property(lots, fc.array(fc.nat(3), { minLength: 60, maxLength: 60 }), (all, steps) => {
      let known = account({
        lots: all.map(({ credits, inDays }, index) =>
          lot(credits, nowMs + inDays * dayMs, `lot_${index}`),
        ),
      });
      let at = nowMs;
      const told: string[] = [];
      for (const days of steps) {
        at += days * dayMs;
        const after = announceExpiring(known, at);
        for (const fact of eventsOf(known, after, { lowCredits: 0, nowMs: at })) {
          if (fact.type !== 'credits.expiring') continue;
          for (const each of fact.lots) {
            told.push(each.id);
            expect(each.expiresAt - at).toBeLessThanOrEqual(expiryNoticeMs);
          }
        }
        known = after;
      }
      expect(new Set(told).size).toBe(told.length);
      // Steps of at most three days skip none.
      const over = known.lots.filter(({ expiresAt }) => (expiresAt ?? 0) <= at);
      const held = over.filter(({ remaining, expiresAt }) => {
        const firstLook = nowMs + (steps[0] ?? 0) * dayMs;
        return remaining > 0 && (expiresAt ?? 0) > firstLook;
      });
      expect(told).toEqual(expect.arrayContaining(held.map(({ id }) => id)));
    }),
  );
});

describe('events of a breaker', () => {
  const open = { ...closedBreaker, openedAt: nowMs, openUntil: nowMs + 1 };
  test.each([
    ['clouds', { kind: 'provider' }],
    [
      modelBreakerKey({ provider: 'clouds', model: 'video model 3' }),
      { kind: 'model', name: 'video model 3' },
    ],
    [keyBreakerKey('clouds', 'ARK_KEY'), { kind: 'key', name: 'ARK_KEY' }],
    [fileHostKey('clouds', 'files.example'), { kind: 'files', name: 'files.example' }],
    [
      budgetBreakerKey({ provider: 'clouds', budget: { micros: 5, currency: 'USD' } }),
      { kind: 'budget' },
    ],
  ])('%s: the part of the provider', (key, part) => {
    const fact = { type: 'provider.circuit_open', provider: 'clouds', part, openUntil: nowMs + 1 };
    expect(breakerEvent(key, closedBreaker, open)).toEqual(fact);
    expect(breakerEvent(key, open, closedBreaker)).toMatchObject({
      type: 'provider.circuit_closed',
    });
  });

  test('there is no event without a change', () => {
    expect(breakerEvent('clouds', open, { ...open, openUntil: nowMs + 2 })).toBeNull();
    expect(breakerEvent('clouds', closedBreaker, { ...closedBreaker, failures: 1 })).toBeNull();
  });
});

test('events are sorted by the version of their account, then by turn', () => {
  expect(changeSequence(8, 0)).toBeGreaterThan(changeSequence(7, 31));
  expect(changeSequence(7, 1)).toBeGreaterThan(changeSequence(7, 0));
});
