import type { Router } from '@koa/router';
import { type FixedKey, text } from '../../../texts/text.ts';
import { atWork, needsNoSlot, routesOf } from '../../atWork.ts';
import { compressPage } from '../../compressPage.ts';
import type { HttpApp, HttpMiddleware } from '../../context.ts';
import { requireTimeOfForms } from '../../middleware/everyRequest.ts';
import { script, styleSheet } from '../../pages/assetFiles.ts';
import { createPartCache } from '../../pages/cachedParts.ts';
import { beginPage, guardForms, type Next, redirect } from '../../pages/context.ts';
import { cookieKeys } from '../../pages/cookieKeys.ts';
import { errorPages, type ShownError } from '../../pages/errorPages.ts';
import { html } from '../../pages/html.ts';
import { speakLanguage } from '../../pages/languageChoice.ts';
import type { ResponseDeps } from '../../respondToErrors.ts';
import { strictRouter } from '../../strictRouter.ts';
import { guardRights, limitPages, loadAccount, requireRight } from './acting.ts';
import { actingForNobody } from './actingState.ts';
import { addGenerationPages } from './generations/generationPages.ts';
import { addHistoryPages } from './generations/historyPages.ts';
import { addSharedLinksPage } from './generations/sharedLinksPage.ts';
import { sharedPage } from './generations/sharedPage.ts';
import { addSharePages } from './generations/sharePages.ts';
import { createZipResponse } from './generations/zipResponse.ts';
import { addKeyPages } from './keys/keyPages.ts';
import { createShowPage } from './layout.ts';
import { requestIdLine } from './outsideLinks.ts';
import { samplePath } from './pictures.ts';
import { addAccessPages } from './settings/accessPages.ts';
import { addCreditPages } from './settings/creditPages.ts';
import { addEmailPages } from './settings/emailPages.ts';
import { addErasurePages } from './settings/erasurePages.ts';
import { addExportPages } from './settings/exportPages.ts';
import { addLanguagePage } from './settings/languagePage.ts';
import { addSettingsPages } from './settings/settingsPages.ts';
import { addLinkPages } from './signIn/linkPages.ts';
import { addSecondFactorPages } from './signIn/secondFactorPages.ts';
import { addSignInPages } from './signIn/signInPages.ts';
import { addSignOnPages } from './signIn/signOnPages.ts';
import { addSignUpPages } from './signIn/signUpPages.ts';
import {
  type AccountSite,
  atWorkOnSite,
  loadSession,
  type Site,
  type SiteContext,
  type SiteState,
} from './site.ts';
import { addStartedPromptRoute } from './studio/startedPrompt.ts';
import { addStudioPages } from './studio/studioPages.ts';
import { addUploadPreviews, receiveUploads } from './studio/studioUploads.ts';
import { addJoinPages } from './teams/joinPages.ts';
import { addTeamLogPages } from './teams/teamLogPages.ts';
import { addTeamPages } from './teams/teamPages.ts';
import { addTeamSettingsPages } from './teams/teamSettingsPages.ts';
import { addWallPages } from './wall/wallPages.ts';

/** Some thousand generations: 16 to 32 MB of memory. */
const maxCachedCharacters = 16_000_000;

const signedOut = { session: null, account: null, inputProblems: {} };

/** Routes of the account site, including sign-in and sign-up. */
export function accountRoutes(app: HttpApp, account: AccountSite): HttpMiddleware {
  const { deps } = account;
  const responseDeps = { log: deps.log, isDatabaseTrouble: deps.database.isTrouble };
  const cachePart = createPartCache(maxCachedCharacters);
  const site: Site = { ...account, cachePart, showPage: createShowPage(account) };
  app.keys = cookieKeys(deps.sessionKeys);

  const router = strictRouter<SiteState>();
  const files = strictRouter<SiteState>();
  files.use(needsNoSlot);
  const everywhere = ['base.js', 'site.js', 'progress.js'];
  files.get('/site/site.js', script(...everywhere));
  const studio = ['../generated/priceCredits.js', 'composer.js', 'feed.js'];
  files.get('/site/studio.js', script(...everywhere, ...studio));
  files.get('/site/later.js', script('later.js'));
  files.get('/site/studio.css', styleSheet('feed.css', 'composer.css', 'choices.css'));
  files.get('/site/wall.js', script(...everywhere, 'wall.js'));
  files.get('/site/wall.css', styleSheet('wall.css'));
  for (const { name, poster } of account.samples) {
    files.get(samplePath(name), (ctx) => {
      ctx.set({ 'Content-Type': 'image/webp', 'Cache-Control': 'private, max-age=3600' });
      ctx.body = poster;
    });
  }

  for (const each of [files, sharedPage(site, responseDeps), sitePages(site, responseDeps)]) {
    router.use(routesOf(each));
  }
  // `beginPage` sets the site's own state.
  return router.routes() as unknown as HttpMiddleware;
}

