import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Account, type Identity, isRecovering } from '../accounts/account.ts';
import { type ApiKey, isLive } from '../accounts/apiKey.ts';
import { isErased } from '../accounts/erasedResponse.ts';
import { erasePerson } from '../accounts/erasure.ts';
import { inheritedFields } from '../accounts/keyLimits.ts';
import { countMonthlySpending, leftThisMonth } from '../credits/monthlyLimits.ts';
import { isBarred } from '../teams/formerMembers.ts';
import { forgetPerson, removeMember, roleIn, setMember, usableInvitation } from '../teams/team.ts';
import { accesses, type AccessKind } from './access.ts';
import { type AccessEnd, accessEnds, type Fate, rowsEndedBy, sortRows } from './accessEnds.ts';
import { moveEmail, recover } from './recovery.ts';

const nowMs = Date.parse('2026-11-25T12:00:00Z');
const person = { id: 'acct_eva', email: 'eva@example.com' };

test('every act sorts every row once', () => {
  const rows = Object.keys(accesses).toSorted();
  for (const [end, fates] of Object.entries(accessEnds)) {
    expect([end, Object.keys(fates).toSorted()]).toEqual([end, rows]);
  }
  expect(rowsEndedBy('erase')).toEqual([
    ...['second factor', 'recovery codes', 'passkey', 'enrolment link'],
    ...['mailed code', 'sign-in link'],
    ...['site session', 'console session', 'shared link'],
  ]);
  expect(rowsEndedBy('leave a team')).toEqual([]);
});

test('a row without a fate and an act without fates do not compile', () => {
  const { kept, gone } = { kept: ['own key'], gone: ['password'] } as const;
  // @ts-expect-error the other rows are missing
  expect(sortRows({ kept, gone })).toEqual({ 'own key': 'kept', password: 'gone' });
  // @ts-expect-error an unknown act
  const end: AccessEnd = 'forget';
  const { 'leave a team': act, ...others } = accessEnds;
  // @ts-expect-error an act is missing
  const acted: Record<AccessEnd, unknown> = others;
  expect([end in accessEnds, Object.values(acted).includes(act)]).toEqual([false, true]);
});

/*
 * Random worlds: an account and a team, with keys, limits, counts, invitations and identities. An act of the inventory,
 * also twice; then each row that a document holds is tried.
 */

interface World {
  own: Account;
  team: Account;
}

const limit = fc.option(fc.record({ of: fc.nat(12), spent: fc.nat(12) }), { nil: undefined });
const limits = (each: { of: number; spent: number } | undefined) =>
  each && {
    monthlyCredits: each.of,
    monthSpent: { month: 2026 * 12 + 10, credits: Math.min(each.of, each.spent) },
  };
const key = (id: string, of: Partial<ApiKey>): ApiKey =>
  ({
    id,
    name: id,
    hash: id,
    hosts: [],
    models: null,
    revokedAt: null,
    createdAt: 0,
    ...of,
  }) as ApiKey;

const world: fc.Arbitrary<World> = fc
  .record({
    role: fc.constantFrom('owner' as const, 'member' as const),
    memberLimit: limit,
    keyLimits: fc.array(limit, { minLength: 1, maxLength: 4 }),
    others: fc.nat(3),
    identities: fc.nat(2),
    isInvited: fc.boolean(),
  })
  .map(({ role, memberLimit, keyLimits, others, identities, isInvited }) => {
    const stranger = { id: 'acct_mal', email: 'mal@example.com' };
    const base = {
      status: 'active',
      isVerified: true,
      staffRole: null,
      running: 0,
      waiting: 0,
      lots: [],
      passwordHash: 'hash',
      createdAt: 0,
    };
    const invitation = (email: string) => ({
      id: `to ${email}`,
      email,
      role: 'member' as const,
      sentAt: nowMs,
      until: nowMs + 1_000,
    });
    const own = {
      ...base,
      ...person,
      keys: [
        key('own', {}),
        ...Array.from({ length: others }, (_each, index) =>
          key(`of mal ${index}`, { madeBy: stranger }),
        ),
      ],
      members: [{ ...stranger, role: 'member' as const, joinedAt: 0 }],
      invitations: [invitation('new@example.com')],
      identities: Array.from({ length: identities }, (_each, index): Identity => ({
        issuer: 'https://id.example',
        subject: String(index),
        linkedAt: 0,
      })),
      teams: ['acct_team'],
    };
    const team = {
      ...base,
      id: 'acct_team',
      email: 'owner@example.com',
      keys: keyLimits.map((each, index) =>
        key(`made ${index}`, { madeBy: person, ...limits(each) }),
      ),
      members: [{ ...person, role, joinedAt: 0, ...limits(memberLimit) }],
      invitations: isInvited ? [invitation(person.email)] : [],
    };
    return { own: own as unknown as Account, team: team as unknown as Account };
  });

/** A key that works on, with its successor. */
const rotate = (old: ApiKey): ApiKey[] => {
  const successor = { ...old, ...inheritedFields(old), id: `${old.id}+` };
  return old.replacedBy === undefined ? [{ ...old, replacedBy: successor.id }, successor] : [old];
};

