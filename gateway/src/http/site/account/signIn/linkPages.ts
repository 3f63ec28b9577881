import type { Router } from '@koa/router';
import {
  findLink,
  type OpenLink,
  signInByLink,
} from '../../../../application/signIn/signInByLink.ts';
import { text } from '../../../../texts/text.ts';
import { redirect } from '../../../pages/context.ts';
import { queryOf, tokenField } from '../../../pages/elements.ts';
import { html } from '../../../pages/html.ts';
import type { Site, SiteContext, SiteState } from '../site.ts';
import { completeSignIn, notifyIfNew, showCodePage } from './codePage.ts';
import { landingPath } from './signInPages.ts';

const path = '/sign-in/link';

/**
 * Pages of sign-in links. Opening one changes nothing, and only its reader submits its form: programs that fetch links
 * in advance, some of which run scripts, do not consume it, and no one is signed in to the account of a link's sender
 * without having read its name.
 */
export function addLinkPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  router.get(path, async (ctx: SiteContext) => {
    const token = queryOf(ctx.query, ['token'])['token'] ?? '';
    const open = await findLink(deps, token);
    if (open === null) showExpired(site, ctx);
    else if (ctx.state.person?.id === open.account.id) redirect(ctx, open.returnTo ?? landingPath);
    else showButton(site, ctx, token, open);
  });

  router.post(path, async (ctx: SiteContext) => {
    const used = await signInByLink(deps, ctx.state.form.get('token'));
    if (used === null) {
      showExpired(site, ctx);
      return;
    }
    const { next, returnTo } = used;
    if ('proof' in next) {
      showCodePage(site, ctx, { ...next, next: returnTo ?? '' });
    } else {
      await notifyIfNew(site, ctx, next.account);
      await completeSignIn(site, ctx, next.account, {
        by: 'link',
        kept: {},
        path: returnTo ?? landingPath,
      });
    }
  });
}

function showButton(site: Site, ctx: SiteContext, token: string, { account }: OpenLink): void {
  const present = ctx.state.person;
  const content = html`<h1>${text('signIn.continueAs', { email: account.email })}</h1>
    ${present !== null && html`<p>${text('signIn.replacesSession', { email: present.email })}</p>`}
    <form action="${path}" method="post" class="card">
      ${tokenField(ctx)}
      <input type="hidden" name="token" value="${token}" />
      <button class="button" autofocus>${text('signIn.continue')}</button>
    </form>
    <p class="quiet">${text('signIn.notYourEmail')}</p>`;
  site.showPage(ctx, { title: text('signIn.continue'), content });
}

function showExpired(site: Site, ctx: SiteContext): void {
  const title = text('signIn.linkExpired');
  const content = html`<h1>${title}</h1>
    <p>${text('signIn.linkOnce')}</p>
    ${
      ctx.state.account === null
        ? html`<p><a href="/sign-in">${text('signIn.anotherWay')}</a></p>`
        : html`<p><a href="${landingPath}">${text('site.toStudio')}</a></p>`
    }`;
  site.showPage(ctx, { title, content, status: 410 });
}
