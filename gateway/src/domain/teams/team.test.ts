import { describe, expect, test } from '@jest/globals';
import { dayMs } from '@framegate/contract';
import type { Account } from '../accounts/account.ts';
import { invitationMs } from '../signIn/invitation.ts';
import {
  changeMember,
  forgetPerson,
  inviteMember,
  isFormerMaker,
  joinTeam,
  peopleOf,
  removeMember,
  revokeInvitationOf,
  roleIn,
  teamLimits,
} from './team.ts';

const team = {
  id: 'acct_team',
  email: 'owner@example.com',
  status: 'active',
  keys: [],
} as unknown as Account;
const eva = { id: 'acct_eva', email: 'eva@example.com', isVerified: true };
const invited = (account = team, nowMs = 0) =>
  inviteMember(account, { id: 'hash', email: eva.email, role: 'member' }, nowMs);
const joined = joinTeam(invited(), 'hash', eva, 1);

describe('an invitation', () => {
  test('makes its person a member once, with its role', () => {
    expect(joined.members).toEqual([{ id: eva.id, email: eva.email, role: 'member', joinedAt: 1 }]);
    expect(roleIn(joined, eva.id)).toBe('member');
    expect(() => joinTeam(joined, 'hash', eva, 2)).toThrow('team_invitation_expired');
    expect(() => joinTeam(removeMember(joined, eva.id, 2), 'hash', eva, 2)).toThrow(
      'team_invitation_expired',
    );
  });

  test.each([
    ['another address', { ...eva, email: 'mal@example.com' }],
    ['an address that is not verified', { ...eva, isVerified: false }],
  ])('is not for %s', (_who, person) => {
    expect(() => joinTeam(invited(), 'hash', person, 1)).toThrow('team_invitation_of_another');
  });

  test('expires after a week, and once it is revoked or replaced', () => {
    expect(() => joinTeam(invited(), 'hash', eva, invitationMs)).toThrow('team_invitation_expired');
    const revoked = revokeInvitationOf(invited(), eva.email);
    expect(() => joinTeam(revoked, 'hash', eva, 1)).toThrow('team_invitation_expired');
    const again = inviteMember(invited(), { id: 'new', email: eva.email, role: 'owner' }, 5);
    expect(again.invitations).toHaveLength(1);
    expect(() => joinTeam(again, 'hash', eva, 6)).toThrow('team_invitation_expired');
    expect(roleIn(joinTeam(again, 'new', eva, 6), eva.id)).toBe('owner');
  });

  test('opens no suspended account', () => {
    const suspended: Account = { ...invited(), status: 'suspended' };
    expect(() => joinTeam(suspended, 'hash', eva, 1)).toThrow('team_invitation_expired');
  });

  test('is refused for a member of the team, and has limits', () => {
    expect(() => invited(joined)).toThrow('team_member_already');
    expect(() => invited({ ...team, email: eva.email })).toThrow();
    const members = Array.from({ length: teamLimits.members }, (_each, index) => ({
      id: `acct_${index}`,
      email: `${index}@example.com`,
      role: 'member' as const,
      joinedAt: 0,
    }));
    expect(() => invited({ ...team, members })).toThrow();
    expect(() => joinTeam({ ...invited(), members }, 'hash', eva, 1)).toThrow(
      expect.objectContaining({ code: 'team_full' }),
    );
    const invitations = members.map(({ id, email, role }) => ({
      id,
      email,
      role,
      sentAt: 0,
      until: invitationMs,
    }));
    expect(() => invited({ ...team, invitations })).toThrow();
    // Long-expired ones make room.
    expect(invited({ ...team, invitations }, invitationMs + 30 * dayMs).invitations).toHaveLength(
      1,
    );
  });
});

describe('a member', () => {
  test('can be changed and removed, unlike the owner of the account', () => {
    const owner = changeMember(joined, eva.id, (member) => ({ ...member, role: 'owner' }));
    expect(roleIn(owner, eva.id)).toBe('owner');
    expect(roleIn(removeMember(owner, eva.id, 2), eva.id)).toBeNull();
    expect(removeMember(team, 'acct_nobody', 2)).toBe(team);
    expect(roleIn(team, team.id)).toBe('owner');
    expect(() => removeMember(owner, team.id, 2)).toThrow(
      expect.objectContaining({ code: 'team_owner_stays' }),
    );
    expect(() => changeMember(owner, team.id, (member) => member)).toThrow(
      expect.objectContaining({ code: 'team_owner_stays' }),
    );
    expect(() => changeMember(team, eva.id, (member) => member)).toThrow('team_member_not_found');
  });

  test('lists people by name, the owner first, and no one without members', () => {
    expect([...peopleOf(joined).values()]).toEqual([joined.email, eva.email]);
    expect(peopleOf({ ...joined, members: [] }).size).toBe(0);
  });

  test('leaves keys behind, which keep the name of their maker until that person is erased', () => {
    const madeBy = { id: eva.id, email: eva.email };
    const account = {
      ...joined,
      keys: [{ id: 'key_1', madeBy, revokedAt: null }],
    } as unknown as Account;
    const [key] = account.keys;
    expect(key && isFormerMaker(account, key)).toBe(false);
    const left = removeMember(account, eva.id, 2);
    expect(left.keys).toEqual(account.keys);
    expect(key && isFormerMaker(left, key)).toBe(true);
    const erased = forgetPerson(account, eva.id, 2);
    expect(JSON.stringify(erased)).not.toContain(eva.email);
    expect(erased.keys).toMatchObject([{ id: 'key_1', madeBy: { id: eva.id, email: '' } }]);
  });
});