/** The part of each act that documents decide; the rest is tried over HTTP (test/security/accessEnds.test.ts). */
const acts: Readonly<Record<AccessEnd, (world: World) => World>> = {
  'leave a team': ({ own, team }) => ({ own, team: removeMember(team, person.id, nowMs) }),
  'remove from a team': ({ own, team }) => ({ own, team: removeMember(team, person.id, nowMs) }),
  'demote in a team': ({ own, team }) => ({
    own,
    team: setMember(team, { ...person, role: 'billing' }, nowMs),
  }),
  'reset the password': ({ own, team }) => ({
    own: recover({ ...own, passwordHash: 'another' }, nowMs, false),
    team,
  }),
  suspend: ({ own, team }) => ({ own: { ...own, status: 'suspended' }, team }),
  'change the password': ({ own, team }) => ({ own: { ...own, passwordHash: 'another' }, team }),
  'move the email': ({ own, team }) => ({
    own: moveEmail(own, 'another@example.com', true),
    team: removeMember(team, person.id, nowMs),
  }),
  'change the email': ({ own, team }) => ({ own: { ...own, email: 'own@example.com' }, team }),
  'unlink an identity': ({ own, team }) => ({ own: { ...own, identities: [] }, team }),
  'rotate a key': ({ own, team }) => ({ own, team: { ...team, keys: team.keys.flatMap(rotate) } }),
  'begin the second factor': (before) => before,
  'remove a passkey': (before) => before,
  'end the second factor': (before) => before,
  'enrol staff': (before) => before,
  'sign out everywhere': (before) => before,
  'sign out of the site': (before) => before,
  erase: ({ own, team }) => ({
    own: erasePerson(own, nowMs).after,
    team: forgetPerson(team, person.id, nowMs),
  }),
};

const isActive = ({ status }: Account) => status === 'active';
const isSuspended = (account: Account) => !isActive(account) && !isErased(account);

/** Credits that the team's keys made by the person can still spend this month together; null for no limit. */
function spendable({ own, team }: World): number | null {
  let account = team;
  let spent = 0;
  for (const { id, madeBy } of team.keys) {
    const made = team.keys.find((each) => each.id === id);
    if (!made || !isLive(made, nowMs) || isBarred(team, made) || isSuspended(own)) continue;
    for (let step = 0; step < 20; step += 1) {
      const spender = { keyId: id, memberId: madeBy?.id ?? null };
      const counted = countMonthlySpending(account, spender, 1, nowMs);
      if (!counted.ok) break;
      if (!counted.counted) return null;
      ({ account } = counted);
      spent += 1;
    }
  }
  return spent;
}

/** Whether a row of a world still opens something; undefined where no document tells. */
const tries: Partial<Record<AccessKind, (world: World) => boolean>> = {
  password: ({ own }) => own.passwordHash === 'hash',
  identity: ({ own }) => (own.identities ?? []).length > 0 && !isRecovering(own),
  'own key': ({ own }) =>
    isActive(own) && own.keys.some((each) => !each.madeBy && isLive(each, nowMs)),
  'key of a member': ({ own }) =>
    isActive(own) && own.keys.some((each) => each.madeBy && isLive(each, nowMs)),
  member: ({ own }) => isActive(own) && roleIn(own, 'acct_mal') !== null,
  'invitation sent': ({ own }) =>
    isActive(own) && usableInvitation(own, 'to new@example.com', nowMs) !== null,
  'place in a team': ({ own, team }) => isActive(own) && roleIn(team, person.id) !== null,
  'invitation received': ({ own, team }) =>
    isActive(own) && usableInvitation(team, `to ${own.email}`, nowMs)?.email === own.email,
  'key made in a team': ({ own, team }) =>
    !isSuspended(own) && team.keys.some((each) => isLive(each, nowMs) && !isBarred(team, each)),
};

const opens: Readonly<Record<Fate, boolean>> = {
  gone: false,
  barred: false,
  held: false,
  offered: true,
  bounded: true,
  kept: true,
};

describe('after an act, also done twice,', () => {
  test.each(Object.keys(accessEnds) as AccessEnd[])('%s: each row is as its fate says', (end) => {
    const act = acts[end];
    fc.assert(
      fc.property(world, fc.boolean(), (before, isTwice) => {
        const once = act(before);
        const after = isTwice ? act(once) : once;
        for (const [row, isOpen] of Object.entries(tries)) {
          const fate = accessEnds[end][row as AccessKind];
          // An act of nothing cannot leave something behind.
          const expected = isOpen(before) && opens[fate];
          expect([row, fate, isOpen(after)]).toEqual([row, fate, expected]);
        }
        const [could, can] = [spendable(before), spendable(after)];
        if (could !== null) expect(can).not.toBeNull();
        if (could !== null && can !== null) expect(can).toBeLessThanOrEqual(could);
        const holders = [...(after.team.members ?? []), ...(after.team.formerMembers ?? [])];
        const [holder] = before.team.members ?? [];
        const kept = holders.find(({ id }) => id === person.id);
        if (holder && leftThisMonth(holder, nowMs) !== null) {
          expect(kept && leftThisMonth(kept, nowMs)).toBe(leftThisMonth(holder, nowMs));
        }
      }),
      { numRuns: 650 },
    );
  });
});
