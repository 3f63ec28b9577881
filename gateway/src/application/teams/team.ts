import type { Account } from '../../domain/accounts/account.ts';
import { setMonthlyLimit } from '../../domain/credits/monthlyLimits.ts';
import { Refusal, refuseFields } from '../../domain/refusal.ts';
import { endKeysOf, liveKeysOf } from '../../domain/teams/formerMembers.ts';
import { removeMember, roleIn, setPersonLimit, setRoleOf } from '../../domain/teams/team.ts';
import { mayInTeam, type TeamAct, type TeamRole, teamRoles } from '../../domain/teams/teamRoles.ts';
import { changeAccountById } from '../accounts/changeAccount.ts';
import type { App } from '../app.ts';
import { parseCredits } from '../keys/keySpendingLimits.ts';

/** A person who acts for an account, identified by their own account. */
type Person = Pick<Account, 'id' | 'email'>;

/** A change of a team by one of its owners. */
export interface TeamCommand {
  accountId: string;
  by: Person;
}

/** Changes the people of an account, provided that the acting person is still an owner. @throws Refusal */
export async function changePeople(
  { database }: Pick<App, 'database'>,
  { accountId, by }: TeamCommand,
  change: (account: Account) => Account,
  act: TeamAct = 'manage people',
): Promise<Account> {
  const { after } = await changeAccountById(database, accountId, (account) => {
    const role = roleIn(account, by.id);
    if (role === null || !mayInTeam(role, act)) {
      throw new Refusal('team_owners_only');
    }
    return { after: change(account) };
  });
  return after;
}

/** The role of a form. @throws Refusal */
export function requireRole(typed: string): TeamRole {
  const role = teamRoles.find((each) => each === typed);
  if (role === undefined) throw new Refusal('team_role_missing');
  return role;
}

/** An account that a person can act for. */
export type TeamChoice = Pick<Account, 'id' | 'teamName' | 'email'> & { role: TeamRole };

/** The teams of a person, excluding their own account. */
export async function findTeams(
  { database }: Pick<App, 'database'>,
  { id, teams = [], status }: Pick<Account, 'id' | 'teams' | 'status'>,
): Promise<TeamChoice[]> {
  if (teams.length === 0 || status !== 'active') return [];
  const people = await database.accounts.findPeople(teams);
  return people.flatMap((team) => {
    const role = roleIn(team, id);
    return role === null ? [] : [{ ...team, role }];
  });
}

/** Changes a member's role. @throws Refusal */
export async function setMemberRole(
  deps: App,
  command: TeamCommand & { memberId: string; role: string },
): Promise<void> {
  const role = requireRole(command.role);
  await changePeople(deps, command, (account) => setRoleOf(account, command.memberId, role));
}

/**
 * Sets or removes the monthly limit of a member, or of a former one's keys, in credits, from the next create. Credits
 * spent this month under a limit count; spending without a limit was not counted.
 * @param command.monthlyCredits As typed; empty for unlimited.
 * @throws Refusal
 */
export async function setMemberLimit(
  deps: App,
  command: TeamCommand & { memberId: string; monthlyCredits: string },
): Promise<number | null> {
  const { credits, problem } = parseCredits('monthlyCredits', command.monthlyCredits);
  refuseFields(problem);
  await changePeople(deps, command, (account) =>
    setPersonLimit(account, command.memberId, (holder) => setMonthlyLimit(holder, credits)),
  );
  return credits;
}

/** The fate of a former member's keys: revoked, or kept within the former limit. */
export type KeysLeft = 'revoke' | 'keep';

/** Removes a member, whose sessions are refused immediately. @throws Refusal */
export async function removeFromTeam(
  deps: App,
  command: TeamCommand & { memberId: string; keys: KeysLeft },
): Promise<string> {
  const { memberId, keys } = command;
  const nowMs = deps.clock.now();
  let email = '';
  const after = await changePeople(deps, command, (account) => {
    email = account.members?.find(({ id }) => id === memberId)?.email ?? '';
    const before = keys === 'revoke' ? endKeysOf(account, memberId, nowMs) : account;
    return removeMember(before, memberId, nowMs);
  });
  if (email !== '') {
    const values = { by: command.by.email, team: after };
    await deps.sendMail({ to: email, kind: 'teamRemoved', values });
  }
  return email;
}

/** Revokes the keys that a person left behind in a team. @throws Refusal */
export async function revokeKeysOf(
  deps: App,
  command: TeamCommand & { memberId: string },
): Promise<void> {
  const nowMs = deps.clock.now();
  await changePeople(deps, command, (account) => endKeysOf(account, command.memberId, nowMs));
}

/**
 * Leaves a team. An email tells its owner which keys stay.
 * @throws Refusal for the account's own person, who is its last owner.
 */
export async function leaveTeam(
  deps: App,
  { accountId, person }: { accountId: string; person: Person },
): Promise<void> {
  const { database, clock } = deps;
  const nowMs = clock.now();
  const { after } = await changeAccountById(database, accountId, (account) => ({
    after: removeMember(account, person.id, nowMs),
  }));
  const count = liveKeysOf(after, person.id, nowMs).length;
  const hasLeftNow = after.formerMembers?.some(
    ({ id, leftAt }) => id === person.id && leftAt === nowMs,
  );
  if (!hasLeftNow || count === 0) return;
  const { email } = person;
  const { language = 'en' } = await deps.notices.find(accountId);
  const values = { email, count };
  await deps.sendMail({ to: after.email, language, kind: 'teamLeft', values });
}
