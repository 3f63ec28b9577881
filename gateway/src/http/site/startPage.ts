import { type Model, pricingOf } from '@framegate/contract';
import { type Showpiece, startShowpieces } from '../../domain/brand/showpiece.ts';
import { refundRule } from '../../domain/credits/refund.ts';
import type { Language } from '../../domain/text/language.ts';
import { quoteForShell } from '../../domain/text/quoteForShell.ts';
import { text } from '../../texts/text.ts';
import { brandLink } from '../pages/brand.ts';
import { renderDocument } from '../pages/document.ts';
import { icon, wideTable } from '../pages/elements.ts';
import { formatSeconds, type Html, html, richText } from '../pages/html.ts';
import { languageForm } from '../pages/languageChoice.ts';
import { maxStartCharacters } from './account/studio/startedPrompt.ts';
import { toolRow } from './clients/toolRow.ts';
import type { ApiDocument } from './docs/apiDocument.ts';
import type { DocsFacts } from './docs/facts.ts';
import { shownAt } from './showpieceFiles.ts';
import { soundPrice } from './soundPrice.ts';
import { statusLink } from './statusPage.ts';

/** Renders the start page: introduction, sample call, models and prices. */
export function startPage(
  api: ApiDocument,
  facts: DocsFacts,
  languages: readonly Language[],
): string {
  const { brand, hasAccounts, signUp, models } = facts;
  const showpieces = startShowpieces(brand.showpieces, models);
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
    ...(showpieces.length > 0 && { script: '/site/start.js' }),
    body: html`<header class="top">
        ${brandLink(brand, '/')}
        <div class="who">
          <a href="/docs">${text('site.docs')}</a>
          ${hasAccounts && html`<a href="/sign-in">${text('site.signIn')}</a>`}
        </div>
      </header>
      <main id="content" class="page">
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
        ${showpieces.length > 0 && showcase(showpieces, models)}
        <h2>${text('start.developers')}</h2>
        <p>${text('start.api')}</p>
        <pre tabindex="0">${curlSample(baseUrl, models)}</pre>
        ${toolRow(facts)} ${models.length > 0 && priceTable(models)}
        <p class="quiet">${richText('start.apiAt', { url: html`<code>${baseUrl}</code>` })}</p>
      </main>`,
    foot: hasAccounts && html`${statusLink()} ${languageForm(languages, '/')}`,
  });
}

/** Results of the models: clips rest until the script plays them; without it they have controls. */
function showcase(showpieces: readonly Showpiece[], models: readonly Model[]): Html {
  const items = showpieces.map(({ model, picture, clip }) => {
    const name = models.find(({ id }) => id === model)?.displayName ?? model;
    const label = text('start.madeWith', { model: name });
    const media = clip
      ? html`<video
          muted
          loop
          playsinline
          controls
          preload="none"
          src="${shownAt(clip)}"
          poster="${shownAt(picture)}"
          aria-label="${label}"
        ></video>`
      : html`<img src="${shownAt(picture)}" alt="${label}" loading="lazy" />`;
    return html`<figure>
      <span class="thumb">${media}</span>
      <figcaption class="quiet">${name}</figcaption>
    </figure>`;
  });
  return html`<h2>${text('start.showcase')}</h2>
    <div class="result showcase">${items}</div>`;
}

/** Opens the studio with a prompt from the start page, carried through sign-up and sign-in. */
const startForm = () =>
  html`<form action="/start" method="post" class="start">
    <label class="visually-hidden" for="start-prompt">${text('start.firstPrompt')}</label>
    <textarea
      id="start-prompt"
      name="prompt"
      rows="2"
      maxlength="${maxStartCharacters}"
      dir="auto"
      placeholder="${text('start.samplePrompt')}"
    ></textarea>
    <button class="button">${text('start.make')} ${icon('arrow-right')}</button>
  </form>`;

function curlSample(baseUrl: string, models: readonly Model[]): string {
  // The cheapest one, for readers who copy the call.
  const usualPrice = (model: Model) => pricingOf(model).examples[0]?.cost_credits ?? 0;
  const videoModels = models.filter(({ type }) => type === 'video');
  const [cheapest] = videoModels.toSorted((a, b) => usualPrice(a) - usualPrice(b));
  const model = cheapest?.id ?? 'alpha-2.0-fast';
  const prompt = 'A quiet harbour at dusk, lights on the water';
  const lines = [
    `curl ${quoteForShell(`${baseUrl}/videos`)}`,
    '-H "Authorization: Bearer $FRAMEGATE_KEY"',
    '-H "Idempotency-Key: order-$(date +%s)"',
    '-H "Content-Type: application/json"',
    `-d ${quoteForShell(JSON.stringify({ model, mode: 'text-to-video', prompt }))}`,
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
