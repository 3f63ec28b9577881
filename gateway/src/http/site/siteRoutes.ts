import { Router } from '@koa/router';
import type { RequestState } from '../context.ts';
import { html } from '../pages/html.ts';
import { htmlType, icon, renderDocument, staticPageHeaders, styleSheet } from '../pages/layout.ts';
import { staticAnswer } from '../answer.ts';
import type { ApiDocument } from './apiDocument.ts';
import { docsPage } from './docsPage.ts';

/** The style of the public pages and of the account site. */
const styleSheets = [
  'base.css',
  'site.css',
  'reference.css',
  'forms.css',
  'account.css',
  'keys.css',
  'studio.css',
];

/** The public pages: a welcome at `/` and the reference at `/docs`, both made once, at the start. */
export function siteRoutes(deps: {
  openApi: ApiDocument;
  basePath: string;
  /** Whether people can sign up and in here. */
  hasAccounts: boolean;
}): Router<RequestState> {
  const { openApi, basePath, hasAccounts } = deps;
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  const page = (text: string) => staticAnswer(text, htmlType, staticPageHeaders);
  router.get('/', page(homePage(openApi, hasAccounts)));
  router.get('/docs', page(docsPage(openApi, basePath)));
  router.get('/site/site.css', styleSheet(...styleSheets));
  router.get('/site/icon.svg', icon());
  return router;
}

/** The page at `/`: what this is, and where to go. */
function homePage(api: ApiDocument, hasAccounts: boolean): string {
  return renderDocument({
    title: 'Framegate',
    stylesheet: '/site/site.css',
    body: html`<main class="welcome">
      <img src="/site/icon.svg" alt="" width="72" height="72" />
      <h1>Framegate</h1>
      <p>Create videos and images through one small API, and pay with your credits.</p>
      ${
        hasAccounts &&
        html`<p>
          <a class="button" href="/sign-up">Create an account</a>
          <a class="button second" href="/sign-in">Sign in</a>
        </p>`
      }
      <p>
        <a class="${hasAccounts ? '' : 'button'}" href="/docs">Read the API reference</a>
      </p>
      <p class="address">The API is at <code>${api.servers[0]?.url}</code></p>
    </main>`,
  });
}
