import type { Model } from '@framegate/contract';
import type { MadeKey } from '../../../application/site/ownKeys.ts';
import type { ApiKey } from '../../../domain/account.ts';
import { refundRule } from '../../../domain/refund.ts';
import type { Form } from '../../pages/form.ts';
import { attributes, html, type Html } from '../../pages/html.ts';
import { copyButton, icon } from '../../pages/elements.ts';
import { tokenField } from '../../pages/layout.ts';
import { formFields, type FormErrors, type FormFields } from './fields.ts';
import { keysPath, revokePart } from './keyForms.ts';
import { endOf, shortKey } from './keyList.ts';
import { personOf } from './acting.ts';
import type { Site, SiteContext } from './site.ts';

/** The page of all keys. */
export function keysView(parts: {
  baseUrl: string;
  live: Html | null;
  newKey: Html;
  revoked: Html | null;
  /** Whether keys for real-person mode require a second factor that the account lacks. */
  lacksFactor: boolean;
}): Html {
  return html`<h1>API keys</h1>
    <p>
      A key lets a program create videos and images with your credits. Keep it on a server or in a
      workflow tool's credential store, never in a web page. The
      <a href="/docs">API reference</a> shows every call; the base address is
      <code>${parts.baseUrl}</code>.
    </p>
    ${parts.lacksFactor && factorWanted} ${parts.live} ${parts.newKey} ${parts.revoked}
    ${troubleshooting}`;
}

const factorWanted = html`<p class="notice warning">
  Keys for models with real-person mode need a second factor of your account:
  <a href="/settings/account/second-factor">turn it on</a>, or choose models without that mode.
</p>`;

/** Form for a new key. */
export function newKeyForm(
  ctx: SiteContext,
  shown: {
    form: Form;
    /** A random id of the page's forms. */
    formKey: string;
    asksPassword: boolean;
    models: readonly Model[];
    autoApprovedHosts: readonly string[];
    errors?: FormErrors | undefined;
    /** Opens the panel because there is no key yet. */
    isFirst: boolean;
  },
): Html {
  const { form, errors, autoApprovedHosts, isFirst } = shown;
  const fields = formFields(form, errors);
  const name = fields.input('name', 'Name', {
    hint: 'For your own use, such as the name of the tool.',
    maxlength: 64,
    autocomplete: 'off',
    required: true,
  });
  const waiting =
    autoApprovedHosts.length > 0
      ? `Approved immediately: ${autoApprovedHosts.join(', ')}. Others require`
      : 'They require';
  const hosts = fields.text('hosts', 'Input hosts (optional)', {
    hint: `Hosts of your input files, one per line, such as media.example.com or *.media.example.com. ${waiting} approval by our staff.`,
    rows: 2,
  });
  const dailyCredits = fields.input('daily_credits', 'Credits a day (optional)', {
    errorName: 'dailyCredits',
    hint: 'Maximum per day (UTC), so that a leaked key cannot empty your account. Leave empty for no limit.',
    inputmode: 'numeric',
    autocomplete: 'off',
  });
  const isOpen = isFirst || errors !== undefined || form.get('name') !== '';
  return html`<details id="new" ${isOpen && html`open`}>
    <summary class="button">${icon('plus')} New key</summary>
    ${fields.errorSummary()}
    <form action="${keysPath}/keys" method="post" class="card" novalidate>
      ${tokenField(ctx)}
      <input type="hidden" name="form_key" value="${shown.formKey}" />
      ${name} ${hosts} ${dailyCredits} ${modelChoice(shown.models, form.all('models'), errors)}
      ${shown.asksPassword && passwordPart(ctx, fields)}
      <button class="button">Create key</button>
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
    <legend>Allowed models</legend>
    <div class="checks">${choices}</div>
    ${error !== undefined && html`<p class="problem" id="models-problem">${error}</p>`}
  </fieldset>`;
}

function passwordPart(ctx: SiteContext, fields: FormFields): Html {
  const { email } = personOf(ctx);
  const password = fields.input('current_password', 'Your password', {
    errorName: 'current',
    hint: 'Required because you signed in some time ago.',
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  });
  return html`<input type="hidden" name="username" value="${email}" autocomplete="username" />
    ${password}`;
}

