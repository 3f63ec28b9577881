import type { HistoryFilter } from '../../../../application/ports/generations.ts';
import type { Collection } from '../../../../application/ports/wall.ts';
import { isId } from '../../../../domain/ids.ts';
import { peopleOf } from '../../../../domain/teams/team.ts';
import { searchWords } from '../../../../domain/text/text.ts';
import { parseDay } from '../../../../domain/time/utcDay.ts';
import { text } from '../../../../texts/text.ts';
import { filterLinks, icon, queryOf, urlOf } from '../../../pages/elements.ts';
import { attributes, type Html, html } from '../../../pages/html.ts';
import { dayField } from '../fields.ts';
import { namedKeys } from '../keys/keyTeamParts.ts';
import { statusLabels } from '../pictures.ts';
import { accountOf, type Site, type SiteContext } from '../site.ts';
import { bySite } from './generationSummary.ts';

/** Path of the history. */
export const historyPath = '/history';
const names = ['q', 'state', 'model', 'by', 'day', 'in', 'before'] as const;

/** Value of the parameter `in` that shows favourites only; any other is the id of a collection. */
export const favourites = 'favourites';

/** Query of the history page, without unknown parameters. */
export type HistoryQuery = Partial<Record<(typeof names)[number], string>>;

/** Reads the query of the history page. */
export function parseHistoryQuery(query: Readonly<Record<string, unknown>>): HistoryQuery {
  return queryOf(query, names);
}

/** Converts a query into a filter. */
export function historyFilter({
  q,
  state,
  model,
  by,
  day,
  in: place,
}: HistoryQuery): HistoryFilter {
  return {
    ...(state !== undefined && Object.hasOwn(statusLabels, state)
      ? { status: state as keyof typeof statusLabels }
      : {}),
    ...(model !== undefined && { model }),
    ...(by === 'site' && { channel: 'pc' }),
    ...(by === 'api' && { channel: 'api' }),
    ...(by?.startsWith('key_') === true && { keyId: by }),
    ...(by !== undefined && isId('acct', by) && { madeBy: by }),
    ...parseDay(day ?? ''),
    ...(place === favourites && { isFavourite: true }),
    ...(place !== undefined && isId('col', place) && { collectionId: place }),
    ...(q !== undefined && { words: searchWords(q) }),
  };
}

/** The query without its page, as text: a list that can be chosen as a whole (`queryOfList`). */
export function listKeyOf(query: HistoryQuery): string {
  return urlOf('', { ...query, before: '' }).slice(1);
}

/** The query of a list named by `listKeyOf`. */
export function queryOfList(list: string): HistoryQuery {
  return parseHistoryQuery(Object.fromEntries(new URLSearchParams(list)));
}

/** True if a query has an effective filter. */
export function isFiltered(query: HistoryQuery): boolean {
  return Object.keys(historyFilter(query)).length > 0;
}

/** Search in prompts and filters by state, model, key and member; the less common filters are collapsed. */
export function filterPart(
  query: HistoryQuery,
  site: Site,
  ctx: SiteContext,
  collections: readonly Collection[],
): Html {
  const account = accountOf(ctx);
  const keys = namedKeys(ctx, account);
  const models = site.modelsOf(account);
  const { q = '', day = '', state, model, by, in: place } = query;
  const hiddenFields = Object.entries({ state, model, by, in: place }).map(
    ([name, value]) =>
      value !== undefined && html`<input ${attributes({ type: 'hidden', name, value })} />`,
  );
  const states = Object.entries(statusLabels).map(
    ([value, label]) => [value, text(label)] as const,
  );
  const all = ['', text('history.all')] as const;
  const places = [
    ['', text('history.everything')],
    [favourites, text('history.favourites')],
    ...collections.map(({ id, name }) => [id, name] as const),
  ] as const;
  const makers = keys.toReversed().map(({ id, name }) => [id, name] as const);
  const people = [...peopleOf(account)].map(([id, name]) => [id, bySite(name)] as const);
  return html`<form class="inline" action="${historyPath}" role="search">
      ${hiddenFields.map((each) => each || null)}
      <label class="visually-hidden" for="q">${text('history.words')}</label>
      <input
        ${attributes({ id: 'q', name: 'q', type: 'search', value: q, maxlength: 200, placeholder: text('history.words') })}
      />
      ${dayField(day)}
      <button class="small">${icon('search')} ${text('history.search')}</button>
      ${isFiltered(query) && html`<a href="${historyPath}">${text('history.showAll')}</a>`}
    </form>
    <div class="inline">
      ${filterLinks(text('history.show'), historyPath, query, 'in', places)}
      ${filterLinks(text('history.state'), historyPath, query, 'state', [all, ...states])}
    </div>
    <details ${(model ?? by) !== undefined && html`open`}>
      <summary>${text('history.modelAndKey')}</summary>
      ${filterLinks(text('generation.model'), historyPath, query, 'model', [all, ...models.map(({ id, displayName }) => [id, displayName] as const)])}
      ${filterLinks(text('generation.madeBy'), historyPath, query, 'by', [all, ['site', text('site.studio')], ...people, ['api', text('history.anyKey')], ...makers])}
    </details>`;
}

/** Path of the history of one collection. */
export const collectionQuery = (id: string) => urlOf(historyPath, { in: id });

/** Path of the history of one key. */
export const historyOfKey = (keyId: string) => urlOf(historyPath, { by: keyId });
