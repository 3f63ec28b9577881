import { dayMs } from '@framegate/contract';
import { type Account, isRecovering } from '../accounts/account.ts';
import type { ApiKey } from '../accounts/apiKey.ts';
import { forgetWordsOfRequest } from '../accounts/creditRequest.ts';
import { setMonthlyLimit } from '../credits/monthlyLimits.ts';
import { Refusal } from '../refusal.ts';
import { invitationMs } from '../signIn/invitation.ts';
import { dropOldFormerMembers, readmitMember, spendingOf } from './formerMembers.ts';
import type { KeyMaker, Member, MonthlyLimit, TeamInvitation } from './members.ts';
import type { TeamRole } from './teamRoles.ts';

/*
 * The people of an account are part of its document: one guarded write checks and changes people, keys and credits
 * together, and an account refuses a former member from the next read.
 */

/** Limits of a team, which keep the account's document small, and of one person's teams. */
export const teamLimits = { members: 20, invitations: 10, teams: 50 } as const;

/** How long an expired invitation is still shown, in ms: a month. */
const shownOverMs = 30 * dayMs;

const teamFullRefusal = () => new Refusal('team_full', { values: { max: teamLimits.members } });

/** Maximum length of a maker's name in a key; addresses are rarely longer. */
const maxMakerCharacters = 64;

/** A member as the maker of a key. */
export function makerOf({ id, email }: Pick<Account, 'id' | 'email'>): KeyMaker {
  const characters = [...email];
  const isLong = characters.length > maxMakerCharacters;
  return { id, email: isLong ? `${characters.slice(0, maxMakerCharacters - 1).join('')}…` : email };
}

/** A person's role in an account; null for a stranger, and for all others while its person takes it back. */
export function roleIn(
  account: Pick<Account, 'id' | 'members' | 'recovery'>,
  personId: string,
): TeamRole | null {
  if (account.id === personId) return 'owner';
  if (isRecovering(account)) return null;
  return account.members?.find(({ id }) => id === personId)?.role ?? null;
}

/** Addresses of a team's people by the ids of their own accounts, the owner's first; empty without members. */
export function peopleOf({
  id,
  email,
  members = [],
}: Pick<Account, 'id' | 'email' | 'members'>): ReadonlyMap<string, string> {
  if (members.length === 0) return new Map();
  return new Map([[id, email], ...members.map((each) => [each.id, each.email] as const)]);
}

/** Whether a key's maker has left. */
export function isFormerMaker(
  account: Pick<Account, 'id' | 'members'>,
  { madeBy }: Pick<ApiKey, 'madeBy'>,
): boolean {
  if (madeBy === undefined || madeBy.id === account.id) return false;
  return !account.members?.some(({ id }) => id === madeBy.id);
}

/**
 * Adds an invitation, or replaces the one for the same address.
 * @param invited.monthlyCredits Null for no limit; undefined keeps that of the replaced one.
 * @throws Refusal
 */
export function inviteMember(
  account: Account,
  invited: Pick<TeamInvitation, 'id' | 'email' | 'role'> & {
    monthlyCredits?: number | null | undefined;
  },
  nowMs: number,
): Account {
  const { members = [] } = account;
  if (account.email === invited.email || members.some(({ email }) => email === invited.email)) {
    throw new Refusal('team_member_already');
  }
  const shownInvitations = openInvitations(account, nowMs);
  const others = shownInvitations.filter(({ email }) => email !== invited.email);
  const former = shownInvitations.find(({ email }) => email === invited.email);
  if (members.length >= teamLimits.members) {
    throw teamFullRefusal();
  }
  if (others.length >= teamLimits.invitations) {
    throw new Refusal('team_invitations_full', { values: { max: teamLimits.invitations } });
  }
  const { id, email, role, monthlyCredits = former?.monthlyCredits ?? null } = invited;
  const invitation: TeamInvitation = {
    id,
    email,
    role,
    sentAt: nowMs,
    until: nowMs + invitationMs,
    ...(monthlyCredits !== null && { monthlyCredits }),
  };
  return { ...account, invitations: [...others, invitation] };
}

/** Invitations to show: open ones, and recently expired ones. */
function openInvitations({ invitations = [] }: Account, nowMs: number): TeamInvitation[] {
  return invitations.filter(({ until }) => until + shownOverMs > nowMs);
}

/** Removes the invitation of an address, if there is one. */
export function revokeInvitationOf(account: Account, email: string): Account {
  const { invitations = [] } = account;
  const others = invitations.filter((each) => each.email !== email);
  return others.length === invitations.length ? account : { ...account, invitations: others };
}

/** The invitation with this id, if it can still be used. */
export function usableInvitation(
  account: Pick<Account, 'invitations' | 'recovery'>,
  id: string,
  nowMs: number,
): TeamInvitation | null {
  if (isRecovering(account)) return null;
  const { invitations } = account;
  return invitations?.find((each) => each.id === id && each.until > nowMs) ?? null;
}

