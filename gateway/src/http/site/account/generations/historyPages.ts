import type { Router } from '@koa/router';
import type { HistoryItem } from '../../../../application/ports/generations.ts';
import type { Collection } from '../../../../application/ports/wall.ts';
import { listAllOfWork, loadPageOfWork } from '../../../../application/wall/listWork.ts';
import { isId } from '../../../../domain/ids.ts';
import { text } from '../../../../texts/text.ts';
import { does } from '../../../atWork.ts';
import { redirect } from '../../../pages/context.ts';
import { listLinks, tokenField, urlOf } from '../../../pages/elements.ts';
import { type Html, html, richText } from '../../../pages/html.ts';
import { mayActOn } from '../acting.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import { accountOf, type Site, type SiteContext, type SiteState } from '../site.ts';
import { allLinks, allPart } from '../wall/allParts.ts';
import {
  heartsForm,
  isComparable,
  selectedIds,
  selectionBar,
  wall,
  wallItem,
} from '../wall/wallParts.ts';
import { isOpen } from './generationProgress.ts';
import { findMakers, type Makers, summarise, summaryDependencies } from './generationSummary.ts';
import {
  filterPart,
  historyFilter,
  historyPath,
  isFiltered,
  parseHistoryQuery,
} from './historyFilter.ts';
import { linksPath } from './sharePages.ts';

const perPage = 20;

/** History of the account's generations in all channels. */
export function addHistoryPages(router: Router<SiteState>, site: Site): void {
  const kind = does(({ query }) =>
    isFiltered(parseHistoryQuery(query)) || query['select'] === 'all' ? 'search' : 'page',
  );
  router.get(historyPath, kind, requireSignedIn(site), async (ctx: SiteContext) => {
    const account = accountOf(ctx);
    const query = parseHistoryQuery(ctx.query);
    const { before: cursor = '', q = '' } = query;
    if (isId('gen', q.trim())) {
      redirect(ctx, `/generations/${q.trim()}`);
      return;
    }
    const before = isId('gen', cursor) ? cursor : null;
    const filter = historyFilter(query);
    const [{ items: page, older }, collections] = await Promise.all([
      loadPageOfWork(site.deps, account.id, filter, { before, limit: perPage }),
      site.deps.collections.listOfAccount(account.id),
    ]);
    const makers = await findMakers(site, ctx, page);
    const collection = collections.find(({ id }) => id === filter.collectionId) ?? null;
    const back = urlOf(historyPath, query);
    const isFavourites = filter.isFavourite === true;
    const isComplete = !isFiltered(query) && before === null;
    const ids = ctx.query['id'];
    const selected = selectedIds([ids ?? []].flat());
    const isAll = ctx.query['select'] === 'all' && page.length > 0;
    const all = isAll ? await listAllOfWork(site.deps, account.id, filter) : null;
    const list = html`<p class="quiet">${text('history.intro')}</p>
      ${selectionBar(ctx, { back, collections, collection, isFavourites })} ${heartsForm(ctx, back)}
      ${all === null ? allLinks(query, html`<a href="${linksPath}">${text('share.links')}</a>`) : allPart(query, all)}
      ${wall(page.map((item) => wallPart(site, item, makers, selected.includes(item.id))))}
      ${listLinks(historyPath, query, older)}`;
    const noMatch = html`<p>
        ${older === null ? text('history.noMatches') : text('history.noRecentMatches')}
      </p>
      ${listLinks(historyPath, query, older)}`;
    const none = html`<p>
      ${richText('history.none', { studio: (inner) => html`<a href="/studio">${inner}</a>` })}
    </p>`;
    // A comparison of an unsuitable number of generations leads back here.
    const hint =
      ids !== undefined &&
      !isComparable(selected.length) &&
      html`<p class="notice progress" role="status">
        ${text('wall.compareHow', { count: selected.length })}
      </p>`;
    const content = html`<h1>${text('site.history')}</h1>
      ${hint} ${!(isComplete && page.length === 0) && filterPart(query, site, ctx, collections)}
      ${collection && mayActOn(ctx, 'change own collections', collection) && collectionPart(ctx, collection)}
      ${page.length > 0 ? list : isComplete ? none : noMatch}`;
    site.showPage(ctx, { title: text('site.history'), content, script: 'wall' });
  });
}

/** One generation on the wall, with its maker if the person may see it. */
function wallPart(site: Site, item: HistoryItem, makers: Makers, isSelected: boolean): Html {
  const render = () => wallItem(summarise(site, item, makers), isSelected);
  if (isOpen(item) || isSelected) return render();
  const { keys, people } = makers;
  const maker = [keys.get(item.keyId ?? ''), people.get(item.madeBy ?? '')];
  return site.cachePart(['wall', maker, summaryDependencies(site, item)], render);
}

/** Renames or deletes the collection that is shown. */
function collectionPart(ctx: SiteContext, { id, name }: Collection): Html {
  return html`<details>
    <summary>${text('history.renameOrDelete', { name })}</summary>
    <form action="/collections/${id}/name" method="post" class="inline">
      ${tokenField(ctx)}
      <label for="new-name">${text('history.name')}</label>
      <input id="new-name" name="name" value="${name}" maxlength="60" required dir="auto" />
      <button class="small">${text('history.rename')}</button>
    </form>
    <form action="/collections/${id}/delete" method="post" class="inline">
      ${tokenField(ctx)}
      <button class="small danger">${text('history.deleteCollection', { name })}</button>
      <span class="quiet">${text('history.contentStays')}</span>
    </form>
  </details>`;
}
