import { presentPosters, type Addresses } from '../../application/generations/presentGeneration.ts';
import type { Generation } from '../../domain/generation.ts';
import { drawings } from './generated/icons.ts';
import { html, attributes, type Html } from './html.ts';

/**
 * A table that scrolls where the page is narrow.
 * @param label What it shows, for screen readers.
 * @param rows Rows with their cells, in the order of the columns.
 * @param className Of the table, where it has a look of its own.
 */
export function wideTable(
  label: string,
  columns: readonly (Html | string)[],
  rows: readonly Html[],
  className?: string,
): Html {
  return html`<div class="wide" tabindex="0" role="group" aria-label="Table: ${label}">
    <table ${className !== undefined && html`class="${className}"`}>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

/** Pixels of a picture that is as wide and has the shape that was asked for: its place is known before it loads. */
export function sizeOf({ parameters }: Pick<Generation, 'parameters'>, width: number) {
  const [across = 16, down = 9] = parameters.aspect_ratio.split(':').map(Number);
  return { width, height: Math.round((width * down) / across) };
}

/**
 * What was made: the player of a video, or the posters of images as links to the files.
 * @param urls Addresses of the files, none of which is deleted.
 * @param title What stands behind "Image 1 of 4" for those who do not see it.
 */
export function outputsPart(
  generation: Parameters<typeof presentPosters>[0] & Pick<Generation, 'parameters' | 'type'>,
  { addresses, now }: { addresses: Addresses; now: number },
  { urls, title }: { urls: readonly string[]; title: string },
): Html {
  const posters = presentPosters(generation, addresses, now, 960);
  const size = sizeOf(generation, 960);
  if (generation.type === 'video') {
    const [poster] = posters;
    const player = attributes({ src: urls[0], poster: poster ?? undefined, ...size });
    return html`<div class="result">
      <video
        controls
        playsinline
        preload="${poster === null ? 'metadata' : 'none'}"
        ${player}
        aria-label="The finished video"
      ></video>
    </div>`;
  }
  const images = urls.map((url, index) => {
    const alt = `Image ${index + 1} of ${urls.length}: ${title}`;
    const shown = attributes({ src: posters[index] ?? url, alt, loading: 'lazy', ...size });
    return html`<a href="${url}" rel="noreferrer"><img ${shown} /></a>`;
  });
  return html`<div class="result">${images}</div>`;
}

/** A name of one of the icons that the pages use. */
export type IconName = keyof typeof drawings;

/**
 * An icon beside words that say the same: screen readers pass over it. A new one is there after
 * `npm run generate`, which looks for calls such as `icon('play')`.
 */
export function icon(name: IconName): Html {
  const drawing: Html = { markup: drawings[name] };
  return html`<svg
    class="icon"
    viewBox="0 0 24 24"
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
  >
    ${drawing}
  </svg>`;
}

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

/** A button that the page's script shows where it can copy. @param id Of the element to copy. */
export function copyButton(id: string): Html {
  return html`<button type="button" class="small" data-copy="${id}" hidden>Copy</button>`;
}