/** Consumes an invitation: its person becomes a member. @param marks See `setMember`. @throws Refusal */
export function joinTeam(
  account: Account,
  invitationId: string,
  person: Pick<Account, 'id' | 'email' | 'isVerified'>,
  nowMs: number,
  marks: readonly string[] = [],
): Account {
  const invitation = usableInvitation(account, invitationId, nowMs);
  if (!invitation || account.status !== 'active') {
    throw new Refusal('team_invitation_expired');
  }
  if (!person.isVerified || person.email !== invitation.email) {
    throw new Refusal('team_invitation_of_another');
  }
  const { members = [] } = account;
  if (members.length >= teamLimits.members) throw teamFullRefusal();
  const { email, role, monthlyCredits } = invitation;
  const joined = setMember(account, { id: person.id, email, role }, nowMs, marks);
  if (monthlyCredits === undefined) return joined;
  return changeMember(joined, person.id, (member) => setMonthlyLimit(member, monthlyCredits));
}

/**
 * Adds a person to the team, or changes their role. A limit and its count stay, even for a person who comes back
 * with another account of the same mailbox.
 * @param marks The mailbox's marks under the present secret and former ones; the first is kept.
 * @throws Refusal
 */
export function setMember(
  account: Account,
  { id, email, role }: Pick<Member, 'id' | 'email' | 'role'>,
  nowMs: number,
  marks: readonly string[] = [],
): Account {
  const { members = [] } = account;
  if (id === account.id) throw new Refusal('team_owner_stays');
  const current = members.find((each) => each.id === id);
  if (!current && members.length >= teamLimits.members) {
    throw teamFullRefusal();
  }
  const back = current
    ? { account, spending: spendingOf(current) }
    : readmitMember(account, makerOf({ id, email }), marks);
  const [mailbox = current?.mailbox] = marks;
  const member = {
    id,
    email,
    role,
    joinedAt: current?.joinedAt ?? nowMs,
    ...back.spending,
    ...(mailbox !== undefined && { mailbox }),
  };
  const others = members.filter((each) => each !== current);
  return revokeInvitationOf({ ...back.account, members: [...others, member] }, email);
}

/** Changes a member, who cannot be the account's own person. @throws Refusal if there is no such member. */
export function changeMember(
  account: Account,
  memberId: string,
  change: (member: Member) => Member,
): Account {
  const { members = [] } = account;
  if (memberId === account.id) throw new Refusal('team_owner_stays');
  if (!members.some(({ id }) => id === memberId)) throw new Refusal('team_member_not_found');
  const edited = members.map((member) => (member.id === memberId ? change(member) : member));
  return { ...account, members: edited };
}

/** Gives a member another role; an older invitation, which may name a higher one, ends. @throws Refusal */
export function setRoleOf(account: Account, memberId: string, role: TeamRole): Account {
  const changedAccount = changeMember(account, memberId, (member) => ({ ...member, role }));
  const email = changedAccount.members?.find(({ id }) => id === memberId)?.email ?? '';
  return revokeInvitationOf(changedAccount, email);
}

/** Changes the limit of a member or a former one. @throws Refusal if there is no such person. */
export function setPersonLimit(
  account: Account,
  personId: string,
  limit: <T extends MonthlyLimit>(holder: T) => T,
): Account {
  const { formerMembers = [] } = account;
  if (!formerMembers.some(({ id }) => id === personId)) {
    return changeMember(account, personId, limit);
  }
  const changedFormer = formerMembers.map((each) => (each.id === personId ? limit(each) : each));
  return { ...account, formerMembers: changedFormer };
}

/**
 * Removes a member. Their keys keep working within the member's limit, and keep the maker's name. Safe to repeat.
 * @throws Refusal for the account's own person, who is its last owner.
 */
export function removeMember(account: Account, memberId: string, nowMs: number): Account {
  if (memberId === account.id) throw new Refusal('team_owner_stays');
  const { members = [], formerMembers = [] } = account;
  const member = members.find(({ id }) => id === memberId);
  if (!member) return account;
  const { role, mailbox } = member;
  const former = {
    id: memberId,
    role,
    leftAt: nowMs,
    ...spendingOf(member),
    ...(mailbox !== undefined && { mailbox }),
  };
  const withoutMember = {
    ...account,
    members: members.filter((each) => each !== member),
    formerMembers: [...formerMembers, former],
  };
  return revokeInvitationOf(dropOldFormerMembers(withoutMember, nowMs), member.email);
}

/** Removes a person whose account is erased: the membership, their name on keys that they made, and their messages. */
export function forgetPerson(account: Account, personId: string, nowMs: number): Account {
  const isKnown = account.keys.some(({ madeBy }) => madeBy?.id === personId);
  const before = forgetWordsOfRequest(account, personId);
  const withoutMember = account.id === personId ? before : removeMember(before, personId, nowMs);
  if (!isKnown) return withoutMember;
  const keys = withoutMember.keys.map((key) =>
    key.madeBy?.id === personId ? { ...key, madeBy: { id: personId, email: '' } } : key,
  );
  return { ...withoutMember, keys };
}
