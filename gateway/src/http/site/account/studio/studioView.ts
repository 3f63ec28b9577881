import { text } from '../../../../texts/text.ts';
import { html, type Html } from '../../../pages/html.ts';
import { composer, type Composed } from './composer.ts';
import type { SiteContext } from '../site.ts';
import { exampleButtons } from './studioChoices.ts';
import { heartsForm } from '../wall/wallParts.ts';

/**
 * The studio: the composer, docked to the bottom of the window, and the feed above it. In the document the composer
 * comes first, so that it is first in keyboard order and without docking.
 * @param page.feed Requests, newest first; empty before the first one.
 */
export function studioView(ctx: SiteContext, page: Composed & { feed: readonly Html[] }): Html {
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
            : html`<p class="quiet"><a href="/history">${text('studio.allInHistory')}</a></p>`
        }
      </section>
    </div>`;
}
