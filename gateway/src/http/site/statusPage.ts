import type { Model } from '@framegate/contract';
import type { ModelStatus } from '../../application/generations/modelStatus.ts';
import type { Brand } from '../../domain/brand/brand.ts';
import type { Language } from '../../domain/text/language.ts';
import { type FixedKey, text } from '../../texts/text.ts';
import { brandLink } from '../pages/brand.ts';
import { renderDocument } from '../pages/document.ts';
import { wideTable } from '../pages/elements.ts';
import { formatSeconds, type Html, html, richText, time } from '../pages/html.ts';
import { languageForm } from '../pages/languageChoice.ts';
import { scriptTexts } from './account/scriptTexts.ts';

/** Path of the page. */
export const statusPath = '/status';

/** A model with its status and the usual duration of its results, in seconds. */
export interface ShownStatus {
  model: Pick<Model, 'id' | 'displayName'>;
  status: ModelStatus;
  usualSeconds: number;
}

/** The link at the foot of pages. */
export const statusLink = (): Html => html`<a href="${statusPath}">${text('status.link')}</a>`;

/** The public page with the current status of each model. It names no provider. */
export function statusPage(
  brand: Brand,
  statuses: readonly ShownStatus[],
  languages: readonly Language[],
): string {
  const has = (...kinds: ModelStatus['kind'][]) =>
    statuses.some(({ status }) => kinds.includes(status.kind));
  const isFailing = has('problems', 'unavailable');
  const isGood = !isFailing && !has('slow');
  const headline = isGood ? 'allWork' : isFailing ? 'someFail' : 'someSlow';
  const columns = [text('start.model'), text('status.status'), text('start.usually')];
  return renderDocument(brand, {
    title: `${text('status.title')} · ${brand.name}`,
    stylesheet: '/site/site.css',
    script: '/site/site.js',
    texts: scriptTexts('site'),
    refreshSeconds: 60,
    body: html`<header class="top">
        ${brandLink(brand, '/')}
        <div class="who">
          <a href="/docs">${text('site.docs')}</a> <a href="/studio">${text('site.studio')}</a>
        </div>
      </header>
      <main id="content" class="page">
        <h1>${text('status.title')}</h1>
        <p class="notice ${!isGood && 'warning'}">${text(`status.${headline}`)}</p>
        ${wideTable(text('status.title'), columns, statuses.map(row))}
        <p class="quiet">${text('status.explained')}</p>
      </main>`,
    foot: html`${statusLink()} ${languageForm(languages, statusPath)}`,
  });
}

const words: Readonly<Record<ModelStatus['kind'], readonly [tone: string, key: FixedKey]>> = {
  working: ['success', 'status.working'],
  slow: ['warning', 'status.slow'],
  problems: ['danger', 'status.problems'],
  unavailable: ['danger', 'status.unavailable'],
};

function row({ model, status, usualSeconds }: ShownStatus): Html {
  const [tone, key] = words[status.kind];
  return html`<tr id="${model.id}">
    <th scope="row">${model.displayName}</th>
    <td>
      <span class="badge ${tone}">${text(key)}</span>
      ${status.sinceMs !== null && richText('status.since', { time: time(status.sinceMs) })}
    </td>
    <td>${formatSeconds(usualSeconds)}</td>
  </tr>`;
}
