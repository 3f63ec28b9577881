import type { Router } from '@koa/router';
import {
  acceptInvitation,
  findTeamInvitation,
  type FoundInvitation,
} from '../../../application/site/team.ts';
import { PlainRefusal } from '../../../domain/refusal.ts';
import { roleIn } from '../../../domain/team.ts';
import { redirect } from '../../pages/context.ts';
import { html, time, type Html } from '../../pages/html.ts';
import { tokenField } from '../../pages/layout.ts';
import { landingOf, personOf } from './acting.ts';
import { requireAccount } from './requireAccount.ts';
import { keepNotice, type Site, type SiteContext, type SiteState } from './site.ts';

const path = '/settings/join/:account/:token';

/**
 * Pages of invitations to teams. Opening one changes nothing, so programs that look at links in advance do not use it
 * up. The link alone opens nothing: only the verified owner of the invited address can join.
 */
export function joinPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const linkOf = ({ params }: SiteContext) => ({
    accountId: params['account'] ?? '',
    token: params['token'] ?? '',
  });

  router.get(path, async (ctx: SiteContext) => {
    const found = await findTeamInvitation(deps, linkOf(ctx));
    if (found) show(site, ctx, found);
    else showOver(site, ctx);
  });

  const gate = (ctx: SiteContext, next: () => Promise<unknown>) =>
    requireAccount(site, ctx.path)(ctx, next);
  router.post(path, gate, async (ctx: SiteContext) => {
    const person = personOf(ctx);
    try {
      const team = await acceptInvitation(deps, { ...linkOf(ctx), person });
      const { session } = ctx.state;
      if (session) await deps.sessions.actFor(session.id, team.id);
      keepNotice(ctx, `You now act for ${team.email}.`);
      redirect(ctx, landingOf(roleIn(team, person.id) ?? 'billing'));
    } catch (error) {
      if (!(error instanceof PlainRefusal)) throw error;
      showOver(site, ctx, error.message);
    }
  });
}

function show(site: Site, ctx: SiteContext, found: FoundInvitation): void {
  const { account, invitation } = found;
  const content = html`<h1>Join the team of ${account.email}</h1>
    <p>
      You are invited with the role “${invitation.role}”, until ${time(invitation.until)}. You work
      there with an account of your own.
    </p>
    ${wayOf(site, ctx, found)}`;
  site.showPage(ctx, { title: 'Join a team', content });
}

/** The next step of whoever has opened an invitation. */
function wayOf({ deps }: Site, ctx: SiteContext, { invitation }: FoundInvitation): Html {
  const { person } = ctx.state;
  if (person === null) {
    return html`<p>The invitation is for <strong>${invitation.email}</strong>.</p>
      <p>
        <a class="button" href="/sign-in?next=${encodeURIComponent(ctx.path)}">Sign in</a>
        ${deps.signUp === 'open' && html`<a class="button second" href="/sign-up">Create an account</a>`}
      </p>
      ${
        deps.signUp === 'open' &&
        html`<p class="quiet">When you have made an account, open the link in the mail again.</p>`
      }`;
  }
  if (person.email !== invitation.email) {
    return html`<p role="alert">
      The invitation is for ${invitation.email}, and you are signed in as ${person.email}. Sign out,
      and open the link again with an account of that address.
    </p>`;
  }
  return html`<form action="${ctx.path}" method="post" class="card">
    ${tokenField(ctx)}
    <button class="button">Join the team</button>
  </form>`;
}

function showOver(site: Site, ctx: SiteContext, message?: string): void {
  const title = 'This invitation is not valid';
  const content = html`<h1>${title}</h1>
    <p role="alert">
      ${message ?? 'It was used, withdrawn or replaced by a newer one, or it is over.'}
    </p>
    <p>Ask the owner of the team for a new one.</p>
    <p><a href="/">To the start</a></p>`;
  site.showPage(ctx, { title, content, status: message === undefined ? 410 : 403 });
}
