import { readFileSync } from 'node:fs';
import { Router } from '@koa/router';
import { refuseBeyond } from '../../../application/allowances.ts';
import { FormProblem } from '../../../application/site/formProblem.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { HttpApp, HttpMiddleware } from '../../context.ts';
import { describeError, isClientGone } from '../../describeError.ts';
import { headersOf, refusalFor, statusOf } from '../../presentRefusal.ts';
import { staticAnswer } from '../../staticAnswer.ts';
import { creditPages } from './creditPages.ts';
import { guardForms, StaleForm } from './guardForms.ts';
import { historyPages } from './historyPages.ts';
import { keyPages } from './keyPages.ts';
import { createRenderer } from './render.ts';
import { settingsPages } from './settingsPages.ts';
import { siteSessions, signedIn } from './sessions.ts';
import { signInPages } from './signInPages.ts';
import { signUpPages } from './signUpPages.ts';
import type { AccountSite, Site } from './site.ts';
import type { SiteContext, SiteState } from './siteContext.ts';
import { studioPages } from './studioPages.ts';

type Next = () => Promise<unknown>;

/** Pages and forms of one signed-in account in a minute, all its browsers together. */
export const pagesPerMinute = 600;

/** The account site: everything behind a sign-in, and the ways there. */
export function accountRoutes(app: HttpApp, account: AccountSite): HttpMiddleware {
  const { deps, addresses, log } = account;
  const now = () => deps.clock.now();
  const site: Site = { ...account, show: createRenderer({ mediaUrl: addresses.mediaUrl, now }) };
  const secure = deps.accountUrl.startsWith('https:');
  app.keys = deps.secrets.map(({ secret }) => secret);

  const router = new Router<SiteState>({ sensitive: true, strict: true });
  const script = readFileSync(new URL('../site.js', import.meta.url), 'utf8');
  router.get('/site/site.js', staticAnswer(script, 'text/javascript; charset=utf-8'));
  for (const { name, bytes } of account.samples) {
    router.get(`/site/samples/${name}`, (ctx) => {
      ctx.set({ 'Content-Type': 'image/jpeg', 'Cache-Control': 'private, max-age=3600' });
      ctx.body = bytes;
    });
  }
  const pages = new Router<SiteState>({ sensitive: true, strict: true });
  pages.use(async (ctx: SiteContext, next: Next) => {
    // The proxy in front has seen to https; the cookies' library sees the connection behind it only.
    if (secure) ctx.cookies.secure = true;
    Object.assign(ctx.state, { account: null, sessionId: null, formToken: '' });
    await answerTrouble(site, ctx, next, log);
  });
  pages.use(siteSessions(app, { store: deps.sessions, clock: deps.clock, secure }));
  pages.use(async (ctx: SiteContext, next: Next) => {
    const session = signedIn(ctx);
    if (session) {
      const waitSeconds = account.allowances.take(session.accountId, 'pages', pagesPerMinute);
      refuseBeyond('pages', pagesPerMinute, waitSeconds);
      const found = await deps.database.accounts.find(session.accountId);
      // Until its address is verified an account may be a stranger's: no session of it is good.
      ctx.state.account = found?.verified === true ? found : null;
      ctx.state.sessionId = session.sessionId;
    }
    await next();
  });
  pages.use(guardForms({ secrets: deps.secrets, accountUrl: deps.accountUrl }));
  signUpPages(pages, site);
  signInPages(pages, site);
  settingsPages(pages, site);
  keyPages(pages, site);
  creditPages(pages, site);
  historyPages(pages, site);
  studioPages(pages, site);
  router.use(pages.routes());
  // The site's own state is set by its first steps.
  return router.routes() as unknown as HttpMiddleware;
}

/** Shows a page for what goes wrong outside a form. */
async function answerTrouble(
  site: Site,
  ctx: SiteContext,
  next: Next,
  log: AccountSite['log'],
): Promise<void> {
  try {
    await next();
  } catch (error) {
    if (isClientGone(error)) throw error;
    const stale = error instanceof StaleForm;
    const own = error instanceof FormProblem;
    if (!stale && !own && !(error instanceof Refusal)) {
      const fields = { requestId: ctx.state.requestId, err: describeError(error) };
      if (site.deps.database.isTrouble(error)) log.warn(fields, 'database out of reach');
      else log.error(fields, 'page failed');
    }
    const refusal = refusalFor(error, site.deps.database.isTrouble);
    if (!stale && !own) ctx.set(headersOf(refusal));
    const status = stale ? 403 : own ? error.status : statusOf(refusal);
    const message = stale
      ? 'This form is too old, or cookies are switched off. Go back, load the page again and send it once more: nothing has been done.'
      : own
        ? error.message || Object.values(error.fields).join(' ')
        : (pageWords[refusal.code] ?? refusal.message);
    site.show(ctx, 'trouble', { title: titles[status] ?? 'That did not work', message }, status);
  }
}

const titles: Readonly<Record<number, string>> = {
  404: 'There is no such page',
  403: 'Please send that again',
  429: 'Too many pages at once',
  500: 'Something went wrong on our side',
};

/** Where the catalogue's words are meant for a program. */
const pageWords: Readonly<Record<string, string>> = {
  generation_not_found: 'There is no such generation in your account.',
  service_unavailable:
    'The database does not answer at the moment. Try again in a few seconds: a form that is sent twice does nothing twice.',
  internal_error: 'Nothing that you did caused it. Try again; if it stays, tell support.',
};
