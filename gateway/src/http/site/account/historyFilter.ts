import type { HistoryFilter } from '../../../application/ports/generations.ts';
import type { Account } from '../../../domain/account.ts';
import { searchWords } from '../../../domain/text.ts';
import { dayMs } from '../../../domain/utcDay.ts';
import { addressOf, filterLinks, icon, queryOf } from '../../pages/elements.ts';
import { attributes, html, type Html } from '../../pages/html.ts';
import { statusLabels } from './pictures.ts';
import type { Site } from './site.ts';

const path = '/history';
const names = ['q', 'state', 'model', 'by', 'day', 'before'] as const;

/** Query of the history page, without unknown parameters. */
export type HistoryQuery = Partial<Record<(typeof names)[number], string>>;

/** Reads the query of the history page. */
export function historyQuery(asked: Readonly<Record<string, unknown>>): HistoryQuery {
  return queryOf(asked, names);
}

/** Converts a query into a filter. */
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

/** True if a query has an effective filter. */
export function isFiltered(query: HistoryQuery): boolean {
  return Object.keys(historyFilter(query)).length > 0;
}

/** Search in prompts and filters by state, model and key; the less common filters are collapsed. */
export function filterPart(query: HistoryQuery, site: Site, account: Account): Html {
  const { keys } = account;
  const models = site.modelsOf(account);
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
      ${isFiltered(query) && html`<a href="${path}">Show all</a>`}
    </form>
    ${filterLinks('State', path, query, 'state', [['', 'All'], ...states])}
    <details ${(model ?? by) !== undefined && html`open`}>
      <summary>Model and key</summary>
      ${filterLinks('Model', path, query, 'model', [['', 'All'], ...models.map(({ id, displayName }) => [id, displayName] as const)])}
      ${filterLinks('Made by', path, query, 'by', [['', 'All'], ['site', 'this site'], ['api', 'any key'], ...makers])}
    </details>`;
}

/** Address of the history of one key. */
export const historyOfKey = (keyId: string) => addressOf(path, { by: keyId });
