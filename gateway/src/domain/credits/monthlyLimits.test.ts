import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayMs, sum } from '@framegate/contract';
import type { Account } from '../accounts/account.ts';
import type { ApiKey } from '../accounts/apiKey.ts';
import type { Member } from '../teams/members.ts';
import { monthNumberOf } from '../time/utcMonth.ts';
import {
  countMonthlySpending,
  formatMonthEnd,
  leftThisMonth,
  uncountMonthlySpending,
} from './monthlyLimits.ts';

const at = (text: string) => Date.parse(text);
const nowMs = at('2026-11-25T12:00:00Z');
const later = at('2026-12-01T00:00:00Z');
const accountWith = (keys: Partial<ApiKey>[], members: Partial<Member>[] = []): Account =>
  ({
    id: 'acct_1',
    keys: keys.map((key, index) => ({ id: `key_${index}`, ...key })),
    members: members.map((member, index) => ({ id: `acct_m${index}`, ...member })),
  }) as Account;
const key = (keyId = 'key_0', memberId: string | null = null) => ({ keyId, memberId });
const site = { keyId: null, memberId: 'acct_m0' };

/** Counts a charge that must fit. */
function charge(
  account: Account,
  by: ReturnType<typeof key> | typeof site,
  credits: number,
  spentAt = nowMs,
) {
  const done = countMonthlySpending(account, by, credits, spentAt);
  if (!done.ok) throw new Error('the charge exceeds a limit');
  return done;
}
const leftOf = (account: Account, whenMs = nowMs) =>
  [...account.keys, ...(account.members ?? [])].map((each) => leftThisMonth(each, whenMs));

describe('a monthly limit', () => {
  test('counts what fits and names what does not, of a key or a member', () => {
    const account = accountWith([{ monthlyCredits: 100 }], [{ monthlyCredits: 50 }]);
    const once = charge(account, key('key_0', 'acct_m0'), 30);
    expect(leftOf(once.account)).toEqual([70, 20]);
    expect(countMonthlySpending(once.account, key('key_0', 'acct_m0'), 21, nowMs)).toEqual({
      ok: false,
      excess: { holderKind: 'member', monthlyCredits: 50, left: 20 },
    });
    expect(countMonthlySpending(once.account, key(), 71, nowMs)).toEqual({
      ok: false,
      excess: { holderKind: 'key', monthlyCredits: 100, left: 70 },
    });
    expect(leftOf(charge(once.account, key(), 70).account)).toEqual([0, 20]);
    expect(leftOf(charge(once.account, site, 20).account)).toEqual([70, 0]);
  });

  test('begins again with the month (UTC), at midnight', () => {
    const spent = charge(accountWith([{ monthlyCredits: 10 }]), key(), 10).account;
    expect(leftOf(spent, later - 1)).toEqual([0]);
    expect(leftOf(spent, later)).toEqual([10]);
    expect(leftOf(charge(spent, key(), 4, later).account, later)).toEqual([6]);
    expect(formatMonthEnd(later - 1)).toBe('2026-12-01 00:00 UTC');
  });

  test('is one count at midnight for processes whose clocks differ slightly, of a key and its member', () => {
    let account = accountWith([{ monthlyCredits: 100 }], [{ monthlyCredits: 100 }]);
    let spent = 0;
    for (let turn = 0; turn < 40; turn += 1) {
      const by = turn % 4 < 2 ? key('key_0', 'acct_m0') : key();
      const done = countMonthlySpending(account, by, 10, later + (turn % 2 === 0 ? 1 : -1));
      if (!done.ok) continue;
      expect(done.counted?.month).toBe(monthNumberOf(later));
      account = done.account;
      spent += 10;
    }
    expect(spent).toBe(100);
    expect(leftOf(account, later - 1)[0]).toBe(0);
  });

  test('that a clock far ahead has begun blocks no one', () => {
    const ahead = charge(accountWith([{ monthlyCredits: 10 }]), key(), 10, later + 40 * dayMs);
    expect(leftOf(ahead.account)).toEqual([10]);
  });

  test('leaves an account without a limit as it is', () => {
    const account = accountWith([{}], [{}]);
    const done = charge(account, key('key_0', 'acct_m0'), 1_000_000);
    expect(done).toEqual({ ok: true, account });
    expect(done.account).toBe(account);
    expect(uncountMonthlySpending(account, undefined, 5)).toBe(account);
  });

  test('subtracts a refund from the counts that the charge raised, and from no others', () => {
    const before = accountWith([{ monthlyCredits: 100 }], [{}]);
    const { account, counted } = charge(before, key('key_0', 'acct_m0'), 30);
    // The member's limit was set only later.
    const limited = {
      ...account,
      members: [{ ...account.members?.[0], monthlyCredits: 50 } as Member],
    };
    const spent = charge(limited, site, 20).account;
    expect(leftOf(uncountMonthlySpending(spent, counted, 30))).toEqual([100, 30]);
  });

  test('keeps the count of a new month when a charge of an earlier one is refunded', () => {
    const { account, counted } = charge(accountWith([{ monthlyCredits: 100 }]), key(), 30);
    const next = charge(account, key(), 10, later).account;
    expect(leftOf(uncountMonthlySpending(next, counted, 30), later)).toEqual([90]);
  });

  test('is shared by a key and the key that replaced it', () => {
    const account = accountWith([
      { monthlyCredits: 100, replacedBy: 'key_1' },
      { monthlyCredits: 100 },
    ]);
    const { account: after, counted } = charge(account, key('key_0'), 60);
    expect(leftOf(after)).toEqual([100, 40]);
    expect(countMonthlySpending(after, key('key_1'), 41, nowMs).ok).toBe(false);
    expect(leftOf(uncountMonthlySpending(after, counted, 60))).toEqual([100, 100]);
  });

  test('does not loop over keys that name each other', () => {
    const account = accountWith([{ replacedBy: 'key_1' }, { replacedBy: 'key_0' }]);
    expect(countMonthlySpending(account, key(), 1, nowMs).ok).toBe(true);
  });

  test('is never exceeded, and all refunds empty the counts', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.boolean()), { maxLength: 40 }),
        (steps) => {
          let account = accountWith([{ monthlyCredits: 100 }], [{ monthlyCredits: 80 }]);
          const open: { counted: NonNullable<ReturnType<typeof charge>['counted']>; of: number }[] =
            [];
          for (const [credits, isRefund] of steps) {
            const last = isRefund ? open.pop() : undefined;
            if (last) account = uncountMonthlySpending(account, last.counted, last.of);
            const done = countMonthlySpending(account, key('key_0', 'acct_m0'), credits, nowMs);
            if (!done.ok) continue;
            ({ account } = done);
            if (done.counted) open.push({ counted: done.counted, of: credits });
            const total = sum(open.map(({ of }) => of));
            expect(leftOf(account)).toEqual([100 - total, 80 - total]);
          }
          for (const { counted, of } of open) {
            account = uncountMonthlySpending(account, counted, of);
          }
          expect(leftOf(account)).toEqual([100, 80]);
        },
      ),
    );
  });
});
