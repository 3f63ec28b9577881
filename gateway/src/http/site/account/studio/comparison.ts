import type { HistoryItem } from '../../../../application/ports/generations.ts';
import { text } from '../../../../texts/text.ts';
import { outputsPart, reservedSize, urlOf } from '../../../pages/elements.ts';
import { type Html, html } from '../../../pages/html.ts';
import { mayActOn } from '../acting.ts';
import { noMakers, summarise } from '../generations/generationSummary.ts';
import { ratioClass } from '../pictures.ts';
import type { Site, SiteContext } from '../site.ts';
import { heart, heartsForm, withSelection } from '../wall/wallParts.ts';
import { parameterFacts } from './studioFeed.ts';

/**
 * Generations side by side, each with its actions. The script plays all videos together; else each has a player.
 * @param items Two to four.
 * @param back Address of the page where they were chosen.
 */
export function comparison(
  site: Site,
  ctx: SiteContext,
  items: readonly HistoryItem[],
  back: string,
): Html {
  const { publicUrls, clock } = site.deps;
  const here = withSelection(urlOf('/history/compare', { back }), items);
  const deleteLink = (gone: readonly HistoryItem[], words: string) => {
    if (!gone.every((item) => mayActOn(ctx, 'delete own work', item))) return null;
    const [first, ...others] = items.filter((item) => !gone.includes(item));
    const keep = others.length === 0 ? first?.id : undefined;
    const to = withSelection(urlOf('/history/delete', { keep, back: here }), gone);
    return html`<a class="button small second" href="${to}">${words}</a>`;
  };
  const compared = items.map((item) => ({ item, summary: summarise(site, item, noMakers) }));
  const sides = compared.map(({ item, summary }) => {
    const { id, title } = summary;
    const urls = summary.output?.urls ?? [];
    const others = items.filter((each) => each !== item);
    const result =
      urls.length === 0
        ? html`<p class="notice quiet-notice">
            ${text('wall.noFile', {
              state: item.status === 'completed' ? text('wall.fileDeleted') : summary.label.words,
            })}
          </p>`
        : outputsPart(item, { publicUrls, nowMs: clock.now() }, { urls, title });
    const file = urls.length > 1 ? `/generations/${id}/files.zip` : urls[0];
    return html`<section class="side ${ratioClass(item)}" aria-label="${title}">
      ${result}
      <h2><a class="what" href="/generations/${id}" dir="auto">${title}</a></h2>
      <p class="quiet">${parameterFacts(item, summary).join(' · ')}</p>
      <div class="inline">
        ${heart(summary, { class: 'small second heart' }, text('wall.favourite'))}
        ${
          file !== undefined &&
          html`<a class="button small second" href="${file}" download>${text('wall.download')}</a>`
        }
        ${deleteLink([item], text('generation.delete'))}
        ${deleteLink(others, text('wall.keepThis', { others: others.length }))}
      </div>
    </section>`;
  });
  const videos = compared.filter(({ summary }) => summary.output?.video_url !== undefined);
  // Four wide ones are largest in two rows.
  const isWide = items.some((item) => reservedSize(item, 960).height < 960);
  const rows = items.length === 4 && isWide ? 'pairs' : '';
  return html`<p class="crumb"><a href="${withSelection(back, items)}">${text('wall.back')}</a></p>
    <h1>${text('wall.compare')}</h1>
    ${heartsForm(ctx, here)}
    ${
      videos.length > 1 &&
      html`<div class="inline together only-script">
        <button type="button" class="small" aria-pressed="false">${text('wall.playAll')}</button>
        <label for="all-at">${text('wall.position')}</label>
        <input id="all-at" type="range" min="0" max="1000" value="0" step="1" />
      </div>`
    }
    <div class="sides ${rows}">${sides}</div>`;
}
