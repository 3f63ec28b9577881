import type { Account } from '../../domain/account.ts';
import type { TeamInvitation } from '../../domain/members.ts';
import { withMonthlyLimit } from '../../domain/monthlyLimits.ts';
import { PlainRefusal } from '../../domain/refusal.ts';
import { invitationMs, normaliseEmail } from '../../domain/signIn.ts';
import {
  changeMember,
  forgetPerson,
  inviteMember,
  joinTeam,
  removeMember,
  roleIn,
  teamRoom,
  usableInvitation,
  withdrawInvitationOf,
} from '../../domain/team.ts';
import { mayInTeam, teamRoles, type TeamRole } from '../../domain/teamRoles.ts';
import { tokenHash } from '../../domain/token.ts';
import { byId, changeAccount } from '../accounts/accounts.ts';
import { countAttempt } from './attempts.ts';
import { parseCredits } from './dailyCredits.ts';
import type { SiteDeps } from './siteDeps.ts';

/** Somebody who acts for an account, by their own account. */
type Person = Pick<Account, 'id' | 'email'>;

/** A change of a team by one of its owners. */
interface TeamCommand {
  accountId: string;
  by: Person;
}

/** Changes the people of an account, if the acting person is still an owner then. @throws PlainRefusal */
async function changePeople(
  { database }: Pick<SiteDeps, 'database'>,
  { accountId, by }: TeamCommand,
  change: (account: Account) => Account,
): Promise<Account> {
  const { after } = await changeAccount(database, byId(database, accountId), (account) => {
    const role = roleIn(account, by.id);
    if (role === null || !mayInTeam(role, 'manage people')) {
      throw new PlainRefusal('Only an owner can change the team.', 403);
    }
    return { after: change(account) };
  });
  return after;
}

/** The role of a form. @throws PlainRefusal */
function requireRole(text: string): TeamRole {
  const role = teamRoles.find((each) => each === text);
  if (role === undefined) throw new PlainRefusal({ role: 'Choose a role.' });
  return role;
}

/**
 * Mails an invitation to join a team, or a new one in place of an earlier one, whose link then ends.
 * @returns The invited address.
 * @throws PlainRefusal
 */
export async function inviteToTeam(
  deps: SiteDeps,
  command: TeamCommand & { email: string; role: string },
): Promise<string> {
  const email = normaliseEmail(command.email);
  if (email === null) {
    throw new PlainRefusal({ email: 'Enter an e-mail address such as name@company.com.' });
  }
  const role = requireRole(command.role);
  const { accountId, by } = command;
  await countAttempt(deps, 'teamInvitation', accountId);
  await countAttempt(deps, 'invitedMailbox', email);
  // In lower case, as are the paths to which a sign-in returns.
  const token = Buffer.from(deps.random.bytes(32)).toString('hex');
  const now = deps.clock.now();
  const after = await changePeople(deps, command, (account) =>
    inviteMember(account, { id: tokenHash(token), email, role }, now),
  );
  const { accountUrl } = deps;
  await deps.sendMail({
    to: email,
    subject: `${by.email} invites you to a team`,
    parts: [
      `${by.email} invites you to work in the account of ${after.email}, with the role “${role}”. Use an account of your own with this address, or make one first. The invitation works for a week.`,
      { button: 'See the invitation', url: `${accountUrl}/settings/join/${accountId}/${token}` },
      'If you do not want to join, ignore this mail.',
    ],
    link: `${accountUrl}/settings/join`,
    validMs: invitationMs,
  });
  return email;
}

/** Withdraws an invitation; its link ends at once. */
export async function withdrawFromTeam(
  deps: SiteDeps,
  command: TeamCommand & { email: string },
): Promise<void> {
  await changePeople(deps, command, (account) => withdrawInvitationOf(account, command.email));
}

/** An invitation with the account that it is for. */
export interface FoundInvitation {
  account: Account;
  invitation: TeamInvitation;
}

/** The invitation of a link; null if it was used, withdrawn or replaced, or is over. */
export async function findTeamInvitation(
  { database, clock }: Pick<SiteDeps, 'database' | 'clock'>,
  { accountId, token }: { accountId: string; token: string },
): Promise<FoundInvitation | null> {
  const account = await database.accounts.find(accountId);
  const invitation = account && usableInvitation(account, tokenHash(token), clock.now());
  return account && invitation ? { account, invitation } : null;
}

/**
 * Joins a team by the link of an invitation, once, and only as the verified owner of the invited address.
 * @returns The account of the team.
 * @throws PlainRefusal
 */
