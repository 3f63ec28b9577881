import type { Model } from '@framegate/contract';
import type { IssuedKey } from '../../../../application/keys/ownKeys.ts';
import type { RequiredProof } from '../../../../application/signIn/proof.ts';
import type { ApiKey } from '../../../../domain/accounts/apiKey.ts';
import { refundRule } from '../../../../domain/credits/refund.ts';
import { quoteForShell } from '../../../../domain/text/quoteForShell.ts';
import { text } from '../../../../texts/text.ts';
import { copyButton, icon, tokenField } from '../../../pages/elements.ts';
import type { Form } from '../../../pages/form.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { attributes, type Html, html, richText } from '../../../pages/html.ts';
import { toolRow } from '../../clients/toolRow.ts';
import type { DocsFacts } from '../../docs/facts.ts';
import { formFields } from '../fields.ts';
import { factorPath, keysPath } from '../settingsPaths.ts';
import { requiredProofFields } from '../signIn/proofFields.ts';
import type { Site, SiteContext } from '../site.ts';
import { revokePart } from './keyForms.ts';
import { keyEndBadge, shortKey } from './keyList.ts';

/** The page of all keys. */
export function keysView(parts: {
  facts: DocsFacts;
  live: Html | null;
  newKey: Html;
  revoked: Html | null;
  /** Whether keys for real-person mode require a second factor that the account lacks. */
  lacksFactor: boolean;
  /** Whether the person may open a page. */
  mayOpen: (path: string) => boolean;
}): Html {
  const link = (inner: Html) => html`<a href="/docs">${inner}</a>`;
  const url = html`<code>${parts.facts.baseUrl}</code>`;
  return html`<h1>${text('site.keys')}</h1>
    <p>${richText('keys.intro', { link, url })}</p>
    ${parts.lacksFactor && factorWanted()} ${parts.live} ${parts.newKey} ${parts.revoked}
    ${toolRow(parts.facts)} ${troubleshooting(parts.mayOpen)}`;
}

function factorWanted(): Html {
  const link = (inner: Html) => html`<a href="${factorPath}">${inner}</a>`;
  return html`<p class="notice warning">${richText('keys.factorWanted', { link })}</p>`;
}

/** Form for a new key. */
export function newKeyForm(
  ctx: SiteContext,
  view: {
    form: Form;
    /** A random id of the page's forms. */
    formKey: string;
    requiredProof: RequiredProof;
    models: readonly Model[];
    autoApprovedHosts: readonly string[];
    errors?: FormErrors | undefined;
    /** Opens the panel because there is no key yet. */
    isFirst: boolean;
  },
): Html {
  const { form, errors, autoApprovedHosts, isFirst } = view;
  const fields = formFields(form, errors);
  const name = fields.input('name', text('keys.name'), {
    hint: text('keys.nameHint'),
    maxlength: 64,
    autocomplete: 'off',
    required: true,
  });
  const approved = autoApprovedHosts.join(', ');
  const hosts = fields.text('hosts', text('keys.hosts'), {
    hint: approved === '' ? text('keys.hostsHint') : text('keys.hostsHintApproved', { approved }),
    rows: 2,
  });
  const dailyCredits = fields.input('daily_credits', text('keys.dailyCredits'), {
    errorName: 'dailyCredits',
    hint: text('keys.dailyCreditsHint'),
    inputmode: 'numeric',
    autocomplete: 'off',
  });
  const isOpen = isFirst || errors !== undefined || form.get('name') !== '';
  return html`<details id="new" ${isOpen && html`open`}>
    <summary class="button">${icon('plus')} ${text('keys.new')}</summary>
    ${fields.errorSummary()}
    <form action="${keysPath}/keys" method="post" class="card" novalidate>
      ${tokenField(ctx)}
      <input type="hidden" name="form_key" value="${view.formKey}" />
      ${name} ${hosts} ${dailyCredits} ${modelChoice(view.models, form.all('models'), errors)}
      ${requiredProofFields(ctx, view.requiredProof, fields)}
      <button class="button">${text('keys.create')}</button>
    </form>
  </details>`;
}

function modelChoice(
  models: readonly Model[],
  chosen: readonly string[],
  errors?: FormErrors,
): Html {
  const error = errors?.fields['models'];
  const choices = models.map(({ id, displayName }) => {
    const box = attributes({
      type: 'checkbox',
      name: 'models',
      value: id,
      checked: chosen.includes(id),
    });
    return html`<label><input ${box} /> ${displayName}</label>`;
  });
  return html`<fieldset
    id="field-models"
    ${error !== undefined && html`aria-describedby="models-problem"`}
  >
    <legend>${text('keys.allowedModels')}</legend>
    <div class="checks">${choices}</div>
    ${error !== undefined && html`<p class="problem" id="models-problem">${error}</p>`}
  </fieldset>`;
}

