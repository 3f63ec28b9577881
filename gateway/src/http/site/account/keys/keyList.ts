import type { KeyUse } from '../../../../application/ports/site.ts';
import type { RequiredProof } from '../../../../application/signIn/proof.ts';
import { type ApiKey, isLive } from '../../../../domain/accounts/apiKey.ts';
import { text } from '../../../../texts/text.ts';
import { wideTable } from '../../../pages/elements.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { ago, date, type Html, html, richText, time } from '../../../pages/html.ts';
import { historyOfKey } from '../generations/historyFilter.ts';
import { keysPath } from '../settingsPaths.ts';
import type { SiteContext } from '../site.ts';
import { hostsPart, limitsPart, replacePart, revokePart, visuallyHidden } from './keyForms.ts';
import { monthPart, todayPart } from './keySpending.ts';

/** Data of the list of keys. */
interface KeyList {
  keys: readonly ApiKey[];
  /** Time of last use by key id, in ms since the epoch. */
  uses: ReadonlyMap<string, KeyUse>;
  /** Current time, in ms since the epoch. */
  nowMs: number;
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
  return html`<h2>${text('keys.yours')}</h2>
    ${wideTable(text('keys.yoursTable'), columns(), rows, 'keys')}`;
}

const columns = () => [
  text('keys.columnKey'),
  text('keys.lastUsed'),
  text('keys.today'),
  text('keys.columnHosts'),
  visuallyHidden(html`${text('keys.change')}`),
];

/** Predecessors of a key that still work, newest first. */
function formerOf({ id }: ApiKey, keys: readonly ApiKey[]): ApiKey[] {
  return keys
    .filter(({ replacedBy }) => replacedBy === id)
    .flatMap((key) => [key, ...formerOf(key, keys)]);
}

function keyRow(key: ApiKey, { uses, nowMs, makerOf }: KeyList, isFormer: boolean): Html {
  const { id, name, hosts } = key;
  const use = uses.get(id);
  const waiting = hosts.filter(({ state }) => state === 'requested').length;
  const all = hosts.length;
  const more = [keyEndBadge(key), makerOf(key)];
  const words = waiting > 0 ? text('keys.hostsWaiting', { all, waiting }) : String(all);
  const before = isFormer && html`<strong>${text('keys.replaced')}</strong> `;
  return html`<tr id="${id}">
    <td>${before}${name} <a href="${keysPath}/keys/${id}">${shortKey(key)}</a> ${more}</td>
    <td>${use === undefined ? text('keys.notYet') : ago(use.at)}</td>
    <td>${todayPart(key, nowMs)}</td>
    <td>${words}</td>
    <td>
      <a href="${keysPath}/keys/${id}"
        >${richText('keys.manage', { name, lastFour: key.lastFour, hidden: visuallyHidden })}</a
      >
    </td>
  </tr>`;
}

/** End of a replaced key. */
export function keyEndBadge({ revokedAt }: ApiKey): Html | null {
  if (revokedAt === null) return null;
  return html`<span class="badge warning"
    >${richText('keys.worksUntil', { time: time(revokedAt) })}</span
  >`;
}

/** Collapsed list of revoked keys. */
export function revokedKeys(keys: readonly ApiKey[]): Html | null {
  if (keys.length === 0) return null;
  const items = keys.map(
    (key) =>
      html`<li>
        <div>
          ${key.name} ${shortKey(key)}
          <p class="quiet">
            ${key.revokedAt !== null && richText('keys.revokedAt', { time: ago(key.revokedAt) })}
          </p>
        </div>
      </li>`,
  );
  return html`<details>
    <summary>${text('keys.revoked', { count: keys.length })}</summary>
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
  view: {
    key: ApiKey;
    /** The key's maker, for a team. */
    maker: Html | null;
    use: KeyUse | undefined;
    /** Current time, in ms since the epoch. */
    nowMs: number;
    /** A random id of the page's forms. */
    formKey: string;
    requiredProof: RequiredProof;
    errors: FormErrors | undefined;
  },
): Html {
  const { key, maker, use, nowMs, errors } = view;
  const { id, name, createdAt, models } = key;
  const isFormer = key.replacedBy !== undefined;
  const row = (label: string, value: Html | string) =>
    html`<dt>${label}</dt>
      <dd>${value}</dd>`;
  return html`<h1>${name}</h1>
    <p>${shortKey(key)} ${keyEndBadge(key)} ${maker}</p>
    ${errors !== undefined && errors.message !== '' && html`<p class="problem" role="alert">${errors.message}</p>`}
    <dl class="facts">
      ${row(text('keys.created'), date(createdAt))}
      ${row(text('keys.lastUsed'), use === undefined ? text('keys.notYet') : richText('keys.usedFrom', { ago: ago(use.at), address: use.address }))}
      ${row(text('keys.models'), models ? models.join(', ') : text('keys.allModels'))}
      ${row(text('keys.today'), todayPart(key, nowMs))}
      ${row(text('keys.thisMonth'), monthPart(key, nowMs))}
      ${row(text('keys.generations'), html`<a href="${historyOfKey(id)}">${text('keys.history')}</a>`)}
    </dl>
    ${
      isLive(key, nowMs)
        ? html`${!isFormer && hostsPart(ctx, key, errors)}
            ${!isFormer && replacePart(ctx, key, view, errors)}
            <h2>${text('keys.change')}</h2>
            ${!isFormer && limitsPart(ctx, key, errors)} ${revokePart(ctx, key)}`
        : html`<p class="notice warning">${text('keys.ended')}</p>`
    }`;
}
