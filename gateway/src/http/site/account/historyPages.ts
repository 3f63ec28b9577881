import type { Router } from '@koa/router';
import { refuseBeyond } from '../../../application/allowances.ts';
import { createKeyedLimiter } from '@framegate/limits';
import type { HistoryFilter } from '../../../application/ports/generations.ts';
import { isId } from '../../../domain/ids.ts';
import { PlainRefusal } from '../../../domain/refusal.ts';
import { redirect } from '../../pages/context.ts';
import { listLinks } from '../../pages/elements.ts';
import { html, time, type Html } from '../../pages/html.ts';
import { keyNames, summarise, type GenerationSummary } from './generationSummary.ts';
import { filterPart, historyFilter, historyQuery, isFiltered } from './historyFilter.ts';
import { ratioClass, thumbnail } from './pictures.ts';
import { requireAccount } from './requireAccount.ts';
import { accountOf, type Site, type SiteContext, type SiteState } from './site.ts';

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
  router.get('/history', requireAccount(site), async (ctx: SiteContext) => {
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
    const isComplete = !isFiltered(query) && before === null;
    const list = html`<p class="quiet">
        Generations of the studio and all your keys, newest first. Files are kept for a limited time
        after completion.
      </p>
      <ul class="wall">
        ${page.map((item) => listItem(summarise(site, item, names)))}
      </ul>
      ${listLinks('/history', query, older)}`;
    const noMatch = html`<p>
        ${older === null ? 'No matches.' : 'No matches among the last 2,000. There are older ones:'}
      </p>
      ${listLinks('/history', query, older)}`;
    const none = html`<p>
      No generations yet. <a href="/studio">Create your first video</a> in the studio or through the
      API.
    </p>`;
    const content = html`<h1>History</h1>
      ${!(isComplete && page.length === 0) && filterPart(query, site, account)}
      ${page.length > 0 ? list : isComplete ? none : noMatch}`;
    site.showPage(ctx, { title: 'History', content });
  });
}

function listItem(item: GenerationSummary): Html {
  const { id, type, label, output, error, createdAt } = item;
  const path = `/generations/${id}`;
  const isDeleted = output?.deleted_at !== undefined;
  return html`<li class="${ratioClass(item)}">
    <a class="thumb" href="${path}" tabindex="-1" aria-hidden="true"
      >${thumbnail(item, item.poster)}</a
    >
    <div>
      <a class="what" href="${path}">${item.title}</a>
      <p class="quiet">
        <span class="${label.badge}">${label.words}</span>
        ${type === 'video' && 'Video · '}${item.modelName} · ${item.cost}
      </p>
      <p class="quiet">
        ${time(createdAt)} · made by ${item.madeBy}${isDeleted && ' · file deleted'}
      </p>
      ${error !== undefined && html`<p class="problem">${error.message}</p>`}
    </div>
  </li>`;
}