export async function acceptInvitation(
  deps: SiteDeps,
  { accountId, token, person }: { accountId: string; token: string; person: Account },
): Promise<Account> {
  const { database, clock } = deps;
  const found = await findTeamInvitation(deps, { accountId, token });
  const id = tokenHash(token);
  // Before anything is noted: the rules of the joining itself.
  if (found) joinTeam(found.account, id, person, clock.now());
  else
    throw new PlainRefusal('This invitation was used, withdrawn or replaced, or it is over.', 403);
  await noteTeam(deps, person.id, accountId);
  const { after } = await changeAccount(database, byId(database, accountId), (account) => ({
    after: joinTeam(account, id, person, clock.now()),
  }));
  await deps.sendMail({
    to: after.email,
    subject: `${person.email} has joined your team`,
    parts: [
      `${person.email} now works in your account, with the role “${roleIn(after, person.id) ?? ''}”.`,
      { button: 'See your team', url: `${deps.accountUrl}/settings/team` },
    ],
    link: `${deps.accountUrl}/settings/team`,
  });
  return after;
}

/** Notes a team with the person, before they join: then no team is missed. @throws PlainRefusal */
export async function noteTeam(
  { database }: Pick<SiteDeps, 'database'>,
  personId: string,
  teamId: string,
): Promise<void> {
  await changeAccount(database, byId(database, personId), (person) => {
    const { teams = [] } = person;
    if (teams.includes(teamId)) return { after: person };
    if (teams.length >= teamRoom.teams) {
      throw new PlainRefusal(`Nobody can join more than ${teamRoom.teams} teams.`, 403);
    }
    return { after: { ...person, teams: [...teams, teamId] } };
  });
}

/** An account for which a person can act. */
export interface TeamChoice {
  id: string;
  /** The address of the account's own person, by which people know the team. */
  email: string;
  role: TeamRole;
}

/** The teams of a person, without their own account. */
export async function teamsOf(
  { database }: Pick<SiteDeps, 'database'>,
  { id, teams = [], status }: Pick<Account, 'id' | 'teams' | 'status'>,
): Promise<TeamChoice[]> {
  if (teams.length === 0 || status !== 'active') return [];
  const found = await database.accounts.findPeople(teams);
  return found.flatMap((team) => {
    const role = roleIn(team, id);
    return role === null ? [] : [{ id: team.id, email: team.email, role }];
  });
}

/** Gives a member another role. @throws PlainRefusal */
export async function changeRole(
  deps: SiteDeps,
  command: TeamCommand & { memberId: string; role: string },
): Promise<void> {
  const role = requireRole(command.role);
  await changePeople(deps, command, (account) =>
    changeMember(account, command.memberId, (member) => ({ ...member, role })),
  );
}

/**
 * Sets or removes a member's monthly limit in credits, from the next create on. What was spent this month under a
 * limit counts; spending without a limit was not counted.
 * @param command.monthlyCredits As typed; empty for no limit.
 * @throws PlainRefusal
 */
export async function limitMember(
  deps: SiteDeps,
  command: TeamCommand & { memberId: string; monthlyCredits: string },
): Promise<number | null> {
  const { credits, problem } = parseCredits(command.monthlyCredits);
  if (problem !== null) throw new PlainRefusal({ monthlyCredits: problem });
  await changePeople(deps, command, (account) =>
    changeMember(account, command.memberId, (member) => withMonthlyLimit(member, credits)),
  );
  return credits;
}

/** Removes a member, whose sessions are refused at once and whose keys keep working. @throws PlainRefusal */
export async function removeFromTeam(
  deps: SiteDeps,
  command: TeamCommand & { memberId: string },
): Promise<string> {
  let email = '';
  const after = await changePeople(deps, command, (account) => {
    email = account.members?.find(({ id }) => id === command.memberId)?.email ?? '';
    return removeMember(account, command.memberId);
  });
  if (email !== '') {
    await deps.sendMail({
      to: email,
      subject: 'You have left a team',
      parts: [
        `${command.by.email} has removed you from the team of ${after.email}. Your own account stays as it is.`,
      ],
      link: `${deps.accountUrl}/settings/account`,
    });
  }
  return email;
}

/** Leaves a team. @throws PlainRefusal for the account's own person, who is its last owner. */
export async function leaveTeam(
  { database }: Pick<SiteDeps, 'database'>,
  { accountId, personId }: { accountId: string; personId: string },
): Promise<void> {
  await changeAccount(database, byId(database, accountId), (account) => ({
    after: removeMember(account, personId),
  }));
}

/**
 * Removes a person whose account is erased from the teams of others: memberships, open invitations, and the name on
 * keys. Safe to repeat.
 */
export async function forgetInTeams(
  database: SiteDeps['database'],
  { id, email, teams = [] }: Pick<Account, 'id' | 'email' | 'teams'>,
): Promise<void> {
  for (const team of await database.accounts.findPeople(teams)) {
    await changeAccount(database, byId(database, team.id), (account) => ({
      after: forgetPerson(account, id),
    }));
  }
  // Each page is of accounts whose invitation the one before has not removed.
  for (;;) {
    const inviting = await database.accounts.findInviting(email);
    if (inviting.length === 0) return;
    for (const accountId of inviting) {
      await changeAccount(database, byId(database, accountId), (account) => ({
        after: withdrawInvitationOf(account, email),
      }));
    }
  }
}
