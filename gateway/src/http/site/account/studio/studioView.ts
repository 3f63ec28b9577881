import { text } from '../../../../texts/text.ts';
import { type Html, html } from '../../../pages/html.ts';
import { historyPath } from '../generations/historyFilter.ts';
import type { SiteContext } from '../site.ts';
import { heartsForm } from '../wall/wallParts.ts';
import { composer, type ComposerData } from './composer.ts';
import { exampleButtons } from './studioChoices.ts';

/**
 * The studio: the composer, docked to the bottom of the window, and the feed above it. The composer comes first in the
 * document, so that it is first in keyboard order and where it is not docked.
 * @param page.feed Requests, newest first; empty before the first one.
 */
export function studioView(ctx: SiteContext, page: ComposerData & { feed: readonly Html[] }): Html {
  const { feed, studio } = page;
  return html`<h1 class="visually-hidden">${text('site.studio')}</h1>
    <div class="studio">
      ${composer(ctx, page)}
      <section class="shelf" aria-labelledby="feed-title">
        <h2 class="visually-hidden" id="feed-title">${text('studio.feed')}</h2>
        ${heartsForm(ctx, '/studio')}
        <ul class="feed" id="feed">
          ${feed}
        </ul>
        ${
          feed.length === 0
            ? html`<div class="empty" id="empty">
                <p><strong>${text('studio.empty')}</strong></p>
                <p class="quiet">${text('studio.startWith')}</p>
                ${exampleButtons(studio.model.type)}
              </div>`
            : html`<p class="quiet"><a href="${historyPath}">${text('studio.allInHistory')}</a></p>`
        }
      </section>
      ${viewer()}
    </div>`;
}

/** Shows the results of a set full screen, one at a time, by the script. */
function viewer(): Html {
  const step = (by: number, label: string, arrow: string) =>
    html`<button type="button" class="second" value="${by}" aria-label="${label}">
      ${arrow}
    </button>`;
  return html`<dialog id="viewer" aria-labelledby="viewer-at">
    <ul class="frames"></ul>
    <div class="inline">
      ${step(-1, text('studio.previous'), '←')} <output id="viewer-at"></output>
      ${step(1, text('studio.next'), '→')}
      <a class="button second" title="X">${text('generation.delete')}</a>
      <a class="button second">${text('wall.keepThis', { others: 2 })}</a>
      <a class="button second">${text('generation.details')}</a>
      <button type="button" value="0" title="Esc">${text('studio.close')}</button>
    </div>
  </dialog>`;
}
