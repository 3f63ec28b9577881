import { readFileSync } from 'node:fs';
import { Router } from '@koa/router';
import type { Brand } from '../../domain/brand.ts';
import type { Language } from '../../domain/language.ts';
import type { Showpiece } from '../../domain/showpiece.ts';
import { inLanguage } from '../../texts/language.ts';
import { staticAnswer, type HttpMiddleware, type RequestState } from '../context.ts';
import { languageOf } from '../pages/languageChoice.ts';
import { logoRoutes } from '../pages/brand.ts';
import { font, fontPath, htmlType, pageStyle, script, staticPageHeaders } from '../pages/layout.ts';
import type { ApiDocument } from './docs/apiDocument.ts';
import { docsMarkdown, llmsText } from './docs/docsMarkdown.ts';
import { docsPage, styleSource } from './docs/docsPage.ts';
import type { DocsFacts } from './docs/facts.ts';
import { startPage } from './startPage.ts';
import { showpieceAnswers, type Showcase } from './showpieceFiles.ts';

/** Style sheets of the public pages and the account site. */
const styleSheets = ['site.css', 'gallery.css'];

/** Picture of the start page, drawn by scripts/samplePictures.ts. */
const startPicture = readFileSync(new URL('../../../assets/start.webp', import.meta.url));

/** The start page has a form, and may have clips with a script. */
const startHeaders: Readonly<Record<string, string>> = {
  ...staticPageHeaders,
  'Content-Security-Policy': (staticPageHeaders['Content-Security-Policy'] ?? '').replace(
    "form-action 'none'",
    "form-action 'self'; script-src 'self'; media-src 'self'",
  ),
  // With "no-referrer", browsers would send "Origin: null" with our own form.
  'Referrer-Policy': 'same-origin',
};

/** The documentation has an inline style sheet and a script. */
const docsHeaders = (brand: Brand): Readonly<Record<string, string>> => ({
  ...staticPageHeaders,
  'Content-Security-Policy':
    `${staticPageHeaders['Content-Security-Policy'] ?? ''}; script-src 'self'`.replace(
      "style-src 'self'",
      `style-src ${styleSource(brand)}`,
    ),
});

/** Public pages: start page and documentation, rendered when the process starts and when models or prices change. */
export function siteRoutes(deps: {
  brand: Brand;
  openApi: ApiDocument;
  /** The same object until a fact changes. */
  docs: () => DocsFacts;
  /** Languages of the start page. */
  languages: readonly Language[];
  /** Results shown on the start page. */
  showcase?: Showcase;
}): Router<RequestState> {
  const { openApi } = deps;
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  const { list = () => Promise.resolve([]) } = deps.showcase ?? {};
  type Render = (docs: DocsFacts, showpieces: readonly Showpiece[]) => HttpMiddleware;
  const page = (render: Render, shows = false): HttpMiddleware => {
    let shown: { docs?: DocsFacts; showpieces: readonly Showpiece[] } = { showpieces: [] };
    let answer: HttpMiddleware = () => undefined;
    return async (ctx, next) => {
      const docs = deps.docs();
      const showpieces = shows ? await list() : shown.showpieces;
      if (docs !== shown.docs || showpieces !== shown.showpieces) {
        [shown, answer] = [{ docs, showpieces }, render(docs, showpieces)];
      }
      await answer(ctx, next);
    };
  };
  const markdown = 'text/markdown; charset=utf-8';
  const plain = 'text/plain; charset=utf-8';
  const startPages = new Map(
    deps.languages.map((language) => {
      const start = (docs: DocsFacts, showpieces: readonly Showpiece[]) =>
        inLanguage(language, () => startPage(openApi, docs, deps.languages, showpieces));
      const answer = (...given: Parameters<typeof start>) =>
        staticAnswer(start(...given), htmlType, startHeaders);
      return [language, page(answer, true)];
    }),
  );
  router.get('/', async (ctx, next) => {
    await startPages.get(languageOf(ctx, deps.languages))?.(ctx, next);
    ctx.vary('Accept-Language, Cookie');
  });
  router.get(
    '/docs',
    page((docs) => staticAnswer(docsPage(openApi, docs), htmlType, docsHeaders(docs.brand))),
  );
  router.get(
    '/docs.md',
    page((docs) => staticAnswer(docsMarkdown(openApi, docs), markdown)),
  );
  router.get(
    '/llms.txt',
    page((docs) => staticAnswer(llmsText(openApi, docs), plain)),
  );
  router.get('/site/docs.js', script('docs.js'));
  router.get('/site/start.js', script('start.js'));
  if (deps.showcase) router.get('/site/showpieces/:id/:file', showpieceAnswers(deps.showcase));
  router.get('/site/site.css', pageStyle(deps.brand, ...styleSheets));
  logoRoutes(router, deps.brand);
  router.get('/site/start.webp', staticAnswer(startPicture, 'image/webp'));
  router.get(fontPath, font());
  return router;
}
