import { readFileSync } from 'node:fs';
import { Router } from '@koa/router';
import type { RequestState } from '../context.ts';
import {
  font,
  fontPath,
  htmlType,
  logo,
  pageStyle,
  script,
  staticPageHeaders,
} from '../pages/layout.ts';
import { staticAnswer } from '../answer.ts';
import type { ApiDocument } from './docs/apiDocument.ts';
import { docsMarkdown, llmsText } from './docs/docsMarkdown.ts';
import { docsPage, styleSource } from './docs/docsPage.ts';
import type { DocsFacts } from './docs/facts.ts';
import { startPage } from './startPage.ts';

/** The style of the public pages and of the account site. */
const styleSheets = ['site.css', 'gallery.css', 'studio.css'];

/** What the start page shows, drawn by scripts/samplePictures.ts. */
const startPicture = readFileSync(new URL('../../../assets/start.webp', import.meta.url));

/** The documentation has its style in the page and a script of ours. */
const docsHeaders: Readonly<Record<string, string>> = {
  ...staticPageHeaders,
  'Content-Security-Policy':
    `${staticPageHeaders['Content-Security-Policy'] ?? ''}; script-src 'self'`.replace(
      "style-src 'self'",
      `style-src ${styleSource}`,
    ),
};

/** The public pages: a welcome at `/` and the documentation at `/docs`, all made once, at the start. */
export function siteRoutes(deps: { openApi: ApiDocument; docs: DocsFacts }): Router<RequestState> {
  const { openApi, docs } = deps;
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  router.get('/', staticAnswer(startPage(openApi, docs), htmlType, staticPageHeaders));
  router.get('/docs', staticAnswer(docsPage(openApi, docs), htmlType, docsHeaders));
  router.get('/docs.md', staticAnswer(docsMarkdown(openApi, docs), 'text/markdown; charset=utf-8'));
  router.get('/llms.txt', staticAnswer(llmsText(openApi, docs), 'text/plain; charset=utf-8'));
  router.get('/site/docs.js', script('docs.js'));
  router.get('/site/site.css', pageStyle(...styleSheets));
  router.get('/site/icon.svg', logo());
  router.get('/site/start.webp', staticAnswer(startPicture, 'image/webp'));
  router.get(fontPath, font());
  return router;
}
