import type { Router } from '@koa/router';
import {
  presentGeneration,
  presentPosters,
} from '../../../application/generations/presentGeneration.ts';
import { refuseBeyond } from '../../../application/allowances.ts';
import { createKeyedLimiter } from '../../../application/ports/concurrency.ts';
import type { HistoryItem, HistoryFilter } from '../../../application/ports/generations.ts';
import type { Account } from '../../../domain/account.ts';
import { isId } from '../../../domain/ids.ts';
import { PlainRefusal } from '../../../domain/refusal.ts';
import { searchWords } from '../../../domain/text.ts';
import { dayMs } from '../../../domain/utcDay.ts';
import { redirect } from '../../pages/context.ts';
import { listLinks, icon, addressOf, filterLinks, queryOf } from '../../pages/elements.ts';
import { formatNumber, time, html, attributes, type Html } from '../../pages/html.ts';
import { thumbnail, statusLabels, tagClass } from './pictures.ts';
import { requireAccount } from './signInPages.ts';
import { accountOf, type Site, type SiteContext, type SiteState } from './site.ts';

const perPage = 20;
/** Searches for words by one account in a minute, all its browsers together: each reads many prompts. */
export const searchesPerMinute = 20;

/** Every generation of the account, of all channels. */
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
    const { before: asked = '', q = '' } = query;
    if (isId('gen', q.trim())) {
      redirect(ctx, `/generations/${q.trim()}`);
      return;
    }
    const before = isId('gen', asked) ? asked : null;
    const filter = historyFilter(query);
    const found = await search(account.id, filter, before);
    const { items: page, older } = found;
    const names = await keyNames(site, account, page);
    const isWhole = !isNarrowed(query) && before === null;
    const list = html`<p class="quiet">
        What the studio and all your keys have made, the newest first. Files are kept for a while
        after they are finished.
      </p>
      <ul class="gallery">
        ${page.map((item) => listItem(summarise(site, item, names)))}
      </ul>
      ${listLinks('/history', query, older)}`;
    const unfit = html`<p>
        ${older === null ? 'None fits.' : 'None of the last 2,000 fits. There are older ones:'}
      </p>
      ${listLinks('/history', query, older)}`;
    const none = html`<p>
      Nothing here yet. <a href="/studio">Make your first video</a>, or create one through the API:
      it appears here all the same.
    </p>`;
    const content = html`<h1>History</h1>
      ${!(isWhole && page.length === 0) && filterPart(query, site, account)}
      ${page.length > 0 ? list : isWhole ? none : unfit}`;
    site.showPage(ctx, { title: 'History', content });
  });
}

/** A generation as its owner sees it in a list. */
export type GenerationSummary = ReturnType<typeof summarise>;

/** Collects what the owner sees of a generation in a list. @param names Of keys, by id. */
export function summarise(site: Site, item: HistoryItem, names: ReadonlyMap<string, string>) {
  const record = presentGeneration(item, site.addresses, site.deps.clock.now(), null);
  return {
    id: item.id,
    type: item.type,
    modelName: site.models.find(({ id }) => id === item.model)?.displayName ?? item.model,
    status: item.status,
    createdAt: item.createdAt,
    cost: `${formatNumber(item.costCredits)} credits${item.status === 'failed' ? ', refunded' : ''}`,
    madeBy:
      item.channel === 'pc' ? 'this site' : `key “${names.get(item.keyId ?? '') ?? 'removed'}”`,
    title: shorten(item.prompt),
    output: record.output,
    poster: presentPosters(item, site.addresses, site.deps.clock.now(), 320)[0] ?? null,
    parameters: item.parameters,
    error: record.error,
  };
}