/** Messages of the API and their remedies. */
function troubleshooting(mayOpen: (path: string) => boolean): Html {
  const header = (name: string) => ({ header: html`<code>${name}</code>` });
  const to = (path: string) => ({
    link: (inner: Html) => (mayOpen(path) ? html`<a href="${path}">${inner}</a>` : inner),
  });
  const share = text(refundRule.wordsKey);
  const responses = [
    [text('keys.wrong401'), richText('keys.wrong401Help', header('Authorization: Bearer'))],
    [text('keys.wrong403'), richText('keys.wrong403Help')],
    [text('keys.wrong402'), richText('keys.wrong402Help', to('/credits'))],
    [text('keys.wrongDaily'), richText('keys.wrongDailyHelp')],
    [text('keys.wrong429'), richText('keys.wrong429Help', header('Retry-After'))],
    [text('keys.timedOut'), richText('keys.timedOutHelp', header('Idempotency-Key'))],
    [text('keys.failed'), richText('keys.failedHelp', { share, ...to('/history') })],
  ] as const;
  return html`<details>
    <summary>${text('keys.troubleshooting')}</summary>
    <dl>
      ${responses.map(
        ([problem, help]) =>
          html`<dt>${problem}</dt>
            <dd>${help}</dd>`,
      )}
    </dl>
  </details>`;
}

/** Page that shows a new key, only once, with instructions. */
export function madeKeyView(ctx: SiteContext, title: string, issued: IssuedKey, site: Site): Html {
  const { apiKey, former } = issued;
  return html`<h1>${title}</h1>
    ${apiKey === null ? alreadyMade(issued) : newKeyParts(issued, apiKey, site)}
    ${former && formerPart(ctx, former)}
    <p><a class="button" href="${keysPath}">${text('keys.toKeys')}</a></p>`;
}

/** The replaced key, with a form to revoke it. */
function formerPart(ctx: SiteContext, former: ApiKey): Html {
  return html`<h2>${text('keys.oldKey')}</h2>
    <p>${shortKey(former)} ${keyEndBadge(former)}<br />${text('keys.oldKeyHelp')}</p>
    ${revokePart(ctx, former)}`;
}

function alreadyMade({ key }: IssuedKey): Html {
  const { name } = key;
  return html`<p>${richText('keys.alreadyMade', { name, key: shortKey(key) })}</p>`;
}

function newKeyParts({ key }: IssuedKey, apiKey: string, site: Site): Html {
  const { baseUrl } = site.deps.publicUrls;
  const waiting = key.hosts.filter(({ state }) => state === 'requested').map(({ rule }) => rule);
  const model = videoModelOf(key, site);
  const order = { model, mode: 'text-to-video', prompt: 'A paper boat at sunrise' };
  const curl = [
    `curl -sS ${quoteForShell(`${baseUrl}/videos`)} \\`,
    `  -H "Authorization: Bearer ${apiKey}" \\`,
    '  -H "Idempotency-Key: order-$(date +%s)" -H "Content-Type: application/json" \\',
    `  -d ${quoteForShell(JSON.stringify(order))}`,
  ].join('\n');
  return html`<p class="notice" role="status">
      ${richText('keys.copyNow', { strong: (inner) => html`<strong>${inner}</strong>` })}
    </p>
    <div class="card">
      <label for="api-key">${text('keys.quoted', { name: key.name })}</label>
      <div class="inline">
        <input id="api-key" value="${apiKey}" readonly autocomplete="off" spellcheck="false" />
        ${copyButton('api-key')}
      </div>
      <dl class="facts">
        <dt>Base URL</dt>
        <dd><code id="base-url">${baseUrl}</code> ${copyButton('base-url')}</dd>
      </dl>
    </div>
    ${
      waiting.length > 0 &&
      html`<p>${text('keys.hostsWait', { count: waiting.length, hosts: waiting.join(', ') })}</p>`
    }
    <h2>${text('keys.tryIt')}</h2>
    <pre tabindex="0" id="curl">${curl}</pre>
    ${copyButton('curl')}
    <p class="quiet">
      ${richText('keys.response', {
        statusUrl: html`<code>status_url</code>`,
        completed: html`<code>completed</code>`,
        videoUrl: html`<code>video_url</code>`,
      })}
    </p>
    ${toolRow(site.facts())}`;
}

/** A video model that the key can use, for the sample call. */
function videoModelOf(key: IssuedKey['key'], site: Site): string {
  const usable = site
    .modelsOf({ group: null })
    .filter(({ id, type }) => type === 'video' && (key.models?.includes(id) ?? true));
  return (usable.find(({ id }) => id === 'alpha-2.0-fast') ?? usable[0])?.id ?? 'alpha-2.0-fast';
}
