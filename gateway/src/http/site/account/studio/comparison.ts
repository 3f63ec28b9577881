import type { HistoryItem } from '../../../../application/ports/generations.ts';
import { text } from '../../../../texts/text.ts';
import { outputsPart } from '../../../pages/elements.ts';
import { html, type Html } from '../../../pages/html.ts';
import { noMakers, summarise } from '../generations/generationSummary.ts';
import { parameterFacts } from './studioFeed.ts';
import type { Site } from '../site.ts';

/**
 * Two generations side by side. The script plays two videos together; without it each has its own player.
 * @param back Address of the page where they were chosen.
 */
export function comparison(
  site: Site,
  items: readonly [HistoryItem, HistoryItem],
  back: string,
): Html {
  const now = site.deps.clock.now();
  const { addresses } = site.deps;
  const areVideos = items.every(({ type, outputs }) => type === 'video' && outputs.length > 0);
  const sides = items.map((item) => {
    const summary = summarise(site, item, noMakers);
    const urls = summary.output?.urls ?? [];
    const shown =
      urls.length === 0
        ? html`<p class="notice quiet-notice">
            ${text('wall.noFile', { state: summary.label.words })}
          </p>`
        : outputsPart(item, { addresses, now }, { urls, title: summary.title });
    return html`<section class="side" aria-label="${summary.title}">
      ${shown}
      <h2 dir="auto"><a href="/generations/${item.id}">${summary.title}</a></h2>
      <p class="quiet">${parameterFacts(item, summary).join(' · ')}</p>
    </section>`;
  });
  return html`<p class="crumb"><a href="${back}">${text('wall.back')}</a></p>
    <h1>${text('wall.compare')}</h1>
    ${
      areVideos &&
      html`<div class="inline together" hidden>
        <button type="button" class="small" id="play-both" aria-pressed="false">
          ${text('wall.playBoth')}
        </button>
        <label for="both-at">${text('wall.position')}</label>
        <input id="both-at" type="range" min="0" max="1000" value="0" step="1" />
      </div>`
    }
    <div class="sides">${sides}</div>`;
}
