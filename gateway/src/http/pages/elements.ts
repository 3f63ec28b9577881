import {
  presentPosters,
  type PublicUrls,
} from '../../application/generations/presentGeneration.ts';
import type { OrderedResult } from '../../domain/generations/order.ts';
import { text } from '../../texts/text.ts';
import type { PageContext } from './context.ts';
import { drawings } from './generated/icons.ts';
import { attributes, type Html, html } from './html.ts';

/**
 * A table that scrolls horizontally on a narrow page.
 * @param label Description for screen readers.
 * @param rows Rows with cells in the order of the columns.
 * @param className CSS class of the table.
 */
export function wideTable(
  label: string,
  columns: readonly (Html | string)[],
  rows: readonly Html[],
  className?: string,
): Html {
  return html`<div
    class="wide"
    tabindex="0"
    role="group"
    aria-label="${text('parts.table', { label })}"
  >
    <table ${className !== undefined && html`class="${className}"`}>
      <thead>
        <tr>
          ${columns.map((column) => (column === '' ? html`<td></td>` : html`<th scope="col">${column}</th>`))}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

/** The sides of an aspect ratio such as `16:9`. */
export function parseRatio(ratio: string): { width: number; height: number } {
  const [width = 16, height = 9] = ratio.split(':').map(Number);
  return { width, height };
}

/** Size of an output in pixels, so that the page reserves its space before it loads. */
export function reservedSize(
  { parameters }: { parameters: { aspect_ratio: string } },
  width: number,
) {
  const ratio = parseRatio(parameters.aspect_ratio);
  return { width, height: Math.round((width * ratio.height) / ratio.width) };
}

/**
 * The outputs of a generation: a video player, or posters of images as links to the files.
 * @param urls Addresses of existing files.
 * @param title Text for screen readers after "Image 1 of 4".
 * @param plays Whether a video plays immediately, silently; the site's script stops it where motion is unwanted.
 */
export function outputsPart(
  generation: Parameters<typeof presentPosters>[0] & Pick<OrderedResult, 'type' | 'parameters'>,
  { publicUrls, nowMs }: { publicUrls: PublicUrls; nowMs: number },
  { urls, title, plays = false }: { urls: readonly string[]; title: string; plays?: boolean },
): Html {
  const posters = presentPosters(generation, publicUrls, nowMs, 960);
  const size = reservedSize(generation, 960);
  if (generation.type === 'video') {
    const [poster] = posters;
    const player = attributes({
      src: urls[0],
      poster: poster ?? undefined,
      ...size,
      autoplay: plays,
      muted: plays,
      loop: plays,
    });
    return html`<div class="result">
      <video
        controls
        playsinline
        preload="${poster === null ? 'metadata' : 'none'}"
        ${player}
        aria-label="${text('parts.video')}"
      ></video>
    </div>`;
  }
  const images = urls.map((url, index) => {
    const alt = text('parts.image', { number: index + 1, count: urls.length, title });
    const image = attributes({ src: posters[index] ?? url, alt, loading: 'lazy', ...size });
    return html`<a href="${url}" rel="noreferrer"><img ${image} /></a>`;
  });
  return html`<div class="result">${images}</div>`;
}

/** Name of an icon. */
export type IconName = keyof typeof drawings;

/**
 * An icon, hidden from screen readers because text next to it has the same meaning. `npm run generate` adds
 * the drawing for a new call such as `icon('play')`.
 */
export function icon(name: IconName): Html {
  return (drawn[name] ??= draw({ markup: drawings[name] }));
}

const drawn: Partial<Record<IconName, Html>> = {};

const draw = (drawing: Html): Html =>
  html`<svg
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

/** Query parameters of a page. */
export type Query = Readonly<Record<string, string | undefined>>;

/** A path with its query, without empty values. */
export function urlOf(path: string, query: Query): string {
  const pairs = Object.entries(query).filter((each): each is [string, string] => Boolean(each[1]));
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs).toString()}`;
}

/** The named query parameters that are given exactly once. */
export function queryOf(
  query: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = query[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}

/**
 * Links that filter a list by one value; the active one is marked.
 * @param choices Value and label. The first choice has an empty value and means no filter.
 */
export function filterLinks(
  label: string,
  path: string,
  query: Query,
  name: string,
  choices: readonly (readonly [value: string, label: string])[],
): Html {
  const links = choices.map(([value, words]) => {
    const isChosen = (query[name] ?? '') === value;
    const to = urlOf(path, { ...query, [name]: value, before: '' });
    return html`<a href="${to}" ${isChosen && html`aria-current="true"`}>${words}</a>`;
  });
  return html`<nav class="filters" aria-label="${label}">
    <span class="quiet">${label}</span> ${links}
  </nav>`;
}

/** Links to the next older page of a list and back to the newest. */
export function listLinks(path: string, query: Query, older: string | number | null): Html | null {
  const isFirst = (query['before'] ?? '') === '';
  if (isFirst && older === null) return null;
  return html`<p class="inline">
    ${!isFirst && html`<a href="${urlOf(path, { ...query, before: '' })}">${text('parts.newest')}</a> `}${
      older !== null &&
      html`<a href="${urlOf(path, { ...query, before: String(older) })}" rel="next"
        >${text('parts.older')}</a
      >`
    }
  </p>`;
}

/** A copy button, shown by the page's script if copying is possible. @param id Id of the element to copy. */
export function copyButton(id: string): Html {
  return html`<button type="button" class="small" data-copy="${id}" hidden>
    ${text('parts.copy')}
  </button>`;
}

/** Hidden field with the CSRF token, for every form. */
export function tokenField(ctx: PageContext): Html {
  return html`<input type="hidden" name="form_token" value="${ctx.state.formToken}" />`;
}

/** Button after a password field or its label; the script makes it reveal the password. */
export const revealButton = () =>
  html`<button type="button" class="small reveal only-script" aria-pressed="false">
    ${text('signIn.showPassword')}
  </button>`;
