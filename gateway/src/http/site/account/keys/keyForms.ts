import type { RequiredProof } from '../../../../application/signIn/proof.ts';
import type { ApiKey, KeyHost } from '../../../../domain/accounts/apiKey.ts';
import { mayInTeam } from '../../../../domain/teams/teamRoles.ts';
import { type FixedKey, text } from '../../../../texts/text.ts';
import { tokenField } from '../../../pages/elements.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { type Attributes, attributes, type Html, html, richText } from '../../../pages/html.ts';
import { keysPath } from '../settingsPaths.ts';
import { prefixedProofFields } from '../signIn/proofFields.ts';
import type { SiteContext } from '../site.ts';

/** Text linked to the API keys. */
export const keysLink = (inner: Html): Html => html`<a href="${keysPath}">${inner}</a>`;

/** Periods for which a replaced key may keep working. */
export const overlaps = [
  { hours: 24, label: 'keys.for24Hours' },
  { hours: 1, label: 'keys.forOneHour' },
  { hours: 168, label: 'keys.for7Days' },
  { hours: 0, label: 'keys.notAtAll' },
] as const;

/** A key in a sentence: its name and, to distinguish keys of the same name, its last characters. */
export function describeKey({ name, lastFour }: ApiKey): string {
  return text('keys.keyNamed', { name, lastFour });
}

/** Text for screen readers only. */
export const visuallyHidden = (inner: Html): Html =>
  html`<span class="visually-hidden">${inner}</span>`;

/** Error message of a field, with the attributes that associate it with the field. */
function fieldError(id: string, message?: string): { tied: Attributes; sentence: Html | null } {
  if (message === undefined) return { tied: {}, sentence: null };
  return {
    tied: { 'aria-invalid': 'true', 'aria-describedby': `${id}-problem`, autofocus: true },
    sentence: html`<p class="problem" role="alert" id="${id}-problem">${message}</p>`,
  };
}

const hostStates: Readonly<Record<KeyHost['state'], { tone: string; label: FixedKey }>> = {
  approved: { tone: 'success', label: 'keys.hostApproved' },
  refused: { tone: 'danger', label: 'keys.hostRefused' },
  requested: { tone: 'warning', label: 'keys.hostWaits' },
};

/** Input hosts of a key, with a form that requests another. */
export function hostsPart(ctx: SiteContext, { id, hosts }: ApiKey, errors?: FormErrors): Html {
  const items = hosts.map(({ rule, state }) => {
    const { tone, label } = hostStates[state];
    return html`<li><code>${rule}</code> <span class="badge ${tone}">${text(label)}</span></li>`;
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
    <h2>${text('keys.hostsTitle')}</h2>
    ${
      hosts.length === 0
        ? html`<p class="quiet">${text('keys.noHosts')}</p>`
        : html`<ul class="hosts">
            ${items}
          </ul>`
    }
    <form action="${keysPath}/keys/${id}/hosts" method="post" class="inline">
      ${tokenField(ctx)}
      <label for="${field}">${text('keys.requestHost')}</label>
      <input ${input} />
      <button class="small">${text('keys.request')}</button>
      ${sentence}
    </form>
  </div>`;
}

/** The limits of a key. */
const limits = {
  daily: {
    name: 'daily_credits',
    field: 'dailyCredits',
    action: 'limit',
    title: 'keys.limit',
    help: 'keys.limitHelp',
    label: 'keys.creditsADay',
  },
  monthly: {
    name: 'monthly_credits',
    field: 'monthlyCredits',
    action: 'month',
    title: 'keys.monthlyLimit',
    help: 'keys.monthlyLimitHelp',
    label: 'keys.creditsAMonth',
  },
} as const;

/** Forms for the limits of a key; the monthly one only for owners, since it restricts members. */
export function limitsPart(ctx: SiteContext, key: ApiKey, errors?: FormErrors): Html {
  return html`${limitForm(ctx, key, 'daily', errors)}
  ${mayInTeam(ctx.state.role, 'manage all keys') && limitForm(ctx, key, 'monthly', errors)}`;
}

function limitForm(
  ctx: SiteContext,
  key: ApiKey,
  limit: keyof typeof limits,
  errors?: FormErrors,
): Html {
  const { name, field, action, title, help, label } = limits[limit];
  const id = `${limit}-${key.id}`;
  const error = errors?.fields[field];
  const { tied, sentence } = fieldError(id, error);
  const hint = `${id}-hint`;
  const input = attributes({
    id,
    name,
    inputmode: 'numeric',
    autocomplete: 'off',
    value: error === undefined ? (key[field] ?? '') : ctx.state.form.get(name),
    ...tied,
    'aria-describedby': error === undefined ? hint : `${hint} ${id}-problem`,
  });
  return html`<details ${error !== undefined && html`open`}>
    <summary>${richText(title, { name: key.name, hidden: visuallyHidden })}</summary>
    <p id="${hint}">${text(help)}</p>
    <form action="${keysPath}/keys/${key.id}/${action}" method="post" class="inline">
      ${tokenField(ctx)}
      <label for="${id}">${text(label)}</label>
      <input ${input} />
      <button class="small">${text('keys.setLimit')}</button>
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
  { formKey, requiredProof }: { formKey: string; requiredProof: RequiredProof },
  errors?: FormErrors,
): Html {
  const chosen = ctx.state.form.get('overlap');
  const choices = overlaps.map(({ hours, label }) => {
    const option = attributes({ value: hours, selected: String(hours) === chosen });
    return html`<option ${option}>${text(label)}</option>`;
  });
  return html`<h2>${text('keys.replace')}</h2>
    <form action="${keysPath}/keys/${id}/rotate" method="post" class="card stack">
      ${tokenField(ctx)}
      <input type="hidden" name="form_key" value="${formKey}-${id}" />
      <p>${text('keys.replaceHelp')}</p>
      <label for="overlap">${text('keys.oldKeeps')}</label>
      <select id="overlap" name="overlap">
        ${choices}
      </select>
      ${prefixedProofFields(ctx, requiredProof, `replace ${id} `, errors)}
      <button class="small">${text('keys.createNew')}</button>
    </form>`;
}

/** Form that permanently revokes a key. */
export function revokePart(ctx: SiteContext, key: ApiKey): Html {
  const { id, name, lastFour } = key;
  return html`<details>
    <summary>${richText('keys.revoke', { name, lastFour, hidden: visuallyHidden })}</summary>
    <form action="${keysPath}/keys/${id}/revoke" method="post">
      ${tokenField(ctx)}
      <p>${text('keys.revokeHelp')}</p>
      <button class="small danger">${text('keys.revokeKey', { key: describeKey(key) })}</button>
    </form>
  </details>`;
}