/** The names of the keys that made these, by id; those that have left the account are looked up. */
export async function keyNames(
  { deps }: Site,
  { id: accountId, keys }: Account,
  items: readonly Pick<HistoryItem, 'keyId'>[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  const former = items.flatMap(({ keyId }) => (keyId === null || names.has(keyId) ? [] : [keyId]));
  if (former.length === 0) return names;
  return new Map([...names, ...(await deps.database.formerKeys.names(accountId, former))]);
}

/** The first words of a prompt, on one line. */
export function shorten(text: string): string {
  const letters = [...text.replace(/\s+/g, ' ')];
  return letters.length <= 90 ? letters.join('') : `${letters.slice(0, 88).join('')}…`;
}

function listItem(item: GenerationSummary): Html {
  const { id, type, status, output, error, createdAt } = item;
  const path = `/generations/${id}`;
  const isDeleted = output?.deleted_at !== undefined;
  return html`<li>
    <a class="thumb" href="${path}" tabindex="-1" aria-hidden="true"
      >${thumbnail(item, item.poster)}</a
    >
    <div>
      <a class="what" href="${path}">${item.title}</a>
      <p class="quiet">
        <span class="${tagClass(status)}">${statusLabels[status]}</span>
        ${type === 'video' && 'Video · '}${item.modelName} · ${item.cost}
      </p>
      <p class="quiet">
        ${time(createdAt)} · made by ${item.madeBy}${isDeleted && ' · file deleted'}
      </p>
      ${error !== undefined && html`<p class="problem">${error.message}</p>`}
    </div>
  </li>`;
}

const path = '/history';
const names = ['q', 'state', 'model', 'by', 'day', 'before'] as const;

/** What the address of a history asks for; what it does not know is passed over. */
export type HistoryQuery = Partial<Record<(typeof names)[number], string>>;

/** Reads the query of a history's address. */
export function historyQuery(asked: Readonly<Record<string, unknown>>): HistoryQuery {
  return queryOf(asked, names);
}

/** What a query narrows the history down to. */
export function historyFilter({ q, state, model, by, day }: HistoryQuery): HistoryFilter {
  const from = day !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : NaN;
  return {
    ...(state !== undefined && Object.hasOwn(statusLabels, state)
      ? { status: state as keyof typeof statusLabels }
      : {}),
    ...(model !== undefined && { model }),
    ...(by === 'site' && { channel: 'pc' }),
    ...(by === 'api' && { channel: 'api' }),
    ...(by?.startsWith('key_') === true && { keyId: by }),
    ...(Number.isNaN(from) ? {} : { from, until: from + dayMs }),
    ...(q !== undefined && { words: searchWords(q) }),
  };
}

/** Whether a query narrows the history down at all. */
export function isNarrowed(query: HistoryQuery): boolean {
  return Object.keys(historyFilter(query)).length > 0;
}

/** The search in prompts, and links for state, model and key; the less usual ones folded. */
export function filterPart(query: HistoryQuery, { models }: Site, { keys }: Account): Html {
  const { q = '', day = '', state, model, by } = query;
  const kept = Object.entries({ state, model, by }).map(
    ([name, value]) =>
      value !== undefined && html`<input ${attributes({ type: 'hidden', name, value })} />`,
  );
  const states = Object.entries(statusLabels);
  const makers = keys.toReversed().map(({ id, name }) => [id, name] as const);
  return html`<form class="inline" action="${path}" role="search">
      ${kept.map((each) => each || null)}
      <label class="visually-hidden" for="q">Words of the prompt</label>
      <input
        ${attributes({ id: 'q', name: 'q', type: 'search', value: q, maxlength: 200, placeholder: 'Words of the prompt' })}
      />
      <label class="visually-hidden" for="day">Day (UTC)</label>
      <input ${attributes({ id: 'day', name: 'day', type: 'date', value: day })} />
      <button class="small">${icon('search')} Search</button>
      ${isNarrowed(query) && html`<a href="${path}">Show all</a>`}
    </form>
    ${filterLinks('State', path, query, 'state', [['', 'All'], ...states])}
    <details ${(model ?? by) !== undefined && html`open`}>
      <summary>Model and key</summary>
      ${filterLinks('Model', path, query, 'model', [['', 'All'], ...models.map(({ id, displayName }) => [id, displayName] as const)])}
      ${filterLinks('Made by', path, query, 'by', [['', 'All'], ['site', 'this site'], ['api', 'any key'], ...makers])}
    </details>`;
}

/** The address of the history of one key. */
export const historyOfKey = (keyId: string) => addressOf(path, { by: keyId });
