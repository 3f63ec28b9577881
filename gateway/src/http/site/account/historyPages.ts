import type { Router } from '@koa/router';
import { refuseBeyond } from '../../../application/allowances.ts';
import { createKeyedLimiter } from '@framegate/limits';
import type { HistoryFilter } from '../../../application/ports/generations.ts';
import { isId } from '../../../domain/ids.ts';
import { PlainRefusal } from '../../../domain/refusal.ts';
import { redirect } from '../../pages/context.ts';
import type { Collection } from '../../../application/ports/wall.ts';
import { addressOf, listLinks } from '../../pages/elements.ts';
import { html, type Html } from '../../pages/html.ts';
import { tokenField } from '../../pages/layout.ts';
import { keyNames, summarise } from './generationSummary.ts';
import { filterPart, history, historyFilter, historyQuery, isFiltered } from './historyFilter.ts';
import { requireAccount } from './requireAccount.ts';
import { accountOf, type Site, type SiteContext, type SiteState } from './site.ts';
import { heartsForm, selectionBar, wall } from './wallParts.ts';

const perPage = 20;
/** Text searches per minute of one account in all browsers; each reads many prompts. */
export const searchesPerMinute = 20;

/** History of the account's generations in all channels. */
export function historyPages(router: Router<SiteState>, site: Site): void {
  const { generations } = site.deps.database;
  const searches = createKeyedLimiter({
    perKey: 1,
    queue: {
      max: 2,
      refuse: () => new PlainRefusal('Your last search is still running. Try again soon.', 429),
    },
  });
  const search = (accountId: string, filter: HistoryFilter, before: string | null) => {
    const find = () => generations.searchHistory(accountId, filter, before, perPage);
    if (filter.words === undefined) return find();
    const waitSeconds = site.allowances.take(accountId, 'searches', searchesPerMinute);
    refuseBeyond('searches', searchesPerMinute, waitSeconds);
    return searches.run(accountId, find);
  };
  router.get(history, requireAccount(site), async (ctx: SiteContext) => {
    const account = accountOf(ctx);
    const query = historyQuery(ctx.query);
    const { before: cursor = '', q = '' } = query;
    if (isId('gen', q.trim())) {
      redirect(ctx, `/generations/${q.trim()}`);
      return;
    }
    const before = isId('gen', cursor) ? cursor : null;
    const filter = historyFilter(query);
    const found = await search(account.id, filter, before);
    const { items: page, older } = found;
    const names = await keyNames(site, account, page);
    const collections = await site.deps.collections.ofAccount(account.id);
    const opened = collections.find(({ id }) => id === filter.collectionId) ?? null;
    const back = addressOf(history, query);
    const isFavourites = filter.favourite === true;
    const isComplete = !isFiltered(query) && before === null;
    const list = html`<p class="quiet">
        Generations of the studio and all your keys, newest first. Files are kept for a limited time
        after completion.
      </p>
      ${selectionBar(ctx, { back, collections, opened, isFavourites })} ${heartsForm(ctx, back)}
      ${wall(page.map((item) => summarise(site, item, names)))} ${listLinks(history, query, older)}`;
    const noMatch = html`<p>
        ${older === null ? 'No matches.' : 'No matches among the last 2,000. There are older ones:'}
      </p>
      ${listLinks(history, query, older)}`;
    const none = html`<p>
      No generations yet. <a href="/studio">Create your first video</a> in the studio or through the
      API.
    </p>`;
    const content = html`<h1>History</h1>
      ${!(isComplete && page.length === 0) && filterPart(query, site, account, collections)}
      ${opened && collectionPart(ctx, opened)}
      ${page.length > 0 ? list : isComplete ? none : noMatch}`;
    site.showPage(ctx, { title: 'History', content, script: 'wall' });
  });
}

/** Renames or deletes the collection that is shown. */
function collectionPart(ctx: SiteContext, { id, name }: Collection): Html {
  return html`<details>
    <summary>Rename or delete “${name}”</summary>
    <form action="/collections/${id}/name" method="post" class="inline">
      ${tokenField(ctx)}
      <label for="new-name">Name</label>
      <input id="new-name" name="name" value="${name}" maxlength="60" required dir="auto" />
      <button class="small">Rename</button>
    </form>
    <form action="/collections/${id}/delete" method="post" class="inline">
      ${tokenField(ctx)}
      <button class="small danger">Delete the collection “${name}”</button>
      <span class="quiet">Its videos and images stay in your history.</span>
    </form>
  </details>`;
}