/** The pages and forms that know who is signed in; each has its line in `pageRights`. */
export function sitePages(site: Site, responseDeps: ResponseDeps): Router<SiteState> {
  const { deps } = site;
  const pages = strictRouter<SiteState>();
  pages.use(beginPage(deps, { ...signedOut, ...actingForNobody }));
  pages.use(speakLanguage(site.deps.brand.languages));
  pages.use(errorPages({ deps: responseDeps, show: showError(site) }));
  pages.use(requireTimeOfForms(deps.clock));
  pages.use(loadSession(deps.sessions));
  pages.use(limitPages(site));
  const work = atWorkOnSite(site);
  const isForm = (ctx: SiteContext) => ctx.method === 'POST';
  pages.use(atWork(work, 'page', (ctx) => !isForm(ctx)));
  pages.use(loadAccount(site));
  addStartedPromptRoute(pages, site);
  addLanguagePage(pages, site);
  const receive = receiveUploads(site);
  pages.use(
    guardForms(deps, (ctx: SiteContext, requireToken) => {
      requireRight(ctx);
      return receive(ctx, requireToken);
    }),
  );
  // A form takes its slot once it has arrived: a slow sender holds none.
  pages.use(atWork(work, 'page', isForm));
  pages.use(compressPage);
  pages.use(guardRights(site));
  if (deps.signInWays === 'oidc') pages.use(forbidPasswords);
  addSignUpPages(pages, site);
  addSignInPages(pages, site);
  addLinkPages(pages, site);
  addSignOnPages(pages, site);
  addSettingsPages(pages, site);
  addAccessPages(pages, site);
  addErasurePages(pages, site);
  addExportPages(pages, site);
  addEmailPages(pages, site);
  addSecondFactorPages(pages, site);
  addKeyPages(pages, site);
  addTeamPages(pages, site);
  addTeamLogPages(pages, site);
  addTeamSettingsPages(pages, site);
  addJoinPages(pages, site);
  addCreditPages(pages, site);
  addHistoryPages(pages, site);
  const zip = createZipResponse(site);
  addWallPages(pages, site, zip);
  addGenerationPages(pages, site, zip);
  addStudioPages(pages, site);
  addUploadPreviews(pages, site);
  addSharePages(pages, site);
  addSharedLinksPage(pages, site);
  return pages;
}

/** Password pages and forms, which lead to the sign-in if there are no passwords. */
const passwordPaths = /^\/(sign-up|forgotten-password|confirm\/.*|settings\/account\/password)$/;

async function forbidPasswords(ctx: SiteContext, next: Next): Promise<void> {
  const isForm = ctx.path === '/sign-in' && ctx.method === 'POST';
  if (isForm || passwordPaths.test(ctx.path)) redirect(ctx, '/sign-in');
  else await next();
}

function showError(site: Site) {
  return (ctx: SiteContext, { status, message }: ShownError): void => {
    const title = text(titles[status] ?? 'errors.failed');
    const isSignedIn = ctx.state.account !== null;
    const content = html`<h1>${title}</h1>
      <p>${message}</p>
      ${requestIdLine(site.deps.outsideLinks, ctx.state.requestId)}
      <p>
        <a href="${isSignedIn ? '/studio' : '/'}"
          >${isSignedIn ? text('site.toStudio') : text('site.toStart')}</a
        >
      </p>`;
    site.showPage(ctx, { title, content, status });
  };
}

const titles: Readonly<Record<number, FixedKey>> = {
  404: 'errors.notFound',
  403: 'errors.sendAgain',
  429: 'errors.tooMany',
  500: 'errors.internal',
};
