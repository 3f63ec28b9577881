import { isLive, type ApiKey } from '../../../domain/account.ts';
import { date, time, html, type Html } from '../../pages/html.ts';
import type { FormErrors } from './fields.ts';
import { historyOfKey } from './historyFilter.ts';
import { hostsPart, keysPath, limitPart, replacePart, revokePart } from './keyForms.ts';
import { endOf, shortKey, todayPart } from './keyList.ts';
import type { SiteContext } from './site.ts';

/** The page of one key: what it may do, what it has done, and the forms that change it. */
export function keyView(
  ctx: SiteContext,
  shown: {
    key: ApiKey;
    /** When it was last used, in ms since the epoch. */
    usedAt: number | undefined;
    /** In ms since the epoch. */
    now: number;
    /** A random id of the page's forms. */
    formKey: string;
    asksPassword: boolean;
    errors: FormErrors | undefined;
  },
): Html {
  const { key, usedAt, now, errors } = shown;
  const { id, name, createdAt, models } = key;
  const isFormer = key.replacedBy !== undefined;
  const row = (label: string, value: Html | string) =>
    html`<dt>${label}</dt>
      <dd>${value}</dd>`;
  return html`<p class="crumb"><a href="${keysPath}">API keys</a></p>
    <h1>${name}</h1>
    <p>${shortKey(key)} ${endOf(key)}</p>
    ${errors !== undefined && errors.message !== '' && html`<p class="problem" role="alert">${errors.message}</p>`}
    <dl class="facts">
      ${row('Created', date(createdAt))}
      ${row('Last used', usedAt === undefined ? 'not yet' : time(usedAt))}
      ${row('Models', models ? models.join(', ') : 'all')}
      ${row('Credits today (UTC)', todayPart(key, now))}
      ${row('Made with it', html`<a href="${historyOfKey(id)}">History of this key</a>`)}
    </dl>
    ${
      isLive(key, now)
        ? html`${!isFormer && hostsPart(ctx, key, errors)}
            ${!isFormer && replacePart(ctx, key, shown, errors)}
            <h2>Change</h2>
            ${!isFormer && limitPart(ctx, key, errors)} ${revokePart(ctx, key)}`
        : html`<p class="notice warning">This key works no longer.</p>`
    }`;
}
