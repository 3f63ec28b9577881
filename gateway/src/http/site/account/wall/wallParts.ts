import type { Collection } from '../../../../application/ports/wall.ts';
import { isId } from '../../../../domain/ids.ts';
import { text } from '../../../../texts/text.ts';
import { tokenField } from '../../../pages/elements.ts';
import { ago, type Attributes, attributes, type Html, html } from '../../../pages/html.ts';
import { mayActOn } from '../acting.ts';
import { soonPart } from '../generations/generationStage.ts';
import type { GenerationSummary } from '../generations/generationSummary.ts';
import { ratioClass, thumbnail } from '../pictures.ts';
import type { SiteContext } from '../site.ts';

/** Maximum generations selected one by one, whose ids fit into a URL. */
export const maxSelected = 60;

/** The selected ids of a form or query, without others. */
export const selectedIds = (ids: readonly string[]): string[] =>
  [...new Set(ids)].filter((id) => isId('gen', id)).slice(0, maxSelected);

/** A URL of the history with this selection. */
export function withSelection(url: string, items: readonly { id: string }[]): string {
  const ids = items.slice(0, maxSelected).map(({ id }) => `id=${id}`);
  return `${url}${url.includes('?') ? '&' : '?'}${ids.join('&') || 'id='}`;
}

/** Whether this many generations can be compared. */
export const isComparable = (count: number): boolean => count >= 2 && count <= 4;

/**
 * Generations on the wall: each a picture in its true ratio with a box to select it, and two lines of text. The names
 * of box and heart are composed from texts that appear once on the page.
 */
export function wall(items: readonly Html[]): Html {
  return html`<span id="pick" hidden>${text('wall.pick')}</span
    ><span id="like" hidden>${text('wall.like')}</span>
    <ul class="wall" data-max="${maxSelected}">
      ${items}
    </ul>`;
}

/** One generation of the wall; a clip plays in place of its picture (wall.js). */
export function wallItem(item: GenerationSummary, isSelected: boolean): Html {
  const { id, label, output, error, createdAt, status, title } = item;
  const path = `/generations/${id}`;
  const facts = [item.modelName, item.cost, item.maker];
  const box = attributes({
    type: 'checkbox',
    name: 'id',
    value: id,
    form: 'wall',
    checked: isSelected,
    'aria-labelledby': `pick ${id}`,
  });
  const picture = attributes({
    class: 'thumb',
    href: path,
    tabindex: -1,
    'aria-hidden': 'true',
    'data-clip': output?.video_url,
  });
  return html`<li class="${ratioClass(item)}">
    <div class="piece">
      <a ${picture}>${thumbnail(item, item.poster)}</a
      ><label class="pick"><input ${box} /></label
      >${heart(item, { 'aria-labelledby': `like ${id}` })}
    </div>
    <a class="what" id="${id}" href="${path}" dir="auto">${title}</a>
    <p class="quiet">
      ${status !== 'completed' && html`<span class="${label.badge}">${label.words}</span>`}
      ${facts.filter(Boolean).join(' · ')} ·
      ${ago(createdAt)}${output?.deleted_at !== undefined && ` · ${text('wall.fileDeleted')}`}
    </p>
    ${item.removedSoonAt !== null && html`<div>${soonPart(item.removedSoonAt)}</div>`}
    ${error !== undefined && html`<p class="problem">${error.message}</p>`}
  </li>`;
}

/** Targets of hearts: add to the favourites, or remove from them. */
const favouritePaths = { add: '/history/favourites?to=yes', remove: '/history/favourites?to=no' };

/**
 * A button that adds a generation to the favourites, or removes it; it belongs to `heartsForm`.
 * @param others Attributes, such as the button's name for screen readers.
 * @param words Text next to the heart.
 */
export function heart(
  { id, isFavourite }: Pick<GenerationSummary, 'id' | 'isFavourite'>,
  others: Attributes = { 'aria-label': text('wall.favourite') },
  words = '',
): Html {
  const own = attributes({
    class: 'act heart',
    form: 'hearts',
    formaction: isFavourite ? favouritePaths.remove : undefined,
    name: 'id',
    value: id,
    'aria-pressed': isFavourite ? 'true' : 'false',
    title: text('wall.favourite'),
    // The name without the heart, which is content of the style sheet.
    ...(words !== '' && { 'aria-label': words }),
    ...others,
  });
  return html`<button ${own}>${words}</button>`;
}

/** The form of all hearts on a page. @param back Where the browser goes without the script. */
export function heartsForm(ctx: SiteContext, back: string): Html {
  return html`<form id="hearts" method="post" action="${favouritePaths.add}">
    ${tokenField(ctx)}<input type="hidden" name="back" value="${back}" />
    <input type="hidden" name="quiet" value="yes" />
  </form>`;
}

/** The contents of a page of the history, for actions on selected generations. */
export interface SelectionPage {
  /** Path of the page. */
  back: string;
  collections: readonly Collection[];
  /** The displayed collection. */
  collection: Collection | null;
  /** Whether only favourites are shown. */
  isFavourites: boolean;
}

/**
 * The form of the selection, with its actions. Its boxes are on the pictures (`form="wall"`). The form itself only
 * queries; each button that changes something sends the token as its own value, which keeps it out of URLs.
 */
export function selectionBar(ctx: SiteContext, page: SelectionPage): Html {
  const { back, collection, isFavourites } = page;
  const changing = (formaction: string) =>
    attributes({
      class: 'small second',
      formaction,
      formmethod: 'post',
      name: 'form_token',
      value: ctx.state.formToken,
    });
  const takeOut = isFavourites
    ? '/history/favourites?to=no'
    : `/collections/${collection?.id}/take-out`;
  return html`<form
    id="wall"
    action="/history/files.zip"
    class="selection"
    aria-label="${text('wall.selected')}"
  >
    <input type="hidden" name="back" value="${back}" />
    <button
      class="visually-hidden"
      tabindex="-1"
      aria-hidden="true"
      ${changing('/history/collections')}
    >
      ${text('wall.add')}
    </button>
    <output class="count" id="selected"></output>
    <button class="small second">${text('wall.download')}</button>
    <button class="small second" formaction="/history/compare">${text('wall.compare')}</button>
    ${!isFavourites && html`<button ${changing(favouritePaths.add)}>${text('wall.favourite')}</button>`}
    <details>
      <summary>${text('wall.addToCollection')}</summary>
      <div class="stack">${collectPanel(page, changing)}</div>
    </details>
    ${
      (isFavourites || (collection && mayActOn(ctx, 'change own collections', collection))) &&
      html`<button ${changing(takeOut)}>
        ${
          isFavourites
            ? text('wall.removeFromFavourites')
            : text('wall.removeFrom', { name: collection?.name ?? '' })
        }
      </button>`
    }
    <button class="small danger" formaction="/history/delete">${text('generation.delete')}</button>
  </form>`;
}

function collectPanel(
  { collections, collection }: SelectionPage,
  changing: (formaction: string) => Html,
): Html {
  const others = collections.filter(({ id }) => id !== collection?.id);
  const choices = others.map(({ id, name }) => html`<option value="${id}">${name}</option>`);
  return html`${
      others.length > 0 &&
      html`<label for="collection">${text('wall.collection')}</label>
        <select id="collection" name="collection">
          <option value="">${text('wall.newCollection')}</option>
          ${choices}
        </select>`
    }
    <label for="collection-name">${text('wall.newName')}</label>
    <input id="collection-name" name="name" maxlength="60" autocomplete="off" dir="auto" />
    <button ${changing('/history/collections')}>${text('wall.add')}</button>`;
}
