import { refuseBeyond } from '../../../application/allowances.ts';
import { findTeams } from '../../../application/teams/team.ts';
import { type Account, isRecovering } from '../../../domain/accounts/account.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { KeyMaker } from '../../../domain/teams/members.ts';
import { type Authorship, mayDoTo } from '../../../domain/teams/ownWork.ts';
import { makerOf, roleIn } from '../../../domain/teams/team.ts';
import { mayInTeam, type OwnAct, type TeamRole } from '../../../domain/teams/teamRoles.ts';
import { describeRefusal } from '../../../texts/describeRefusal.ts';
import { roleName, teamLabel } from '../../../texts/teamWords.ts';
import { text } from '../../../texts/text.ts';
import { type Next, redirect } from '../../pages/context.ts';
import { html } from '../../pages/html.ts';
import { rightFor } from './pageRights.ts';
import { accessPath, factorPath } from './settingsPaths.ts';
import { accountOf, type Site, type SiteContext } from './site.ts';

/** The person's own account, for their own settings. @throws Error on a route without `requireSignedIn`. */
export function personOf(ctx: SiteContext): Account {
  if (ctx.state.person === null) throw new Error('the route does not require an account');
  return ctx.state.person;
}

/** The person as a member of another's account; undefined in their own. */
export function memberOf(ctx: SiteContext): KeyMaker | undefined {
  const person = personOf(ctx);
  return person.id === accountOf(ctx).id ? undefined : makerOf(person);
}

/** Requests per minute of one signed-in person in all browsers. */
export const pagesPerMinute = 600;

/** Takes a page from the allowance of the person, even if no slot will be free. @throws Refusal `rate_limited`. */
export function limitPages({ deps: { allowances } }: Site) {
  return ({ state: { session } }: SiteContext, next: Next): Promise<unknown> => {
    if (session) {
      const waitSeconds = allowances.take(session.accountId, 'pages', pagesPerMinute);
      refuseBeyond('pages', pagesPerMinute, waitSeconds);
    }
    return next();
  };
}

/** Loads the person of the session, and the account that they act for. */
export function loadAccount({ deps }: Site) {
  return async (ctx: SiteContext, next: Next): Promise<void> => {
    const { session } = ctx.state;
    if (session) {
      const { visitor } = session;
      // An unverified account may belong to someone else, so its sessions are not valid.
      const person = visitor?.isVerified === true ? visitor : null;
      const teams = person ? await findTeams(deps, person) : [];
      Object.assign(ctx.state, { person, account: person, teams });
      if (person && session.actsFor !== null) await actForTeam(deps, ctx, session.actsFor);
      const isAsked = deps.customersNeedSecondFactor || ctx.state.account?.teamNeedsFactor === true;
      if (person && isAsked) {
        ctx.state.lacksFactor = (await deps.customerFactors.find(person.id)) === null;
      }
    }
    await (ctx.state.person ? deps.actor.inNameOf(ctx.state.person, next) : next());
  };
}

/** Acts for a team if the person still belongs to it. */
async function actForTeam(
  { database }: Site['deps'],
  ctx: SiteContext,
  teamId: string,
): Promise<void> {
  const { state } = ctx;
  const person = personOf(ctx);
  // A form opened for one account must not be sent for another.
  state.formScope = teamId;
  // Without the team in the person's own list, the membership belonged to the former owner of the account.
  const mayAct = person.status === 'active' && person.teams?.includes(teamId) === true;
  const team = mayAct ? await database.accounts.find(teamId) : null;
  const role = team && roleIn(team, person.id);
  if (!team || !role) {
    state.hasLostTeam = true;
    return;
  }
  state.account = team;
  state.role = role;
}

/** Why the person may not do this; null if they may. */
function refusalFor({ state, method, path }: SiteContext): Refusal | null {
  const { person, account, role } = state;
  if (state.hasLostTeam) return new Refusal('team_lost');
  if (person === null || account === null) return null;
  const right = rightFor(method, path);
  if (right === 'own') return null;
  if (state.lacksFactor) {
    return account.teamNeedsFactor === true && account.id !== person.id
      ? new Refusal('team_needs_factor', { values: { team: teamLabel(account) } })
      : new Refusal('account_needs_factor');
  }
  if (person.id === account.id) return null;
  if (!mayInTeam(role, right)) {
    const values = { role: roleName(role) };
    return method === 'POST'
      ? new Refusal('team_role_lacks_right', { values })
      : new Refusal('team_role_lacks_page', { values });
  }
  const keyId = /^\/settings\/public-api\/keys\/([^/]+)/.exec(path)?.[1];
  if (keyId !== undefined && !mayInTeam(role, 'manage all keys')) {
    const isOwn = account.keys.some(({ id, madeBy }) => id === keyId && madeBy?.id === person.id);
    if (!isOwn) return new Refusal('key_of_another');
  }
  return null;
}

/** Refuses files before they are read. @throws Refusal */
export function requireRight(ctx: SiteContext): void {
  const problem = refusalFor(ctx);
  if (problem !== null) throw problem;
}

/** Whether the person may act on this item of the account. */
export function mayActOn(ctx: SiteContext, act: OwnAct, thing: Authorship): boolean {
  return mayDoTo(accountOf(ctx), personOf(ctx).id, act, thing);
}

/** @throws Refusal */
export function requireMayActOn(ctx: SiteContext, act: OwnAct, thing: Authorship): void {
  if (!mayActOn(ctx, act, thing)) throw new Refusal('work_of_another');
}

/** Pages that stay open until a person has decided about the access of others. */
const whileRecovering =
  /^\/(settings\/access|sign-in|sign-out|confirm|forgotten-password|language)(\/|$)/;

/**
 * Middleware that refuses actions which the person's role in the team does not allow, and leads a person who takes the
 * account back to the page of its access.
 */
export function guardRights({ deps, showPage }: Site) {
  return async (ctx: SiteContext, next: Next): Promise<void> => {
    const { session, role, hasLostTeam, person, account } = ctx.state;
    if (person && person === account && isRecovering(person) && !whileRecovering.test(ctx.path)) {
      redirect(ctx, accessPath);
      return;
    }
    const problem = refusalFor(ctx);
    if (problem === null) {
      await next();
      return;
    }
    if (hasLostTeam && session) {
      await deps.sessions.actFor(session.id, null);
    } else if (isLedElsewhere(ctx)) {
      redirect(ctx, landingOf(role));
      return;
    }
    const { lacksFactor } = ctx.state;
    const title = text(lacksFactor ? 'secondFactor.neededTitle' : 'team.noAccess');
    const [way, words] = lacksFactor
      ? ([factorPath, 'team.turnOnFactor'] as const)
      : ([landingOf(role), 'signIn.continue'] as const);
    const content = html`<h1>${title}</h1>
      <p role="alert">${describeRefusal(problem)}</p>
      <p><a class="button" href="${way}">${text(words)}</a></p>`;
    showPage(ctx, { title, content, status: 403 });
  };
}

/** A page after the sign-in that the role does not have. */
function isLedElsewhere({ method, path, state: { role, lacksFactor } }: SiteContext): boolean {
  if (method !== 'GET' || path !== '/studio' || lacksFactor) return false;
  return !mayInTeam(role, 'create') && mayInTeam(role, 'see credits');
}

/** The first page of a role. */
export function landingOf(role: TeamRole): string {
  return mayInTeam(role, 'create') ? '/studio' : '/credits';
}
