import { isLive, type ApiKey } from '../../../domain/account.ts';
import { leftToday } from '../../../domain/keyLimits.ts';
import { wideTable } from '../../pages/elements.ts';
import { ago, formatNumber, time, html, date, type Html } from '../../pages/html.ts';
import type { FormErrors } from './fields.ts';
import { historyOfKey } from './historyFilter.ts';
import { keysPath, hostsPart, limitPart, replacePart, revokePart } from './keyForms.ts';
import { monthlyLimitPart, monthPart } from './keyTeamParts.ts';
import type { SiteContext } from './site.ts';

/** Data of the list of keys. */
interface KeyList {
  keys: readonly ApiKey[];
  /** Time of last use by key id, in ms since the epoch. */
  uses: ReadonlyMap<string, number>;
  /** Current time, in ms since the epoch. */
  now: number;
  makerOf: (key: ApiKey) => Html | null;
}

/** Table of live keys; a replaced key appears below its successor. */
export function liveKeys(list: KeyList): Html | null {
  if (list.keys.length === 0) return null;
  const former = new Map(list.keys.map((key) => [key.id, formerOf(key, list.keys)]));
  const nested = new Set([...former.values()].flat());
  const rows = list.keys
    .filter((key) => !nested.has(key))
    .flatMap((key) => [
      keyRow(key, list, false),
      ...(former.get(key.id) ?? []).map((each) => keyRow(each, list, true)),
    ]);
  return html`<h2>Your keys</h2>
    ${wideTable('your keys', columns, rows, 'keys')}`;
}

const columns = [
  ...['Key', 'Last used', 'Credits today (UTC)', 'Hosts'],
  html`<span class="visually-hidden">Change</span>`,
];

/** Predecessors of a key that still work, newest first. */
function formerOf({ id }: ApiKey, keys: readonly ApiKey[]): ApiKey[] {
  return keys
    .filter(({ replacedBy }) => replacedBy === id)
    .flatMap((key) => [key, ...formerOf(key, keys)]);
}

function keyRow(key: ApiKey, { uses, now, makerOf }: KeyList, isFormer: boolean): Html {
  const { id, name, hosts } = key;
  const usedAt = uses.get(id);
  const waiting = hosts.filter(({ state }) => state === 'requested').length;
  const more = [endOf(key), makerOf(key)];
  const words = waiting > 0 ? `${hosts.length}, ${waiting} waiting` : String(hosts.length);
  return html`<tr id="${id}">
    <td>${isFormer && html`<strong>Replaced:</strong> `}${name} ${shortKey(key)} ${more}</td>
    <td>${usedAt === undefined ? 'not yet' : ago(usedAt)}</td>
    <td>${todayPart(key, now)}</td>
    <td>${words}</td>
    <td>
      <a href="${keysPath}/keys/${id}"
        >Manage<span class="visually-hidden"> ${name} …${key.lastFour}</span></a
      >
    </td>
  </tr>`;
}

/** Credits spent today of the daily limit, as a bar and as text. */
export function todayPart(key: ApiKey, now: number): Html {
  const left = leftToday(key, now);
  if (key.dailyCredits === undefined || left === null) {
    return html`<span class="quiet">no limit</span>`;
  }
  const used = Math.max(0, key.dailyCredits - left);
  const words = `${formatNumber(used)} of ${formatNumber(key.dailyCredits)}`;
  return html`<progress
      max="${Math.max(1, key.dailyCredits)}"
      value="${used}"
      aria-label="Spent today"
    >
      ${words}
    </progress>
    ${words}`;
}

/** End of a replaced key. */
export function endOf({ revokedAt }: ApiKey): Html | null {
  if (revokedAt === null) return null;
  return html`<span class="badge warning">works until ${time(revokedAt)}</span>`;
}

/** Collapsed list of revoked keys. */
export function revokedKeys(keys: readonly ApiKey[]): Html | null {
  if (keys.length === 0) return null;
  const items = keys.map(
    (key) =>
      html`<li>
        <div>
          ${key.name} ${shortKey(key)}
          <p class="quiet">Revoked ${key.revokedAt !== null && ago(key.revokedAt)}</p>
        </div>
      </li>`,
  );
  return html`<details>
    <summary>Revoked keys (${keys.length})</summary>
    <ul class="rows">
      ${items}
    </ul>
  </details>`;
}

/** First and last characters of a key. */
export function shortKey({ prefix, lastFour }: ApiKey): Html {
  return html`<code>${prefix}…${lastFour}</code>`;
}

/** Page of one key: its properties, and forms that change it. */
export function keyView(
  ctx: SiteContext,
  shown: {
    key: ApiKey;
    /** Who made it, for a team. */
    maker: Html | null;
    /** Time of last use, in ms since the epoch. */
    usedAt: number | undefined;
    /** Current time, in ms since the epoch. */
    now: number;
    /** A random id of the page's forms. */
    formKey: string;
    asksPassword: boolean;
    errors: FormErrors | undefined;
  },
): Html {
  const { key, maker, usedAt, now, errors } = shown;
  const { id, name, createdAt, models } = key;
  const isFormer = key.replacedBy !== undefined;
  const row = (label: string, value: Html | string) =>
    html`<dt>${label}</dt>
      <dd>${value}</dd>`;
  return html`<p class="crumb"><a href="${keysPath}">API keys</a></p>
    <h1>${name}</h1>
    <p>${shortKey(key)} ${endOf(key)} ${maker}</p>
    ${errors !== undefined && errors.message !== '' && html`<p class="problem" role="alert">${errors.message}</p>`}
    <dl class="facts">
      ${row('Created', date(createdAt))}
      ${row('Last used', usedAt === undefined ? 'not yet' : ago(usedAt))}
      ${row('Models', models ? models.join(', ') : 'all')}
      ${row('Credits today (UTC)', todayPart(key, now))}
      ${row('Credits this month (UTC)', monthPart(key, now))}
      ${row('Generations', html`<a href="${historyOfKey(id)}">History of this key</a>`)}
    </dl>
    ${
      isLive(key, now)
        ? html`${!isFormer && hostsPart(ctx, key, errors)}
            ${!isFormer && replacePart(ctx, key, shown, errors)}
            <h2>Change</h2>
            ${!isFormer && limitPart(ctx, key, errors)}
            ${!isFormer && monthlyLimitPart(ctx, key, errors)} ${revokePart(ctx, key)}`
        : html`<p class="notice warning">This key no longer works.</p>`
    }`;
}
