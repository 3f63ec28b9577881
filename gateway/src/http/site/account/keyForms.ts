import type { ApiKey, KeyHost } from '../../../domain/account.ts';
import { attributes, html, type Attributes, type Html } from '../../pages/html.ts';
import { tokenField } from '../../pages/layout.ts';
import type { FormErrors } from './fields.ts';
import type { SiteContext } from './site.ts';

/** Path of the key pages. */
export const keysPath = '/settings/public-api';

/** Periods for which a replaced key may keep working. */
export const overlaps = [
  { hours: 24, label: 'for 24 hours' },
  { hours: 1, label: 'for one hour' },
  { hours: 168, label: 'for 7 days' },
  { hours: 0, label: 'not at all: it stops immediately' },
] as const;

/** A key in a sentence: its name and, to tell apart keys of the same name, its last characters. */
export function keyInWords({ name, lastFour }: ApiKey): string {
  return `“${name}” …${lastFour}`;
}

/** Error message of a field, with the attributes that associate it with the field. */
export function fieldError(
  id: string,
  message?: string,
): { tied: Attributes; sentence: Html | null } {
  if (message === undefined) return { tied: {}, sentence: null };
  return {
    tied: { 'aria-invalid': 'true', 'aria-describedby': `${id}-problem`, autofocus: true },
    sentence: html`<p class="problem" role="alert" id="${id}-problem">${message}</p>`,
  };
}

const hostStates: Readonly<Record<KeyHost['state'], { tone: string; label: string }>> = {
  approved: { tone: 'success', label: 'approved' },
  refused: { tone: 'danger', label: 'refused' },
  requested: { tone: 'warning', label: 'waits for approval' },
};

/** Input hosts of a key, with a form that requests another. */
export function hostsPart(ctx: SiteContext, { id, hosts }: ApiKey, errors?: FormErrors): Html {
  const items = hosts.map(({ rule, state }) => {
    const { tone, label } = hostStates[state];
    return html`<li><code>${rule}</code> <span class="badge ${tone}">${label}</span></li>`;
  });
  const field = `host-${id}`;
  const { tied, sentence } = fieldError(field, errors?.fields['host']);
  const input = attributes({
    id: field,
    name: 'host',
    value: errors ? ctx.state.form.get('host') : '',
    placeholder: 'media.example.com',
    ...tied,
  });
  return html`<div>
    <h2>Input hosts</h2>
    ${
      hosts.length === 0
        ? html`<p class="quiet">None yet: this key can use text prompts only.</p>`
        : html`<ul class="hosts">
            ${items}
          </ul>`
    }
    <form action="${keysPath}/keys/${id}/hosts" method="post" class="inline">
      ${tokenField(ctx)}
      <label for="${field}">Request a host</label>
      <input ${input} />
      <button class="small">Request</button>
      ${sentence}
    </form>
  </div>`;
}

/** Form for the daily limit of a key. */
export function limitPart(
  ctx: SiteContext,
  { id, name, dailyCredits }: ApiKey,
  errors?: FormErrors,
): Html {
  const field = `daily-${id}`;
  const error = errors?.fields['dailyCredits'];
  const { tied, sentence } = fieldError(field, error);
  const hint = `${field}-hint`;
  const input = attributes({
    id: field,
    name: 'daily_credits',
    inputmode: 'numeric',
    autocomplete: 'off',
    value: error === undefined ? (dailyCredits ?? '') : ctx.state.form.get('daily_credits'),
    ...tied,
    'aria-describedby': error === undefined ? hint : `${hint} ${field}-problem`,
  });
  return html`<details ${error !== undefined && html`open`}>
    <summary>Daily limit<span class="visually-hidden"> of ${name}</span></summary>
    <p id="${hint}">
      Maximum credits that the key can spend per day (UTC); empty for no limit. Applies from the
      next create.
    </p>
    <form action="${keysPath}/keys/${id}/limit" method="post" class="inline">
      ${tokenField(ctx)}
      <label for="${field}">Credits a day</label>
      <input ${input} />
      <button class="small">Set the limit</button>
      ${sentence}
    </form>
  </details>`;
}

/**
 * Form that replaces a key by a new one.
 * @param list.formKey A random id of the form, so that a repeated submission creates no second key.
 */
export function replacePart(
  ctx: SiteContext,
  { id }: ApiKey,
  { formKey, asksPassword }: { formKey: string; asksPassword: boolean },
  errors?: FormErrors,
): Html {
  const field = `current-${id}`;
  const error = errors?.fields['current'];
  const { tied, sentence } = fieldError(field, error);
  const input = attributes({
    id: field,
    name: 'current_password',
    type: 'password',
    autocomplete: 'current-password',
    ...tied,
  });
  const choices = overlaps.map(
    ({ hours, label }) => html`<option value="${hours}">${label}</option>`,
  );
  return html`<h2>Replace</h2>
    <form action="${keysPath}/keys/${id}/rotate" method="post" class="card stack">
      ${tokenField(ctx)}
      <input type="hidden" name="form_key" value="${formKey}-${id}" />
      <p>The new key has the same name, models, hosts and daily limit.</p>
      <label for="overlap">The old key keeps working</label>
      <select id="overlap" name="overlap">
        ${choices}
      </select>
      ${
        asksPassword &&
        html`<label for="${field}">Your password</label> <input ${input} /> ${sentence}`
      }
      <button class="small">Create the new key</button>
    </form>`;
}

/** Form that permanently revokes a key. */
export function revokePart(ctx: SiteContext, key: ApiKey): Html {
  const { id, name, lastFour } = key;
  return html`<details>
    <summary>Revoke<span class="visually-hidden"> ${name}</span> …${lastFour}</summary>
    <form action="${keysPath}/keys/${id}/revoke" method="post">
      ${tokenField(ctx)}
      <p>The key stops working within five seconds. Running generations continue.</p>
      <button class="small danger">Revoke ${keyInWords(key)}</button>
    </form>
  </details>`;
}
