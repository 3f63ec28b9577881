import type { ApiKey, KeyHost } from '../../../domain/account.ts';
import { leftToday } from '../../../domain/dailyLimit.ts';
import { date, formatNumber, time } from '../../pages/format.ts';
import { attributes, html, type Attributes, type Html } from '../../pages/html.ts';
import { tokenField } from '../../pages/layout.ts';
import type { FormErrors } from './fields.ts';
import type { SiteContext } from './site.ts';

/** Where the keys are. */
export const keysPath = '/settings/public-api';

/** How long an old key may work on after its rotation. */
export const overlaps = [
  { hours: 24, label: 'for 24 hours' },
  { hours: 1, label: 'for one hour' },
  { hours: 168, label: 'for 7 days' },
  { hours: 0, label: 'no longer: it stops at once' },
] as const;

/** What the list of an account's keys is made of. */
interface KeyList {
  keys: readonly ApiKey[];
  /** When keys were last used, by id, in ms since the epoch. */
  uses: ReadonlyMap<string, number>;
  /** In ms since the epoch. */
  now: number;
  /** A random id of the page's forms. */
  formKey: string;
  asksPassword: boolean;
  /** The key whose own form has errors. */
  wrong: { keyId: string; errors: FormErrors } | null;
}

/** The keys that work, each with its forms. */
export function liveKeys(ctx: SiteContext, list: KeyList): Html | null {
  if (list.keys.length === 0) return null;
  const former = new Map(list.keys.map((key) => [key.id, formerOf(key, list.keys)]));
  const nested = new Set([...former.values()].flat());
  const items = list.keys
    .filter((key) => !nested.has(key))
    .map((key) => {
      const { id } = key;
      const errors = errorsOf(key, list);
      return html`<li id="${id}">
        ${keyHead(key, list)} ${messageOf(errors)} ${hostsPart(ctx, key, errors)}
        <div class="key-actions">
          ${limitPart(ctx, key, errors)} ${replacePart(ctx, key, list, errors)}
          ${revokePart(ctx, key)}
        </div>
        ${formerPart(ctx, former.get(id) ?? [], list)}
      </li>`;
    });
  return html`<h2>Your keys</h2>
    <ul class="rows keys">
      ${items}
    </ul>`;
}

/** The keys that a key was made in place of and that still work, the newest first. */
function formerOf({ id }: ApiKey, keys: readonly ApiKey[]): ApiKey[] {
  return keys
    .filter(({ replacedBy }) => replacedBy === id)
    .flatMap((key) => [key, ...formerOf(key, keys)]);
}

function errorsOf({ id }: ApiKey, { wrong }: KeyList): FormErrors | undefined {
  return wrong?.keyId === id ? wrong.errors : undefined;
}

function messageOf(errors: FormErrors | undefined): Html | null {
  if (errors === undefined || errors.message === '') return null;
  return html`<p class="problem" role="alert">${errors.message}</p>`;
}

/** Replaced keys under the one that took their place, where they cannot be taken for it. */
function formerPart(ctx: SiteContext, keys: readonly ApiKey[], list: KeyList): Html | null {
  if (keys.length === 0) return null;
  const items = keys.map((key) => {
    const { id, name, revokedAt } = key;
    const usedAt = list.uses.get(id);
    return html`<li id="${id}">
      <p>
        <strong>Replaced:</strong> ${name} ${shortKey(key)}
        <span class="tag warn">works until ${revokedAt !== null && time(revokedAt)}</span>
      </p>
      <p class="quiet">
        ${usedAt === undefined ? 'Not used yet' : html`Last used ${time(usedAt)}`}
      </p>
      ${messageOf(errorsOf(key, list))}
      <div class="key-actions">${revokePart(ctx, key)}</div>
    </li>`;
  });
  return html`<ul class="former">
    ${items}
  </ul>`;
}

/** Keys that no longer work, closed until they are asked for. */
export function revokedKeys(keys: readonly ApiKey[]): Html | null {
  if (keys.length === 0) return null;
  const items = keys.map(
    (key) =>
      html`<li>
        <div>
          ${key.name} ${shortKey(key)}
          <p class="quiet">Revoked ${key.revokedAt !== null && time(key.revokedAt)}</p>
        </div>
      </li>`,
  );
  return html`<details class="quiet-details">
    <summary>Revoked keys (${keys.length})</summary>
    <ul class="rows">
      ${items}
    </ul>
  </details>`;
}

