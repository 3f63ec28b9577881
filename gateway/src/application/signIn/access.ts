import type { Account } from '../../domain/accounts/account.ts';
import type { ApiKey } from '../../domain/accounts/apiKey.ts';
import { type AccessToEnd, endChosen } from '../../domain/signIn/recovery.ts';
import { sessionIdleMs } from '../../domain/signIn/session.ts';
import { endKeyOf, liveKeysOf } from '../../domain/teams/formerMembers.ts';
import { changeAccountById } from '../accounts/changeAccount.ts';
import type { App } from '../app.ts';
import type { KeyUse, Session } from '../ports/site.ts';
import type { Share } from '../ports/wall.ts';

/** Maximum number of public links listed at once; the rest follows when these are revoked. */
const maxShownLinks = 100;

/** Access to an account that is stored outside its own document. */
export interface ExternalAccess {
  sessions: Session[];
  links: Share[];
  /** Working keys that the account's person made in teams. */
  teamKeys: TeamKey[];
  /** Last uses of keys by their ids. */
  uses: Map<string, KeyUse>;
}

/** A key in another account. */
export interface TeamKey {
  team: Pick<Account, 'id' | 'email'>;
  key: ApiKey;
}

/** Lists the access to an account that is stored outside its own document. */
export async function listAccess(
  deps: Pick<App, 'database' | 'clock' | 'sessions' | 'shares' | 'keyUses'>,
  account: Account,
): Promise<ExternalAccess> {
  const { id, keys } = account;
  const teamKeys = await loadTeamKeys(deps, account);
  return {
    sessions: await deps.sessions.list(id, sessionIdleMs),
    links: await deps.shares.listOfAccount(id, maxShownLinks),
    teamKeys,
    uses: await deps.keyUses.find(
      [...keys, ...teamKeys.map(({ key }) => key)].map((key) => key.id),
    ),
  };
}

/** Working keys that a person made in teams, also in those that the person has left. */
async function loadTeamKeys(
  { database, clock }: Pick<App, 'database' | 'clock'>,
  { id, teams = [] }: Pick<Account, 'id' | 'teams'>,
): Promise<TeamKey[]> {
  const accounts = await Promise.all(teams.map((team) => database.accounts.find(team)));
  const nowMs = clock.now();
  return accounts.flatMap((team) =>
    team ? liveKeysOf(team, id, nowMs).map((key) => ({ team, key })) : [],
  );
}

/** Whether anything is open in addition to an account's own document that its person should see after a reset. */
export async function hasExternalAccess(
  deps: Pick<App, 'database' | 'clock' | 'shares'>,
  accountId: string,
): Promise<boolean> {
  if ((await deps.shares.listOfAccount(accountId, 1)).length > 0) return true;
  const account = await deps.database.accounts.find(accountId);
  return account !== null && (await loadTeamKeys(deps, account)).length > 0;
}

/**
 * Ends the access that a person has selected in their own account. After a password reset, this also lifts the
 * account's hold.
 * @param chosen.links Ids of generations; `all` revokes every link.
 * @param chosen.teamKeys Ids of keys; those of others are left alone.
 * @param chosen.sessions Ids of sessions; those of others are left alone.
 */
export async function endChosenAccess(
  deps: Pick<App, 'database' | 'clock' | 'actor' | 'sessions' | 'shares'>,
  accountId: string,
  chosen: AccessToEnd & {
    links: readonly string[];
    teamKeys: readonly string[];
    sessions: readonly string[];
  },
): Promise<void> {
  const { database, clock, actor, sessions, shares } = deps;
  const nowMs = clock.now();
  const links = chosen.links.includes('all') ? 'all' : chosen.links;
  if (links.length > 0) await shares.remove(accountId, links, actor.signature(nowMs));
  const own = await sessions.list(accountId, sessionIdleMs);
  for (const { id } of own) if (chosen.sessions.includes(id)) await sessions.remove(id);
  const person = chosen.teamKeys.length > 0 && (await database.accounts.find(accountId));
  const teamKeys = person ? await loadTeamKeys(deps, person) : [];
  for (const { team, key } of teamKeys.filter((each) => chosen.teamKeys.includes(each.key.id))) {
    await changeAccountById(database, team.id, (account) => ({
      after: endKeyOf(account, key.id, accountId, nowMs),
    }));
  }
  // Last, because it lifts the account's hold.
  await changeAccountById(database, accountId, (account) => ({
    after: endChosen(account, chosen, nowMs),
  }));
}
