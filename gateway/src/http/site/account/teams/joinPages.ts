import type { Router } from '@koa/router';
import {
  acceptInvitation,
  findTeamInvitation,
  type FoundInvitation,
} from '../../../../application/teams/teamInvitations.ts';
import { Refusal } from '../../../../domain/refusal.ts';
import { roleIn } from '../../../../domain/teams/team.ts';
import { describeRefusal } from '../../../../texts/describeRefusal.ts';
import { roleName, teamLabel } from '../../../../texts/teamWords.ts';
import { text } from '../../../../texts/text.ts';
import { redirect } from '../../../pages/context.ts';
import { tokenField, urlOf } from '../../../pages/elements.ts';
import { type Html, html, richText, time } from '../../../pages/html.ts';
import { landingOf, personOf } from '../acting.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import { keepNotice, type Site, type SiteContext, type SiteState } from '../site.ts';

const path = '/settings/join/:account/:token';

/**
 * Pages of invitations to teams. Opening one changes nothing, so programs that fetch links in advance do not consume
 * it. The link alone grants nothing: only the verified owner of the invited address can join.
 */
export function addJoinPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const linkOf = ({ params }: SiteContext) => ({
    accountId: params['account'] ?? '',
    token: params['token'] ?? '',
  });

  router.get(path, async (ctx: SiteContext) => {
    const invitation = await findTeamInvitation(deps, linkOf(ctx));
    if (invitation) show(site, ctx, invitation);
    else showExpired(site, ctx);
  });

  router.post(path, requireSignedIn(site), async (ctx: SiteContext) => {
    const person = personOf(ctx);
    try {
      const team = await acceptInvitation(deps, { ...linkOf(ctx), person });
      const { session } = ctx.state;
      if (session) await deps.sessions.actFor(session.id, team.id);
      keepNotice(ctx, text('team.nowFor', { team: teamLabel(team) }));
      redirect(ctx, landingOf(roleIn(team, person.id) ?? 'billing'));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      showExpired(site, ctx, describeRefusal(error));
    }
  });
}

function show(site: Site, ctx: SiteContext, foundInvitation: FoundInvitation): void {
  const { account, invitation } = foundInvitation;
  const content = html`<h1>${text('team.joinTitle', { team: teamLabel(account) })}</h1>
    <p>
      ${richText('team.joinIntro', { role: roleName(invitation.role), time: time(invitation.until) })}
    </p>
    ${wayOf(site, ctx, foundInvitation)}`;
  site.showPage(ctx, { title: text('team.joinPage'), content });
}

/** The next step for a person who has opened an invitation. */
function wayOf({ deps }: Site, ctx: SiteContext, { invitation }: FoundInvitation): Html {
  const { person } = ctx.state;
  if (person === null) {
    return html`<p>
        ${richText('team.joinFor', { email: html`<strong>${invitation.email}</strong>` })}
      </p>
      <p>
        <a class="button" href="${urlOf('/sign-in', { next: ctx.path })}">${text('site.signIn')}</a>
      </p>
      ${
        deps.signUp === 'open' &&
        deps.signInWays !== 'oidc' &&
        html`<form action="/sign-up" method="post">
          ${tokenField(ctx)}<input type="hidden" name="email" value="${invitation.email}" />
          <input type="hidden" name="next" value="${ctx.path}" />
          <button class="second">${text('signUp.title')}</button>
        </form>`
      }`;
  }
  if (person.email !== invitation.email) {
    return html`<p role="alert">
      ${text('team.joinOther', { email: invitation.email, own: person.email })}
    </p>`;
  }
  return html`<form action="${ctx.path}" method="post" class="card">
    ${tokenField(ctx)}
    <button class="button">${text('team.join')}</button>
  </form>`;
}

function showExpired(site: Site, ctx: SiteContext, message?: string): void {
  const title = text('team.invitationExpiredTitle');
  const content = html`<h1>${title}</h1>
    <p role="alert">${message ?? text('team.invitationExpired')}</p>
    <p>${text('team.askOwner')}</p>
    <p><a href="/">${text('site.toStart')}</a></p>`;
  site.showPage(ctx, { title, content, status: message === undefined ? 410 : 403 });
}
