import { readFileSync } from 'node:fs';
import { pricingOf, type Model } from '@framegate/contract';
import { Router } from '@koa/router';
import type { Brand } from '../../domain/brand.ts';
import type { Language } from '../../domain/language.ts';
import { inLanguage } from '../../texts/language.ts';
import { refundRule } from '../../domain/refund.ts';
import { staticAnswer, type HttpMiddleware, type RequestState } from '../context.ts';
import { languageForm, languageOf } from '../pages/languageChoice.ts';
import { icon, wideTable } from '../pages/elements.ts';
import { brandLink, logoRoutes } from '../pages/brand.ts';
import { formatSeconds, html, richText, type Html } from '../pages/html.ts';
import {
  renderDocument,
  font,
  fontPath,
  htmlType,
  pageStyle,
  script,
  staticPageHeaders,
} from '../pages/layout.ts';
import type { ApiDocument } from './docs/apiDocument.ts';
import { docsMarkdown, llmsText } from './docs/docsMarkdown.ts';
import { docsPage, styleSource } from './docs/docsPage.ts';
import type { DocsFacts } from './docs/facts.ts';
import { longestStart } from './account/startedPrompt.ts';
import { soundPrice } from './account/studioPrice.ts';
import { text } from '../../texts/text.ts';

/** Renders the start page: introduction, sample call, models and prices. */
export function startPage(
  api: ApiDocument,
  {
    brand,
    hasAccounts,
    signUp,
    models,
  }: Pick<DocsFacts, 'brand' | 'hasAccounts' | 'signUp' | 'models'>,
  languages: readonly Language[],
): string {
  const baseUrl = api.servers[0]?.url ?? '';
  const ways =
    hasAccounts && signUp === 'open'
      ? html`<a class="button second" href="/sign-up">${text('signUp.title')}</a>
          <a class="button second" href="/docs">${text('start.readReference')}</a>`
      : html`<a class="button" href="/docs"
          >${text('start.readReference')} ${icon('arrow-right')}</a
        >`;
  return renderDocument(brand, {
    title: text('start.title', { brand: brand.name }),
    stylesheet: '/site/site.css',
    body: html`<a class="skip" href="#content">${text('site.skip')}</a>
      <header class="top">
        ${brandLink(brand, '/')}
        <div class="who">
          <a href="/docs">${text('site.docs')}</a>
          ${hasAccounts && html`<a href="/sign-in">${text('site.signIn')}</a>`}
        </div>
      </header>
      <main class="page" id="content">
        <div class="hero columns">
          <div>
            <h1>${text('start.heading')}</h1>
            <p>${text('start.intro', { share: text(refundRule.wordsKey) })}</p>
            ${hasAccounts && startForm()}
            <div class="inline">${ways}</div>
            ${hasAccounts && signUp === 'invite' && html`<p>${text('start.byInvitation')}</p>`}
          </div>
          <figure>
            <img
              src="/site/start.webp"
              alt="${text('start.pictureAlt')}"
              width="960"
              height="540"
            />
            <figcaption class="quiet">${text('start.pictureCaption')}</figcaption>
          </figure>
        </div>
        <h2>${text('start.developers')}</h2>
        <p>${text('start.api')}</p>
        <pre tabindex="0">${curlSample(baseUrl, models)}</pre>
        ${models.length > 0 && priceTable(models)}
        <p class="quiet">${richText('start.apiAt', { url: html`<code>${baseUrl}</code>` })}</p>
      </main>`,
    foot: hasAccounts && languageForm(languages, '/'),
  });
}

/** Begins in the studio with a prompt of the start page; sign-up and sign-in take it along. */
const startForm = () =>
  html`<form action="/start" method="post" class="start">
    <label class="visually-hidden" for="start-prompt">${text('start.firstPrompt')}</label>
    <textarea
      id="start-prompt"
      name="prompt"
      rows="2"
      maxlength="${longestStart}"
      dir="auto"
      placeholder="${text('start.samplePrompt')}"
    ></textarea>
    <button class="button">${text('start.make')} ${icon('arrow-right')}</button>
  </form>`;

