import { html, type Html } from './html.ts';

/** The query of a page's address, by name. */
export type Query = Readonly<Record<string, string | undefined>>;

/** A path with a query, in which empty values are left out. */
export function addressOf(path: string, query: Query): string {
  const given = Object.entries(query).filter((each): each is [string, string] => Boolean(each[1]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** The values of a request's query that are named and given once. */
export function queryOf(
  asked: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = asked[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}

/**
 * Links of which each narrows a list down by one value, the one that holds marked.
 * @param choices Value and label; the first stands for no choice, with an empty value.
 */
export function filterLinks(
  label: string,
  path: string,
  query: Query,
  name: string,
  choices: readonly (readonly [value: string, label: string])[],
): Html {
  const links = choices.map(([value, text]) => {
    const isChosen = (query[name] ?? '') === value;
    const to = addressOf(path, { ...query, [name]: value, before: '' });
    return html`<a href="${to}" ${isChosen && html`aria-current="true"`}>${text}</a>`;
  });
  return html`<nav class="filters" aria-label="${label}">
    <span class="quiet">${label}</span> ${links}
  </nav>`;
}

/** A link to the page of a list that is older than this one, and one back to the newest. */
export function listLinks(path: string, query: Query, older: string | number | null): Html | null {
  const isFirst = (query['before'] ?? '') === '';
  if (isFirst && older === null) return null;
  return html`<p class="inline">
    ${!isFirst && html`<a href="${addressOf(path, { ...query, before: '' })}">Newest</a> `}${
      older !== null &&
      html`<a href="${addressOf(path, { ...query, before: String(older) })}">Older</a>`
    }
  </p>`;
}
