import { pricingOf, type Model } from '@framegate/contract';
import {
  formatNumber,
  formatSeconds,
  attributes,
  html,
  type Attributes,
  type Html,
} from '../../pages/html.ts';
import { blank, thumbnail } from './pictures.ts';
import type { RecentWork } from './recentWork.ts';
import type { Site } from './site.ts';

/** One of several exclusive options. */
interface Choice {
  value: string;
  label: Html | string;
}

/** Radio buttons as tiles. @param how.reload Whether other options depend on the choice. */
export function choiceTiles(
  name: string,
  legend: string,
  choices: readonly Choice[],
  how: { value: string; class?: string; reload?: boolean; error?: string | undefined },
): Html {
  const id = `field-${name.replace(/[^a-z0-9]+/gi, '-')}`;
  const tiles = choices.map(({ value, label }) => {
    const own = attributes({
      type: 'radio',
      id: `${id}-${value.replace(/[^a-z0-9]+/gi, '-')}`,
      name,
      value,
      checked: value === how.value,
      'data-reload': how.reload === true,
    });
    return html`<label class="choice"><input ${own} /><span>${label}</span></label>`;
  });
  return html`<fieldset class="choices ${how.class}" id="${id}">
    <legend>${legend}</legend>
    <div>${tiles}</div>
    ${how.error !== undefined && html`<p class="problem">${how.error}</p>`}
  </fieldset>`;
}

/** Models as cards with the last result, price and usual duration. */
export function modelCards(
  site: Site,
  { chosen, models }: { chosen: Model; models: readonly Model[] },
  recent: RecentWork,
): Html {
  const choices = models.map((model) => {
    const { id, displayName, type, defaults } = model;
    const { per, credits } = pricingOf(model);
    const price = `${formatNumber(credits[defaults.resolution] ?? 0)} credits ${per === 'second' ? 'a second' : 'an image'}`;
    const last = recent.items.find(({ item, poster }) => item.model === id && poster !== null);
    const frame = last ? thumbnail(last.item, last.poster) : blank(id, type, 'completed');
    const label = html`<span class="thumb" aria-hidden="true">${frame}</span>
      <b>${displayName}</b>
      <small>${price}</small>
      ${speedOf(site, id)}`;
    return { value: id, label };
  });
  return choiceTiles('model', 'Model', choices, {
    value: chosen.id,
    class: 'models',
    reload: true,
  });
}

function speedOf({ durations, healthOf }: Site, modelId: string): Html {
  const health = healthOf(modelId);
  if (health === 'unavailable') return html`<small class="badge danger">Not available now</small>`;
  if (health === 'delayed') return html`<small class="badge warning">Delayed</small>`;
  return html`<small>about ${formatSeconds(durations.usual(modelId).median)}</small>`;
}

/** Aspect ratios as tiles with drawn shapes. */
export function ratioTiles(ratios: readonly string[], value: string): Html {
  const choices = ratios.map((ratio) => {
    const [across = 1, down = 1] = ratio.split(':').map(Number);
    const [width, height] = [across, down].map((side) => (20 * side) / Math.max(across, down));
    const shape = html`<svg class="icon" viewBox="-12 -12 24 24" aria-hidden="true">
      <rect
        ${attributes({ x: -Number(width) / 2, y: -Number(height) / 2, width, height, rx: 2 })}
        fill="none"
        stroke="currentColor"
        stroke-width="2"
      />
    </svg>`;
    return { value: ratio, label: html`${shape}${ratio}` };
  });
  return choiceTiles('parameters.aspect_ratio', 'Aspect ratio', choices, {
    value,
    class: 'ratios',
  });
}

/** Example prompts. */
export const examples = {
  video: [
    'A paper boat drifts down a rainy street at dusk, the camera low beside it',
    'Slow flight over a mountain lake at sunrise, mist between the trees',
    'A potter shapes a bowl, warm light from one window, close up',
  ],
  image: [
    'A lighthouse made of glass, early morning, wide view',
    'Breakfast on a balcony above the sea, seen from above',
    'Portrait of an old fox in a wool coat, studio light',
  ],
} as const;

/** Buttons that insert the example prompts. */
export function exampleButtons(type: Model['type']): Html {
  const buttons = examples[type].map((text, index) => {
    const own = formButton(`example-${index}`, `example:${index}`);
    return html`<button ${own}>${text.split(',')[0]}</button>`;
  });
  return html`<div class="inline" role="group" aria-label="Examples">${buttons}</div>`;
}

/**
 * Attributes of a button that changes the form. The script replaces the form in place; without it, the page
 * reloads.
 * @param action Action for `applyButton`.
 */
export function formButton(id: string, action: string, more: Attributes = {}): Html {
  return attributes({
    id,
    class: 'small',
    name: 'do',
    value: action,
    formaction: '/studio#what',
    'data-reload': true,
    ...more,
  });
}
