import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Router } from '@koa/router';
import type { Log } from '@framegate/contract';
import type { WorkSlots } from '../../application/workKinds.ts';
import type { Brand } from '../../domain/brand/brand.ts';
import type { Language } from '../../domain/text/language.ts';
import { inLanguage } from '../../texts/language.ts';
import { does, needsNoSlot } from '../atWork.ts';
import { type HttpMiddleware, type RequestState, staticResponse } from '../context.ts';
import { pageStyle, script } from '../pages/assetFiles.ts';
import { addLogoRoutes } from '../pages/brand.ts';
import { htmlType } from '../pages/document.ts';
import { font, fontPath } from '../pages/font.ts';
import { languageOf } from '../pages/languageChoice.ts';
import { docsPageHeaders, startPageHeaders } from '../pages/pageHeaders.ts';
import { strictRouter } from '../strictRouter.ts';
import { addClientRoutes } from './clients/clientRoutes.ts';
import type { ApiDocument } from './docs/apiDocument.ts';
import { docsMarkdown, llmsMarkdown } from './docs/docsMarkdown.ts';
import { docsPage, styleSource } from './docs/docsPage.ts';
import type { DocsFacts } from './docs/facts.ts';
import { shownOrigins, showpieceResponses } from './showpieceFiles.ts';
import { startPage } from './startPage.ts';
import { type ShownStatus, statusPage, statusPath } from './statusPage.ts';

/** Style sheets of the public pages and the account site. */
const styleSheets = ['site.css', 'gallery.css'];

/** Picture of the start page, drawn by scripts/samplePictures.ts. */
const startPicture = readFileSync(new URL('../../../assets/start.webp', import.meta.url));

/** Search engines read the public pages; shared ones themselves ask not to be listed. */
const robots = `User-agent: *
${['/v1/', '/mcp', '/media/', '/staff'].map((path) => `Disallow: ${path}\n`).join('')}`;

function startHeaders({ showpieces }: Brand): Readonly<Record<string, string>> {
  return startPageHeaders({
    images: shownOrigins(showpieces.map(({ picture }) => picture)),
    clips: shownOrigins(showpieces.map(({ clip }) => clip)),
  });
}

/** Public pages: start page and documentation, rendered when the process starts and when models or prices change. */
export function siteRoutes(deps: {
  brand: Brand;
  openApi: () => ApiDocument;
  /** The facts of the documentation: one object until a fact changes. */
  docs: () => DocsFacts;
  /** Languages of the start page. */
  languages: readonly Language[];
  /** Reads the status of each model from memory; null without an account site. */
  readStatus: (() => readonly ShownStatus[]) | null;
  log: Pick<Log, 'warn'>;
  slots: WorkSlots;
}): Router<RequestState> {
  const { openApi } = deps;
  const router = strictRouter<RequestState>();
  const page = (render: (docs: DocsFacts) => HttpMiddleware): HttpMiddleware => {
    let renderedFacts: DocsFacts | undefined;
    let respond: HttpMiddleware = () => undefined;
    return async (ctx, next) => {
      const docs = deps.docs();
      if (docs !== renderedFacts) [renderedFacts, respond] = [docs, render(docs)];
      await respond(ctx, next);
    };
  };
  const markdown = 'text/markdown; charset=utf-8';
  const plain = 'text/plain; charset=utf-8';
  const startPages = new Map(
    deps.languages.map((language) => {
      const start = (docs: DocsFacts) =>
        inLanguage(language, () => startPage(openApi(), docs, deps.languages));
      return [
        language,
        page((docs) => staticResponse(start(docs), htmlType, startHeaders(docs.brand))),
      ];
    }),
  );
  router.use(needsNoSlot);
  router.get('/', async (ctx, next) => {
    await startPages.get(languageOf(ctx, deps.languages))?.(ctx, next);
    ctx.vary('Accept-Language, Cookie');
  });
  if (deps.readStatus) {
    router.get(statusPath, statusResponses({ ...deps, readStatus: deps.readStatus }));
  }
  router.get(
    '/docs',
    page((docs) =>
      staticResponse(docsPage(openApi(), docs), htmlType, docsPageHeaders(styleSource(docs.brand))),
    ),
  );
  router.get(
    '/docs.md',
    page((docs) => staticResponse(docsMarkdown(openApi(), docs), markdown)),
  );
  router.get(
    '/llms.txt',
    page((docs) => staticResponse(llmsMarkdown(openApi(), docs), plain)),
  );
  router.get('/robots.txt', staticResponse(robots, plain));
  const pageHeaders = docsPageHeaders(styleSource(deps.brand));
  addClientRoutes(router, { ...deps, clients: deps.docs().clients, page, pageHeaders });
  router.get('/site/docs.js', script('docs.js'));
  router.get('/site/start.js', script('start.js'));
  router.get(
    '/site/showpieces/:file',
    does('download'),
    showpieceResponses(deps.brand.showpieces, deps),
  );
  router.get('/site/site.css', pageStyle(deps.brand, ...styleSheets));
  addLogoRoutes(router, deps.brand);
  router.get('/site/start.webp', staticResponse(startPicture, 'image/webp'));
  router.get(fontPath, font());
  return router;
}

/** The page of statuses: it is read from memory, and rendered once per language when a status has changed. */
function statusResponses(deps: {
  brand: Brand;
  languages: readonly Language[];
  readStatus: () => readonly ShownStatus[];
}): HttpMiddleware {
  const headers = startHeaders({ ...deps.brand, showpieces: [] });
  let renderedStatuses: readonly ShownStatus[] = [];
  const rendered = new Map<Language, HttpMiddleware>();
  return async (ctx, next) => {
    const read = deps.readStatus();
    if (!isDeepStrictEqual(read, renderedStatuses)) {
      rendered.clear();
      renderedStatuses = read;
    }
    const language = languageOf(ctx, deps.languages);
    const render = () => statusPage(deps.brand, renderedStatuses, deps.languages);
    const respond =
      rendered.get(language) ?? staticResponse(inLanguage(language, render), htmlType, headers);
    rendered.set(language, respond);
    await respond(ctx, next);
    ctx.vary('Accept-Language, Cookie');
  };
}
