import { drawings } from './generated/icons.ts';
import { html, type Html } from './html.ts';

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