function curlSample(baseUrl: string, models: readonly Model[]): string {
  // The cheapest one, for whoever copies the call.
  const usualPrice = (model: Model) => pricingOf(model).examples[0]?.cost_credits ?? 0;
  const videoModels = models.filter(({ type }) => type === 'video');
  const [cheapest] = videoModels.toSorted((a, b) => usualPrice(a) - usualPrice(b));
  const model = cheapest?.id ?? 'alpha-2.0-fast';
  const prompt = 'A quiet harbour at dusk, lights on the water';
  const lines = [
    `curl ${baseUrl}/videos`,
    '-H "Authorization: Bearer $FRAMEGATE_KEY"',
    '-H "Idempotency-Key: $(uuidgen)"',
    '-H "Content-Type: application/json"',
    `-d '{"model":"${model}","mode":"text-to-video","prompt":"${prompt}"}'`,
  ];
  return lines.join(' \\\n  ');
}

const typeNames = { video: 'start.video', image: 'start.image' } as const;
const perNames = { image: 'start.creditsAnImage', second: 'start.creditsASecond' } as const;

/** Prices of all models, in the order of the catalogue. */
function priceTable(models: readonly Model[]): Html {
  const rows = models.map((model) => {
    const { per, credits } = pricingOf(model);
    const prices = Object.entries(credits).map(([size, each]) => `${size} ${each}`);
    return html`<tr>
      <th scope="row">${model.displayName}</th>
      <td>
        ${model.type === 'video' ? icon('film') : icon('image')} ${text(typeNames[model.type])}
      </td>
      <td>
        ${prices.join(' · ')}
        <span class="quiet">${text(perNames[per])}</span>
      </td>
      <td>${formatSeconds(model.typicalSeconds)}</td>
    </tr>`;
  });
  const sound = soundPrice(models);
  const columns = [
    text('start.model'),
    text('start.makes'),
    text('start.price'),
    text('start.usually'),
  ];
  return html`<h2 id="prices">${text('start.prices')}</h2>
    ${wideTable(text('start.pricesTable'), columns, rows)}
    ${sound !== null && html`<p class="quiet">${text('start.sound', { share: sound })}</p>`}`;
}

/** Style sheets of the public pages and the account site. */
const styleSheets = ['site.css', 'gallery.css'];

/** Picture of the start page, drawn by scripts/samplePictures.ts. */
const startPicture = readFileSync(new URL('../../../assets/start.webp', import.meta.url));

/** The start page has a form. */
const startHeaders: Readonly<Record<string, string>> = {
  ...staticPageHeaders,
  'Content-Security-Policy': (staticPageHeaders['Content-Security-Policy'] ?? '').replace(
    "form-action 'none'",
    "form-action 'self'",
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
}): Router<RequestState> {
  const { openApi } = deps;
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  const page = (render: (docs: DocsFacts) => HttpMiddleware): HttpMiddleware => {
    let shown = deps.docs();
    let answer = render(shown);
    return async (ctx, next) => {
      const docs = deps.docs();
      if (docs !== shown) [shown, answer] = [docs, render(docs)];
      await answer(ctx, next);
    };
  };
  const markdown = 'text/markdown; charset=utf-8';
  const plain = 'text/plain; charset=utf-8';
  const startPages = new Map(
    deps.languages.map((language) => {
      const start = (docs: DocsFacts) =>
        inLanguage(language, () => startPage(openApi, docs, deps.languages));
      return [language, page((docs) => staticAnswer(start(docs), htmlType, startHeaders))];
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
  router.get('/site/site.css', pageStyle(deps.brand, ...styleSheets));
  logoRoutes(router, deps.brand);
  router.get('/site/start.webp', staticAnswer(startPicture, 'image/webp'));
  router.get(fontPath, font());
  return router;
}
