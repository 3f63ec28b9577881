import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Account } from '../accounts/account.ts';
import type { ApiKey } from '../accounts/apiKey.ts';
import { countMonthlySpending, leftThisMonth, setMonthlyLimit } from '../credits/monthlyLimits.ts';
import { endKeysOf, isBarred, liveKeysOf, maxFormerMembers } from './formerMembers.ts';
import { removeMember, setMember, setPersonLimit } from './team.ts';
import { teamRoles } from './teamRoles.ts';

const nowMs = Date.parse('2026-11-25T12:00:00Z');
const eva = { id: 'acct_eva', email: 'eva@example.com' };
const keyOf = (id: string, keyId: string) =>
  ({ id: keyId, madeBy: { id, email: '' }, revokedAt: null }) as ApiKey;
const team = {
  id: 'acct_team',
  email: 'owner@example.com',
  keys: [keyOf(eva.id, 'key_1'), keyOf(eva.id, 'key_2')],
} as unknown as Account;
const limited = (limit: number) =>
  setPersonLimit(setMember(team, { ...eva, role: 'member' }, nowMs), eva.id, (holder) =>
    setMonthlyLimit(holder, limit),
  );

test('a person never spends more than their limit, however they leave, come back and change roles', () => {
  const step = fc.oneof(
    fc.record({
      do: fc.constant('spend' as const),
      credits: fc.integer({ min: 1, max: 60 }),
      keyId: fc.constantFrom('key_1', 'key_2'),
    }),
    fc.record({ do: fc.constant('leave' as const) }),
    fc.record({ do: fc.constant('join' as const), role: fc.constantFrom(...teamRoles) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let account = limited(100);
      let spent = 0;
      for (const each of steps) {
        if (each.do === 'leave') {
          account = removeMember(account, eva.id, nowMs);
        } else if (each.do === 'join') {
          account = setMember(account, { ...eva, role: each.role }, nowMs);
        } else {
          const by = { keyId: each.keyId, memberId: eva.id };
          const counted = countMonthlySpending(account, by, each.credits, nowMs);
          expect(counted.ok).toBe(spent + each.credits <= 100);
          if (!counted.ok) continue;
          spent += each.credits;
          ({ account } = counted);
        }
        const holders = [...(account.members ?? []), ...(account.formerMembers ?? [])];
        expect(holders.map((holder) => leftThisMonth(holder, nowMs))).toEqual([100 - spent]);
      }
    }),
  );
});

test('a former limit can be changed, and its keys can be revoked together', () => {
  const left = removeMember(limited(100), eva.id, nowMs);
  const raised = setPersonLimit(left, eva.id, (holder) => setMonthlyLimit(holder, 200));
  expect(raised.formerMembers).toEqual([
    { id: eva.id, role: 'member', leftAt: nowMs, monthlyCredits: 200 },
  ]);
  const ended = endKeysOf(raised, eva.id, nowMs);
  expect(liveKeysOf(ended, eva.id, nowMs)).toEqual([]);
  expect(endKeysOf(ended, eva.id, nowMs)).toBe(ended);
  expect(() => setPersonLimit(left, 'acct_nobody', (holder) => holder)).toThrow(
    'team_member_not_found',
  );
});

test('keys do nothing under a role without keys, and work on after leaving', () => {
  const [key] = team.keys;
  const barredAs = (account: Account) => key && isBarred(account, key);
  const roles = teamRoles.map((role) => [role, barredAs(setMember(team, { ...eva, role }, nowMs))]);
  expect(Object.fromEntries(roles)).toEqual({
    owner: false,
    editor: false,
    member: false,
    billing: true,
  });
  expect(barredAs(removeMember(limited(1), eva.id, nowMs))).toBe(false);
});

test('people with working keys are never dropped, and the others are bounded', () => {
  let account = removeMember(limited(100), eva.id, nowMs);
  for (let index = 0; index < maxFormerMembers + 5; index += 1) {
    const person = { id: `acct_${index}`, email: `${index}@example.com`, role: 'member' as const };
    const joined = setPersonLimit(setMember(account, person, nowMs), person.id, (holder) =>
      setMonthlyLimit(holder, 100),
    );
    const spent = countMonthlySpending(joined, { keyId: null, memberId: person.id }, 10, nowMs);
    if (spent.ok) account = removeMember(spent.account, person.id, nowMs);
  }
  const { formerMembers = [] } = account;
  expect(formerMembers).toHaveLength(maxFormerMembers);
  expect(formerMembers[0]).toMatchObject({ id: eva.id, monthlyCredits: 100 });
  expect(formerMembers.at(-1)).toMatchObject({ id: `acct_${maxFormerMembers + 4}` });
});
