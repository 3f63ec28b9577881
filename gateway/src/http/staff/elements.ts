import { html, type Html } from '../pages/html.ts';
import { wideTable } from '../pages/elements.ts';

/** What colour a state has; the others have the quiet one. */
const tones: Readonly<Record<string, string>> = {
  completed: 'success',
  accepted: 'success',
  active: 'success',
  approved: 'success',
  done: 'success',
  'in service': 'success',
  queued: 'progress',
  processing: 'progress',
  requested: 'warning',
  busy: 'warning',
  unknown: 'warning',
  failed: 'danger',
  refused: 'danger',
  suspended: 'danger',
  'closed off': 'danger',
};

/** A state in its colour. */
export function badge(state: string): Html {
  return html`<span class="badge ${tones[state] ?? ''}">${state}</span>`;
}

/** A link to a generation's page. */
export function generationLink(id: string): Html {
  return html`<a href="/staff/generations/${id}"><code>${id}</code></a>`;
}

/** A link to an account's page. */
export function accountLink(id: string): Html {
  return html`<a href="/staff/accounts/${id}"><code>${id}</code></a>`;
}

/** Names and values; a value of null leaves its pair out. */
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
  columns: readonly string[],
  rows: readonly (readonly (Html | string | number | null)[])[],
  none: string,
): Html {
  if (rows.length === 0) return html`<p class="quiet">${none}</p>`;
  const lines = rows.map(
    (cells) =>
      html`<tr>
        ${cells.map((cell) => html`<td>${cell}</td>`)}
      </tr>`,
  );
  return wideTable(columns[0] ?? '', columns, lines);
}

/** Links to the pages that decide about a host. */
export function hostLinks(accountId: string, keyId: string, rule: string, state: string): Html {
  const link = (slug: string, label: string) =>
    html`<a
      href="/staff/accounts/${accountId}/${slug}?key=${keyId}&amp;host=${encodeURIComponent(rule)}"
      >${label}</a
    > `;
  return html`${state === 'approved' ? null : link('approve-host', 'approve')}
  ${state === 'refused' ? null : link('refuse-host', 'refuse')}`;
}
