import type { Random } from '../../application/ports/system.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { AuditEntry } from '../../domain/staff/auditEntry.ts';
import { describeRefusal } from '../../texts/describeRefusal.ts';
import { urlOf, wideTable } from '../pages/elements.ts';
import { attributes, type Html, html } from '../pages/html.ts';
import { statusOf } from '../respondToErrors.ts';
import type { StaffContext } from './context.ts';

/** The text and the status of a refusal, for a page; any other error is rethrown. */
export function shownProblem(error: unknown): { problem: string; status: number } {
  if (!(error instanceof Refusal)) throw error;
  return { problem: describeRefusal(error), status: statusOf(error) };
}

/** Error message above a form, focused when the page loads. */
export function problemBox(problem: string): Html | null {
  return problem === ''
    ? null
    : html`<p class="notice danger" tabindex="-1" autofocus role="alert">${problem}</p>`;
}

/** Result of an action, from the last entry in the target's audit log. */
export function actionNotice(ctx: StaffContext, [last]: readonly AuditEntry[]): Html | null {
  if (ctx.query['done'] === undefined || !last) return null;
  return html`<p class="notice" role="status">${last.result}</p>`;
}

/** Colours of states; others are neutral. */
const tones: Readonly<Record<string, string>> = {
  completed: 'success',
  accepted: 'success',
  active: 'success',
  approved: 'success',
  done: 'success',
  'in service': 'success',
  'in effect': 'success',
  queued: 'progress',
  processing: 'progress',
  upcoming: 'progress',
  requested: 'warning',
  busy: 'warning',
  unknown: 'warning',
  failed: 'danger',
  refused: 'danger',
  suspended: 'danger',
  'circuit open': 'danger',
  withheld: 'danger',
  'not sold': 'danger',
};

/** A coloured badge for a state. */
export function badge(state: string): Html {
  return html`<span class="badge ${tones[state] ?? ''}">${state}</span>`;
}

/** A link to the page of a generation. */
export function generationLink(id: string): Html {
  return html`<a href="/staff/generations/${id}"><code>${id}</code></a>`;
}

/** @param email Shown in place of the id. */
export function accountLink(id: string, email?: string): Html {
  return html`<a href="/staff/accounts/${id}">${email ?? html`<code>${id}</code>`}</a>`;
}

/** The ids in a text that do not exist; null without any. */
export function missingPart(ids: readonly string[]): Html | null {
  if (ids.length === 0) return null;
  const names = ids.map((id, index) => html`${index > 0 && ', '}<code>${id}</code>`);
  return html`<p class="notice">Not found: ${names}</p>`;
}

/** A box of a list in a form. */
export function choiceBox(name: string, value: string, label: string, isTicked: boolean): Html {
  const own = { type: 'checkbox', name, value, 'aria-label': label, checked: isTicked };
  return html`<input ${attributes(own)} />`;
}

/** A list of names and values, without null values. */
export function facts(pairs: readonly (readonly [string, Html | string | number | null])[]): Html {
  const present = pairs.filter(([, value]) => value !== null);
  return html`<dl class="facts">
    ${present.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

/** A table, or the sentence `none` without rows. */
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
  // A column of checkboxes has no name.
  return wideTable(columns.find((name) => name !== '') ?? '', columns, lines);
}

/** Links to the confirmation pages for approving or refusing a host. */
export function hostLinks(accountId: string, keyId: string, rule: string, state: string): Html {
  const link = (slug: string, label: string) =>
    html`<a href="${urlOf(`/staff/accounts/${accountId}/${slug}`, { key: keyId, host: rule })}"
      >${label}</a
    > `;
  return html`${state !== 'approved' && link('approve-host', 'approve')}
  ${state !== 'refused' && link('refuse-host', 'refuse')}`;
}

/** Field for the reason of an action, at least three characters, which the audit log keeps. */
export function reasonField(value = ''): Html {
  return html`<label
    >Reason, for the audit log
    <input name="reason" value="${value}" maxlength="500" minlength="3" autocomplete="off" required
  /></label>`;
}

/** The id of the submitted form; null without one. */
export const formIdOf = ({ state }: StaffContext): string | null =>
  state.form.get('form_id').slice(0, 60) || null;

/** Hidden field with a random id that lets a form take effect only once. */
export function formIdField(random: Pick<Random, 'bytes'>): Html {
  const id = Buffer.from(random.bytes(15)).toString('base64url');
  return html`<input type="hidden" name="form_id" value="${id}" />`;
}
