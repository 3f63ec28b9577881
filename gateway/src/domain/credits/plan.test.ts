import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayMs } from '@framegate/contract';
import type { Account } from '../accounts/account.ts';
import { availableCredits, expireLots } from './credits.ts';
import { hasPlan, monthsAfter, type Plan, planEndedAt } from './plan.ts';
import { grantMonth } from './planMonth.ts';

const at = (text: string) => Date.parse(text);
const iso = (ms: number) => new Date(ms).toISOString();
const moment = fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2060-01-01T00:00:00Z') });

describe('months', () => {
  test.each([
    ['2026-01-31T10:00:00.500Z', 1, '2026-02-28T10:00:00.500Z'],
    ['2026-01-31T10:00:00.500Z', 2, '2026-03-31T10:00:00.500Z'],
    ['2028-01-31T23:59:59.999Z', 1, '2028-02-29T23:59:59.999Z'],
    ['2028-02-29T00:00:00.000Z', 12, '2029-02-28T00:00:00.000Z'],
    ['2026-10-15T00:00:00.000Z', 3, '2027-01-15T00:00:00.000Z'],
    ['2026-10-15T00:00:00.000Z', 0, '2026-10-15T00:00:00.000Z'],
  ])('%s and %i months: %s', (start, months, end) => {
    expect(iso(monthsAfter(at(start), months))).toBe(end);
  });

  test('keep day and time, or end on the last day, and each begins where the previous one ends', () => {
    fc.assert(
      fc.property(moment, fc.nat(200), (start, months) => {
        const [from, to] = [new Date(start), new Date(monthsAfter(start, months))];
        const calendarMonths = (each: Date) => each.getUTCFullYear() * 12 + each.getUTCMonth();
        expect(calendarMonths(to) - calendarMonths(from)).toBe(months);
        expect(to.toISOString().slice(10)).toBe(from.toISOString().slice(10));
        const isLastDay = new Date(to.getTime() + dayMs).getUTCDate() === 1;
        if (to.getUTCDate() !== from.getUTCDate()) {
          expect(isLastDay).toBe(true);
          expect(to.getUTCDate()).toBeLessThan(from.getUTCDate());
        }
        expect(monthsAfter(start, months + 1)).toBeGreaterThan(to.getTime());
      }),
    );
  });
});

const planned = (plan: Partial<Plan>): Account =>
  ({
    id: 'acct_1',
    lots: [],
    ledgerEntries: 0,
    plan: { id: 'pln_1', name: 'Studio', credits: 10, months: 0, endedAt: null, ...plan },
  }) as unknown as Account;

/** Grants everything that is due at a moment. */
function grantAll(account: Account, nowMs: number) {
  const entries = [];
  let after = account;
  for (let count = 0; ; count += 1) {
    const ids = { lotId: `lot_${account.ledgerEntries + count}`, requestId: 'req_1' };
    const granted = grantMonth(after, nowMs, ids);
    if (granted === null) return { after, entries };
    entries.push(granted.entry);
    after = granted.after;
  }
}

test('however rarely it runs, each month is granted once, and only the current one can be spent', () => {
  const looks = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(moment, looks, (startedAt, days) => {
      let account = planned({ startedAt, nextAt: startedAt });
      let nowMs = startedAt - 1;
      const references: (string | undefined)[] = [];
      for (const pause of days) {
        nowMs += pause * dayMs;
        const { after, entries } = grantAll(account, nowMs);
        references.push(...entries.map(({ reference }) => reference));
        for (const { at: time, movements } of entries) {
          expect(time).toBe(nowMs);
          expect(movements).toMatchObject([{ kind: 'subscription', amount: 10 }]);
        }
        expect(availableCredits(after.lots, nowMs)).toBe(nowMs < startedAt ? 0 : 10);
        account = { ...after, lots: expireLots(after.lots, nowMs)?.lots ?? after.lots };
      }
      let due = 0;
      while (monthsAfter(startedAt, due) <= nowMs) due += 1;
      expect(references).toEqual(
        Array.from({ length: due }, (_, month) => `plan pln_1 ${month + 1}`),
      );
    }),
  );
});

test('an ended plan grants nothing and never resumes', () => {
  const account = planned({ startedAt: 0, nextAt: 0 });
  const { plan } = account;
  if (!plan) throw new Error('there is no plan');
  const ended = { ...account, plan: planEndedAt(plan, 5) };
  expect(grantMonth(ended, 1e15, { lotId: 'l', requestId: 'r' })).toBeNull();
  expect([hasPlan(account), hasPlan(ended), hasPlan({})]).toEqual([true, false, false]);
  expect(planEndedAt(ended.plan, 9).endedAt).toBe(5);
});

test('refuses credits too large to count', () => {
  const full = planned({ startedAt: 0, nextAt: 0 });
  const lot = { id: 'l', kind: 'purchased', amount: 1, expiresAt: null, createdAt: 0 } as const;
  const account = { ...full, lots: [{ ...lot, remaining: Number.MAX_SAFE_INTEGER }] };
  expect(() => grantMonth(account, 1, { lotId: 'x', requestId: 'r' })).toThrow(
    'exceed the maximum number of credits',
  );
});
