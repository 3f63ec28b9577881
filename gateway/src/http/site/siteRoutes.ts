import { readFileSync } from 'node:fs';
import type { Model } from '@framegate/contract';
import { Router } from '@koa/router';
import type { RequestState } from '../context.ts';
import { font, fontPath } from '../pages/font.ts';
import { htmlType, logo, pageStyle, staticPageHeaders } from '../pages/layout.ts';
import { staticAnswer } from '../answer.ts';
import type { ApiDocument } from './apiDocument.ts';
import { docsPage } from './docsPage.ts';
import { startPage } from './startPage.ts';

/** The style of the public pages and of the account site. */
const styleSheets = ['site.css', 'reference.css', 'gallery.css', 'studio.css'];

/** What the start page shows, drawn by scripts/samplePictures.ts. */
const startPicture = readFileSync(new URL('../../../assets/start.webp', import.meta.url));

/** The public pages: a welcome at `/` and the reference at `/docs`, both made once, at the start. */
export function siteRoutes(deps: {
  openApi: ApiDocument;
  basePath: string;
  /** Whether people can sign up and in here. */
  hasAccounts: boolean;
  /** Models that have a provider, with their prices. */
  models: readonly Model[];
}): Router<RequestState> {
  const { openApi, basePath } = deps;
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  const page = (text: string) => staticAnswer(text, htmlType, staticPageHeaders);
  router.get('/', page(startPage(openApi, deps)));
  router.get('/docs', page(docsPage(openApi, basePath)));
  router.get('/site/site.css', pageStyle(...styleSheets));
  router.get('/site/icon.svg', logo());
  router.get('/site/start.webp', staticAnswer(startPicture, 'image/webp'));
  router.get(fontPath, font());
  return router;
}