/** A key in a sentence: its name and its last characters, which tell two of one name apart. */
export function keyInWords({ name, lastFour }: ApiKey): string {
  return `“${name}” …${lastFour}`;
}

/** A key as it can be recognised: its first and last characters. */
export function shortKey({ prefix, lastFour }: ApiKey): Html {
  return html`<code>${prefix}…${lastFour}</code>`;
}

function keyHead(key: ApiKey, { uses, now }: KeyList): Html {
  const { id, name, createdAt, revokedAt, models, dailyCredits } = key;
  const usedAt = uses.get(id);
  const left = leftToday(key, now);
  const limit =
    dailyCredits !== undefined &&
    ` · ${formatNumber(dailyCredits)} credits a day, ${formatNumber(left ?? 0)} left today (UTC)`;
  const end =
    revokedAt !== null && html`<span class="tag warn">works until ${time(revokedAt)}</span>`;
  return html`<div class="key-head">
    <h3>${name}</h3>
    ${shortKey(key)} ${end}
    <p class="quiet">
      Created ${date(createdAt)} ·
      ${usedAt === undefined ? 'not used yet' : html`last used ${time(usedAt)}`} ·
      ${models ? models.join(', ') : 'all models'}${limit}
    </p>
  </div>`;
}

/** The sentence under a field that is wrong, and the attributes that tie it to the field. */
function fieldError(id: string, message?: string): { tied: Attributes; sentence: Html | null } {
  if (message === undefined) return { tied: {}, sentence: null };
  return {
    tied: { 'aria-invalid': 'true', 'aria-describedby': `${id}-problem`, autofocus: true },
    sentence: html`<p class="problem" role="alert" id="${id}-problem">${message}</p>`,
  };
}

const hostStates: Readonly<Record<KeyHost['state'], { tag: string; label: string }>> = {
  approved: { tag: 'good', label: 'approved' },
  refused: { tag: 'bad', label: 'refused' },
  requested: { tag: 'warn', label: 'waits for approval' },
};

function hostsPart(ctx: SiteContext, { id, hosts }: ApiKey, errors?: FormErrors): Html {
  const items = hosts.map(({ rule, state }) => {
    const { tag, label } = hostStates[state];
    return html`<li><code>${rule}</code> <span class="tag ${tag}">${label}</span></li>`;
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
  return html`<div class="key-hosts">
    <h4>Input hosts</h4>
    ${
      hosts.length === 0
        ? html`<p class="quiet">None yet: this key makes videos and images from text only.</p>`
        : html`<ul class="hosts">
            ${items}
          </ul>`
    }
    <form action="${keysPath}/keys/${id}/hosts" method="post" class="inline">
      ${tokenField(ctx)}
      <label for="${field}">Ask for a host</label>
      <input ${input} />
      <button class="small">Ask</button>
      ${sentence}
    </form>
  </div>`;
}

function limitPart(
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
      The most that the key may spend in a day (UTC); empty for no limit. It counts from the next
      create on.
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

function replacePart(
  ctx: SiteContext,
  { id, name }: ApiKey,
  { formKey, asksPassword }: KeyList,
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
  return html`<details ${error !== undefined && html`open`}>
    <summary>Replace<span class="visually-hidden"> ${name}</span></summary>
    <form action="${keysPath}/keys/${id}/rotate" method="post">
      ${tokenField(ctx)}
      <input type="hidden" name="form_key" value="${formKey}-${id}" />
      <p>
        You get a new key with the same name, models, hosts and daily limit. The old one works on
      </p>
      <label class="visually-hidden" for="overlap-${id}">How long the old key works on</label>
      <select id="overlap-${id}" name="overlap">
        ${choices}
      </select>
      ${
        asksPassword &&
        html`<label for="${field}">Your password</label> <input ${input} /> ${sentence}`
      }
      <button class="small">Make the new key</button>
    </form>
  </details>`;
}

function revokePart(ctx: SiteContext, key: ApiKey): Html {
  const { id, name, lastFour } = key;
  return html`<details>
    <summary>Revoke<span class="visually-hidden"> ${name}</span> …${lastFour}</summary>
    <form action="${keysPath}/keys/${id}/revoke" method="post">
      ${tokenField(ctx)}
      <p>The key stops for good within five seconds. Generations under way go on.</p>
      <button class="small danger">Revoke ${keyInWords(key)}</button>
    </form>
  </details>`;
}
