import { readFileSync } from 'node:fs';
import { Router } from '@koa/router';
import type { RequestState } from '../context.ts';
import { staticAnswer } from '../staticAnswer.ts';
import type { ApiDocument } from './apiDocument.ts';
import { docsPage } from './docsPage.ts';
import { homePage } from './homePage.ts';
import { pageHeaders } from './page.ts';

/** The public pages: a welcome at `/` and the reference at `/docs`, both made once, at the start. */
export function siteRoutes(deps: {
  openApi: ApiDocument;
  basePath: string;
  /** Whether people can sign up and in here. */
  hasAccounts: boolean;
}): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  const pageType = 'text/html; charset=utf-8';
  router.get('/', staticAnswer(homePage(deps.openApi, deps.hasAccounts), pageType, pageHeaders));
  router.get('/docs', staticAnswer(docsPage(deps.openApi, deps.basePath), pageType, pageHeaders));
  router.get('/site/site.css', staticAnswer(asset('site.css'), 'text/css; charset=utf-8'));
  router.get('/site/icon.svg', staticAnswer(asset('icon.svg'), 'image/svg+xml', pageHeaders));
  return router;
}

/** A file of this folder. */
function asset(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}
