import { type Model, pricingOf } from '@framegate/contract';
import { saleHealthOf } from '../../../../application/generations/reads.ts';
import { type FixedKey, text } from '../../../../texts/text.ts';
import {
  type Attributes,
  attributes,
  formatNumber,
  formatSeconds,
  type Html,
  html,
} from '../../../pages/html.ts';
import { shownAt } from '../../showpieceFiles.ts';
import { blank, thumbnail } from '../pictures.ts';
import type { Site } from '../site.ts';
import type { RecentWork } from './recentWork.ts';

/** One of several exclusive options. */
interface Choice {
  value: string;
  label: Html | string;
}

/** Radio buttons as tiles. Other options depend on the choice. */
export function choiceTiles(
  name: string,
  legend: string,
  choices: readonly Choice[],
  how: { value: string; class?: string },
): Html {
  const id = `field-${name.replace(/[^a-z0-9]+/gi, '-')}`;
  const tiles = choices.map(({ value, label }) => {
    const own = attributes({
      type: 'radio',
      id: `${id}-${value.replace(/[^a-z0-9]+/gi, '-')}`,
      name,
      value,
      checked: value === how.value,
      'data-reload': true,
    });
    return html`<label class="choice"><input ${own} /><span>${label}</span></label>`;
  });
  return html`<fieldset class="choices ${how.class}" id="${id}">
    <legend>${legend}</legend>
    <div>${tiles}</div>
  </fieldset>`;
}

/** Models as cards with a picture (the account's latest result or the model's showpiece), price and usual duration. */
export function modelCards(
  site: Site,
  { chosen, models }: { chosen: Model; models: readonly Model[] },
  recent: RecentWork,
): Html {
  const choices = models.map((model) => {
    const { id, displayName, type, defaults } = model;
    const { per, credits } = pricingOf(model);
    const price = text(per === 'second' ? 'studio.perSecond' : 'studio.perImage', {
      credits: formatNumber(credits[defaults.resolution] ?? 0),
    });
    const last = recent.items.find(({ item, poster }) => item.model === id && poster !== null);
    const showpiece = site.deps.brand.showpieces.find((each) => each.model === id);
    const frame = last
      ? thumbnail(last.item, last.poster)
      : showpiece
        ? html`<img src="${shownAt(showpiece.picture)}" alt="" loading="lazy" />`
        : blank(id, type, 'completed');
    const label = html`<span class="thumb" aria-hidden="true">${frame}</span>
      <b>${displayName}</b>
      <small>${price}</small>
      ${speedOf(site, id)}`;
    return { value: id, label };
  });
  return choiceTiles('model', text('generation.model'), choices, {
    value: chosen.id,
    class: 'models',
  });
}

function speedOf({ deps }: Site, modelId: string): Html {
  const health = saleHealthOf(deps, modelId);
  if (health === 'unavailable') {
    return html`<small class="badge danger">${text('studio.notAvailable')}</small>`;
  }
  if (health === 'delayed') {
    return html`<small class="badge warning">${text('studio.delayed')}</small>`;
  }
  return html`<small
    >${text('studio.about', { seconds: formatSeconds(deps.durations.usual(modelId).median) })}</small
  >`;
}

/** Example prompts. */
const examples: Readonly<Record<Model['type'], readonly FixedKey[]>> = {
  video: ['studio.video1', 'studio.video2', 'studio.video3'],
  image: ['studio.image1', 'studio.image2', 'studio.image3'],
};

/** An example prompt; null if there is none with this number. */
export function examplePrompt(type: Model['type'], index: number): string | null {
  const key = examples[type][index];
  return key === undefined ? null : text(key);
}

/** Buttons that insert the example prompts. */
export function exampleButtons(type: Model['type']): Html {
  const buttons = examples[type].map((key, index) => {
    const own = formButton(`example-${index}`, `example:${index}`, { class: 'second' });
    return html`<button ${own}>${text(key)}</button>`;
  });
  return html`<div class="examples" role="group" aria-label="${text('studio.examples')}">
    ${buttons}
  </div>`;
}

/**
 * Attributes of a button that changes the form, from anywhere on the page. The script replaces the form in place;
 * without it, the page reloads.
 * @param action Action for `applyButton`.
 */
export function formButton(id: string, action: string, more: Attributes = {}): Html {
  return attributes({
    id,
    class: 'small',
    form: 'studio',
    name: 'do',
    value: action,
    'data-reload': true,
    ...more,
  });
}
