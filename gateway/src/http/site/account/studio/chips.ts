import { attributes, type Html, html } from '../../../pages/html.ts';

/**
 * A chip of the composer: a button that shows a choice and opens a panel above it. One panel is open at a time, with
 * and without the script.
 * @param chip.id Identifies the chip after the script has replaced it, so that an open one stays open.
 * @param chip.label Name of the choice, for screen readers unless `chip.shown` is absent.
 * @param chip.shown The current choice.
 * @param chip.isOpen Set if the panel has a field with a problem.
 */
export function panelChip(chip: {
  id: string;
  label: string;
  shown?: Html | string;
  isOpen?: boolean;
  panel: Html;
}): Html {
  const { id, label, shown, isOpen = false, panel } = chip;
  const own = attributes({ class: 'chip', id, name: 'chips', open: isOpen });
  return html`<details ${own}>
    <summary>
      ${shown === undefined ? label : html`<span class="visually-hidden">${label}:</span> ${shown}`}
    </summary>
    <div class="panel">${panel}</div>
  </details>`;
}
