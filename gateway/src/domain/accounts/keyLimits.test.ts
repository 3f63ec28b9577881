import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayMs } from '@framegate/contract';
import type { Account } from './account.ts';
import type { ApiKey } from './apiKey.ts';
import {
  countDailySpending,
  inheritedFields,
  leftToday,
  uncountDailySpending,
} from './keyLimits.ts';

const noon = 20_000 * dayMs + dayMs / 2;

const accountWith = (...keys: Partial<ApiKey>[]): Account =>
  ({ id: 'acct_1', keys: keys.map((key, index) => ({ id: `key_${index}`, ...key })) }) as Account;
const left = (account: Account | null, nowMs = noon) => {
  const [key] = account?.keys ?? [];
  return key && leftToday(key, nowMs);
};

describe('the daily credit limit of a key', () => {
  test('a charge within it is counted, one beyond it is not made', () => {
    const once = countDailySpending(accountWith({ dailyCredits: 100 }), 'key_0', 60, noon);
    expect(left(once)).toBe(40);
    expect(once && countDailySpending(once, 'key_0', 41, noon)).toBeNull();
    expect(left(once && countDailySpending(once, 'key_0', 40, noon))).toBe(0);
  });

  test('a key without a limit leaves the account as it is', () => {
    const account = accountWith({});
    expect(countDailySpending(account, 'key_0', 1_000_000, noon)).toBe(account);
    expect(left(account)).toBeNull();
  });

  test('other keys are not touched', () => {
    const counted = countDailySpending(
      accountWith({ dailyCredits: 9 }, { dailyCredits: 9 }),
      'key_0',
      9,
      noon,
    );
    expect(counted?.keys[1]).toEqual({ id: 'key_1', dailyCredits: 9 });
  });

  test('a replaced key and its successor share the limit and its count', () => {
    const old = {
      id: 'key_0',
      dailyCredits: 100,
      daySpent: { day: 20_000, credits: 60 },
    } as ApiKey;
    const account = accountWith({ ...old, replacedBy: 'key_1' }, { ...inheritedFields(old) });
    const once = countDailySpending(account, 'key_0', 30, noon);
    expect(once && countDailySpending(once, 'key_1', 11, noon)).toBeNull();
    expect(once && countDailySpending(once, 'key_0', 11, noon)).toBeNull();
    expect(once && countDailySpending(once, 'key_1', 10, noon)).not.toBeNull();
  });

  test('the next day (UTC) begins again, at midnight', () => {
    const spent = countDailySpending(accountWith({ dailyCredits: 100 }), 'key_0', 100, noon);
    expect(left(spent, noon + dayMs / 2 - 1)).toBe(0);
    expect(left(spent, noon + dayMs / 2)).toBe(100);
  });

  test('processes whose clocks differ slightly share one count at midnight', () => {
    const midnight = noon + dayMs / 2;
    let account = accountWith({ dailyCredits: 100 });
    let spent = 0;
    for (let turn = 0; turn < 40; turn += 1) {
      const counted = countDailySpending(
        account,
        'key_0',
        10,
        midnight + (turn % 2 === 0 ? 1 : -1),
      );
      if (counted === null) continue;
      account = counted;
      spent += 10;
    }
    expect([spent, left(account, midnight - 1), left(account, midnight)]).toEqual([100, 0, 0]);
  });

  test('a refund gives room back on the same day only', () => {
    const spent = countDailySpending(accountWith({ dailyCredits: 100 }), 'key_0', 70, noon);
    if (!spent) throw new Error('70 of 100 fit');
    expect(left(uncountDailySpending(spent, 'key_0', 70, noon, noon + 1))).toBe(100);
    const later = noon + dayMs;
    const next = countDailySpending(spent, 'key_0', 50, later);
    if (!next) throw new Error('50 of 100 fit');
    expect(left(uncountDailySpending(next, 'key_0', 70, noon, later), later)).toBe(50);
    expect(uncountDailySpending(spent, null, 70, noon, noon)).toBe(spent);
  });

  test('for any charges and refunds in a day, the net charge never exceeds the limit', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.boolean()));
    fc.assert(
      fc.property(steps, (all) => {
        let account = accountWith({ dailyCredits: 100 });
        let out = 0;
        for (const [cost, isRefunded] of all) {
          const counted = countDailySpending(account, 'key_0', cost, noon);
          expect(counted === null).toBe(out + cost > 100);
          if (counted === null) continue;
          account = isRefunded ? uncountDailySpending(counted, 'key_0', cost, noon, noon) : counted;
          out += isRefunded ? 0 : cost;
          expect(left(account)).toBe(100 - out);
        }
      }),
    );
  });
});
