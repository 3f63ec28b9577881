import { html, type Html } from '../site/html.ts';

const stamp = (ms: number) => new Date(ms).toISOString().replace('T', ' ').slice(0, 23);

/** A moment to the millisecond, UTC. */
export function moment(ms: number | null): Html {
  if (ms === null || ms === 0) return html`<span class="quiet">–</span>`;
  return html`<time datetime="${new Date(ms).toISOString()}">${stamp(ms)}</time>`;
}

/** How long something took or has taken: `1.2 s`, `4 min 10 s`, `2 h 5 min`. */
export function span(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

const grouped = new Intl.NumberFormat('en-US');

/** A number with its thousands apart. */
export function count(number: number): string {
  return grouped.format(number);
}

/** A state in its colour. */
export function badge(state: string): Html {
  return html`<span class="badge ${state.replaceAll(/[^a-z]/g, '-')}">${state}</span>`;
}

/** A link to a generation's page. */
export function generationLink(id: string): Html {
  return html`<a href="/staff/generations/${id}"><code>${id}</code></a>`;
}

/** A link to an account's page. */
export function accountLink(id: string): Html {
  return html`<a href="/staff/accounts/${id}"><code>${id}</code></a>`;
}

/** Pairs of words. */
export function facts(pairs: readonly (readonly [string, Html | string | number | null])[]): Html {
  const shown = pairs.filter(([, value]) => value !== null);
  return html`<dl class="facts">
    ${shown.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

/** A table; a sentence where it has no rows. */
export function table(
  heads: readonly string[],
  rows: readonly (readonly (Html | string | number | null)[])[],
  none: string,
): Html {
  if (rows.length === 0) return html`<p class="quiet">${none}</p>`;
  return html`<div class="wide" tabindex="0" role="group" aria-label="Table: ${heads[0]}">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
