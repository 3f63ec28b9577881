import type { Account } from '../../domain/accounts/account.ts';
import { mailboxMark } from '../../domain/accounts/mailbox.ts';
import { Refusal, refuseFields } from '../../domain/refusal.ts';
import { normaliseEmail } from '../../domain/signIn/email.ts';
import { invitationMs } from '../../domain/signIn/invitation.ts';
import { tokenHash } from '../../domain/signIn/token.ts';
import type { TeamInvitation } from '../../domain/teams/members.ts';
import {
  inviteMember,
  joinTeam,
  revokeInvitationOf,
  roleIn,
  teamLimits,
  usableInvitation,
} from '../../domain/teams/team.ts';
import type { TeamRole } from '../../domain/teams/teamRoles.ts';
import { changeAccountById } from '../accounts/changeAccount.ts';
import type { App } from '../app.ts';
import { parseCredits } from '../keys/keySpendingLimits.ts';
import type { MailContent, MailValues } from '../ports/mails.ts';
import { countAttempt } from '../signIn/attempts.ts';
import { openConfirmation } from '../signIn/mailedCodes.ts';
import { changePeople, requireRole, type TeamCommand } from './team.ts';

/** The result for one address of a form. */
export interface InviteResult {
  email: string;
  /** Null if it was invited. */
  problem: Refusal | null;
}

/**
 * Emails invitations to join a team, with one role and limit for all. A new one replaces an earlier one to its address,
 * whose link stops working.
 * @param command.emails As typed, with commas, semicolons, spaces or line breaks between them.
 * @param command.monthlyCredits As typed, empty for no limit; undefined keeps that of an earlier invitation.
 * @returns The result of each address.
 * @throws Refusal if no one can be invited: for the whole form, or for its only address.
 */
export async function inviteToTeam(
  deps: App,
  command: TeamCommand & { emails: string; role: string; monthlyCredits: string | undefined },
): Promise<InviteResult[]> {
  const emails = [...new Set(command.emails.split(/[\s,;]/).filter((each) => each !== ''))];
  const limit = parseCredits('monthlyCredits', command.monthlyCredits ?? '');
  const max = teamLimits.invitations;
  refuseFields(
    emails.length === 0
      ? new Refusal('email_invalid')
      : emails.length > max
        ? new Refusal('team_emails_too_many', { values: { max } })
        : null,
    limit.problem,
  );
  const role = requireRole(command.role);
  const monthlyCredits = command.monthlyCredits === undefined ? undefined : limit.credits;
  const results: InviteResult[] = [];
  for (const typed of emails) {
    try {
      const email = await inviteOne(deps, command, { typed, role, monthlyCredits });
      results.push({ email, problem: null });
    } catch (error) {
      if (!(error instanceof Refusal) || emails.length === 1) throw error;
      results.push({ email: typed, problem: error });
    }
  }
  return results;
}

/** @returns The invited address. @throws Refusal */
async function inviteOne(
  deps: App,
  command: TeamCommand,
  {
    typed,
    role,
    ...limit
  }: { typed: string; role: TeamRole; monthlyCredits: number | null | undefined },
): Promise<string> {
  const email = normaliseEmail(typed);
  if (email === null) {
    throw new Refusal('email_invalid');
  }
  const { accountId, by } = command;
  await countAttempt(deps, 'teamInvitation', accountId);
  await countAttempt(deps, 'invitedMailbox', email);
  // In lower case, like the paths to which a sign-in returns.
  const token = Buffer.from(deps.random.bytes(32)).toString('hex');
  const nowMs = deps.clock.now();
  const invited = { id: tokenHash(token), email, role, ...limit };
  const after = await changePeople(deps, command, (account) =>
    inviteMember(account, invited, nowMs),
  );
  const values = { by: by.email, team: after, role, accountId, token };
  const mail = await inviteMail(deps, email, values);
  await deps.sendMail({ ...mail, to: email, validMs: invitationMs });
  return email;
}

/** The email of an invitation, with a code that creates an account for a person who has none and may sign up. */
async function inviteMail(
  deps: App,
  email: string,
  values: MailValues['teamInvite'],
): Promise<MailContent> {
  const account = await deps.database.accounts.findByEmail(email);
  // Stored for everyone, so that timing does not reveal who has an account.
  const confirmation = { purpose: 'verify', accountId: null, email } as const;
  const coded = await openConfirmation(deps, confirmation, invitationMs);
  const mayOpenOne = deps.signUp === 'open' && deps.signInWays !== 'oidc';
  if (account?.isVerified === true || !mayOpenOne) return { kind: 'teamInvite', values };
  return { kind: 'teamInviteNew', values: { ...values, ...coded } };
}

/** Revokes an invitation; its link stops working immediately. */
export async function revokeTeamInvitation(
  deps: App,
  command: TeamCommand & { email: string },
): Promise<void> {
  await changePeople(deps, command, (account) => revokeInvitationOf(account, command.email));
}

/** An invitation with its account. */
export interface FoundInvitation {
  account: Account;
  invitation: TeamInvitation;
}

/** The invitation of a link; null if it was used, revoked, replaced or has expired. */
export async function findTeamInvitation(
  { database, clock }: Pick<App, 'database' | 'clock'>,
  { accountId, token }: { accountId: string; token: string },
): Promise<FoundInvitation | null> {
  const account = await database.accounts.find(accountId);
  const invitation = account && usableInvitation(account, tokenHash(token), clock.now());
  return account && invitation ? { account, invitation } : null;
}

/**
 * Joins a team through an invitation link, once, and only as the verified owner of the invited address.
 * @returns The account of the team.
 * @throws Refusal
 */
export async function acceptInvitation(
  deps: App,
  { accountId, token, person }: { accountId: string; token: string; person: Account },
): Promise<Account> {
  const { database, clock } = deps;
  const invitation = await findTeamInvitation(deps, { accountId, token });
  const id = tokenHash(token);
  // Check the rules for joining before writing anything.
  const marks = deps.sessionKeys.map((secret) => mailboxMark(accountId, person.email, secret));
  const join = (account: Account) => joinTeam(account, id, person, clock.now(), marks);
  if (!invitation) throw new Refusal('team_invitation_expired');
  join(invitation.account);
  await recordTeam(deps, person.id, accountId);
  const { after } = await changeAccountById(database, accountId, (account) => ({
    after: join(account),
  }));
  await deps.sendMail({
    to: after.email,
    kind: 'teamJoined',
    values: { email: person.email, role: roleIn(after, person.id) ?? 'billing' },
  });
  return after;
}

/** Records a person's team before they join, so that no team is missed. @throws Refusal */
export async function recordTeam(
  { database }: Pick<App, 'database'>,
  personId: string,
  teamId: string,
): Promise<void> {
  await changeAccountById(database, personId, (person) => {
    const { teams = [] } = person;
    if (teams.includes(teamId)) return { after: person };
    if (teams.length >= teamLimits.teams) {
      throw new Refusal('teams_full', { values: { max: teamLimits.teams } });
    }
    return { after: { ...person, teams: [...teams, teamId] } };
  });
}
