import type { ApiKey } from '../../../domain/account.ts';
import { leftToday } from '../../../domain/dailyLimit.ts';
import { date, formatNumber, time } from '../../pages/format.ts';
import { html, type Html } from '../../pages/html.ts';
import type { FormErrors } from './fields.ts';
import { hostsPart, limitPart, replacePart, revokePart } from './keyForms.ts';
import type { SiteContext } from './site.ts';

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
        <span class="badge warning">works until ${revokedAt !== null && time(revokedAt)}</span>
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
    revokedAt !== null && html`<span class="badge warning">works until ${time(revokedAt)}</span>`;
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