const troubleshooting = html`<details>
  <summary>Troubleshooting</summary>
  <dl>
    <dt>“The API key is missing or not valid” (401)</dt>
    <dd>
      The key is incomplete, revoked or in the wrong place. It belongs after
      <code>Authorization: Bearer</code>.
    </dd>
    <dt>“The host of an input URL … is not approved” (403)</dt>
    <dd>
      The host of the file is not approved for this key. Request it on the page of the key; until
      then, use an approved host.
    </dd>
    <dt>“There are not enough credits” (402)</dt>
    <dd>
      Nothing was charged. <a href="/credits">Credits</a> shows your balance; unfinished generations
      are already deducted.
    </dd>
    <dt>“This API key may spend … credits a day” (402)</dt>
    <dd>Nothing was charged. Raise the limit of the key, or wait until the next day (UTC).</dd>
    <dt>“Too many requests” (429)</dt>
    <dd>Wait for the time in <code>Retry-After</code>. Our tools do so automatically.</dd>
    <dt>A request timed out</dt>
    <dd>
      Send it again with the same <code>Idempotency-Key</code>: you get the same generation and pay
      only once.
    </dd>
    <dt>A generation failed</dt>
    <dd>
      It is refunded ${refundRule.inWords}. <a href="/history">History</a> shows the reason and the
      request id for support.
    </dd>
  </dl>
</details>`;

/** Page that shows a new key, only once, with instructions. */
export function madeKeyView(ctx: SiteContext, title: string, made: MadeKey, site: Site): Html {
  const { apiKey, former } = made;
  return html`<h1>${title}</h1>
    ${apiKey === null ? alreadyMade(made) : newKeyParts(made, apiKey, site)}
    ${former && formerPart(ctx, former)}
    <p><a class="button" href="${keysPath}">To your keys</a></p>`;
}

/** The replaced key, with a form to revoke it. */
function formerPart(ctx: SiteContext, former: ApiKey): Html {
  return html`<h2>The old key</h2>
    <p>
      ${shortKey(former)} ${endOf(former)}<br />Revoke the old key here or on its own page when all
      your programs use the new one.
    </p>
    ${revokePart(ctx, former)}`;
}

function alreadyMade({ key }: MadeKey): Html {
  return html`<p>
    This form has already created and shown the key “${key.name}” (${shortKey(key)}). It is not
    stored, so it cannot be shown again. If you do not have it, replace it.
  </p>`;
}

function newKeyParts({ key }: MadeKey, apiKey: string, site: Site): Html {
  const { baseUrl } = site.addresses;
  const waiting = key.hosts.filter(({ state }) => state === 'requested').map(({ rule }) => rule);
  const curl = [
    `curl -sS ${baseUrl}/videos \\`,
    `  -H "Authorization: Bearer ${apiKey}" \\`,
    '  -H "Idempotency-Key: $(uuidgen)" -H "Content-Type: application/json" \\',
    `  -d '{"model":"${videoModelOf(key, site)}","mode":"text-to-video","prompt":"A paper boat at sunrise"}'`,
  ].join('\n');
  return html`<p class="notice" role="status">
      <strong>Copy it now.</strong> It is shown only once: we store only a fingerprint of it.
    </p>
    <div class="card">
      <label for="api-key">“${key.name}”</label>
      <div class="inline">
        <input id="api-key" value="${apiKey}" readonly autocomplete="off" spellcheck="false" />
        ${copyButton('api-key')}
      </div>
    </div>
    ${
      waiting.length > 0 &&
      html`<p>
        ${waiting.join(', ')} ${waiting.length === 1 ? 'waits' : 'wait'} for approval by our staff.
        Inputs from unapproved hosts are refused.
      </p>`
    }
    <h2>Try it in a terminal</h2>
    <pre tabindex="0" id="curl">${curl}</pre>
    ${copyButton('curl')}
    <p class="quiet">
      The answer has a <code>status_url</code>: read it until the video is <code>completed</code>,
      then open its <code>video_url</code>.
    </p>
    <h2>In n8n</h2>
    <p>
      Install the node <code>n8n-nodes-framegate</code>, add a credential <em>Framegate API</em>,
      and fill in:
    </p>
    ${toolFields('n8n-url', baseUrl)}
    <h2>In Zapier</h2>
    <p>Connect the app <em>${site.deps.brand.name}</em>, and fill in:</p>
    ${toolFields('zapier-url', baseUrl)}`;
}

function toolFields(id: string, baseUrl: string): Html {
  return html`<dl class="facts">
    <dt>Base URL</dt>
    <dd><code id="${id}">${baseUrl}</code> ${copyButton(id)}</dd>
    <dt>API Key</dt>
    <dd>the key above</dd>
  </dl>`;
}

/** A video model that the key can use, for the sample call. */
function videoModelOf(key: MadeKey['key'], site: Site): string {
  const usable = site
    .modelsOf({ group: null })
    .filter(({ id, type }) => type === 'video' && (key.models?.includes(id) ?? true));
  return (usable.find(({ id }) => id === 'alpha-2.0-fast') ?? usable[0])?.id ?? 'alpha-2.0-fast';
}
