import { html, type Html } from './html.ts';

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
