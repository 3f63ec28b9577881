import type { Model } from '@framegate/contract';
import type { MadeKey } from '../../../application/site/ownKeys.ts';
import type { ApiKey } from '../../../domain/account.ts';
import type { Form } from '../../pages/form.ts';
import { attributes, html, type Html } from '../../pages/html.ts';
import { copyButton, icon } from '../../pages/elements.ts';
import { tokenField } from '../../pages/layout.ts';
import { formFields, type FormErrors, type FormFields } from './fields.ts';
import { keysPath, revokePart } from './keyForms.ts';
import { endOf, shortKey } from './keyList.ts';
import { accountOf, type Site, type SiteContext } from './site.ts';

/** The page of all keys. */
export function keysView(parts: {
  baseUrl: string;
  live: Html | null;
  newKey: Html;
  revoked: Html | null;
  /** Whether keys for real-person mode wait for a second factor of the account. */
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

/** The form that makes a key. */
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
    /** Whether the panel is open though nothing is wrong: where there is no key yet. */
    isFirst: boolean;
  },
): Html {
  const { form, errors, autoApprovedHosts, isFirst } = shown;
  const fields = formFields(form, errors);
  const name = fields.input('name', 'Name', {
    hint: 'For yourself: the tool that will use it.',
    maxlength: 64,
    autocomplete: 'off',
    required: true,
  });
  const waiting =
    autoApprovedHosts.length > 0
      ? `Approved at once: ${autoApprovedHosts.join(', ')}. Others wait`
      : 'They wait';
  const hosts = fields.text('hosts', 'Input hosts (optional)', {
    hint: `Where your input files lie, one host in each line, such as media.example.com or *.media.example.com. ${waiting} for our staff.`,
    rows: 2,
  });
  const dailyCredits = fields.input('daily_credits', 'Credits a day (optional)', {
    errorName: 'dailyCredits',
    hint: 'The most that the key may spend in a day (UTC), so that a leaked key cannot empty your account. Empty: no limit.',
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
    <legend>Models that it may use</legend>
    <div class="checks">${choices}</div>
    ${error !== undefined && html`<p class="problem" id="models-problem">${error}</p>`}
  </fieldset>`;
}

function passwordPart(ctx: SiteContext, fields: FormFields): Html {
  const { email } = accountOf(ctx);
  const password = fields.input('current_password', 'Your password', {
    errorName: 'current',
    hint: 'Asked for again when you signed in a while ago.',
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  });
  return html`<input type="hidden" name="username" value="${email}" autocomplete="username" />
    ${password}`;
}

const troubleshooting = html`<details>
  <summary>What may go wrong</summary>
  <dl>
    <dt>“The API key is missing or not valid” (401)</dt>
    <dd>
      The key was copied in part, was revoked, or stands in the wrong place. It belongs behind
      <code>Authorization: Bearer</code>.
    </dd>
    <dt>“The host of an input URL … is not approved” (403)</dt>
    <dd>
      The file lies on a host that this key has not got. Ask for the host above; until it is
      approved, put the file on one that is.
    </dd>
    <dt>“There are not enough credits” (402)</dt>
    <dd>
      Nothing was charged. <a href="/credits">Credits</a> shows what you have; unfinished
      generations are charged already.
    </dd>
    <dt>“This API key may spend … credits a day” (402)</dt>
    <dd>Nothing was charged. Raise the limit of the key above, or wait for the next day (UTC).</dd>
    <dt>“Too many requests” (429)</dt>
    <dd>Wait as long as <code>Retry-After</code> says. Tools of ours do so on their own.</dd>
    <dt>A request timed out</dt>
    <dd>
      Send it again with the same <code>Idempotency-Key</code>: you get the same generation, and pay
      once.
    </dd>
    <dt>A generation failed</dt>
    <dd>
      It is refunded in full. <a href="/history">History</a> says why, and shows the request id that
      support will ask for.
    </dd>
  </dl>
</details>`;

/** The page that shows a new key, this once, with what to do with it. */
export function madeKeyView(ctx: SiteContext, title: string, made: MadeKey, site: Site): Html {
  const { apiKey, former } = made;
  return html`<h1>${title}</h1>
    ${apiKey === null ? madeBefore(made) : newKeyParts(made, apiKey, site)}
    ${former && formerPart(ctx, former)}
    <p><a class="button" href="${keysPath}">To your keys</a></p>`;
}

/** The key that was replaced: it may go as soon as everything has the new one. */
function formerPart(ctx: SiteContext, former: ApiKey): Html {
  return html`<h2>The old key</h2>
    <p>
      ${shortKey(former)} ${endOf(former)}<br />When everything has the new key, you can end the old
      one here or on its own page.
    </p>
    ${revokePart(ctx, former)}`;
}

function madeBefore({ key }: MadeKey): Html {
  return html`<p>
    The key “${key.name}” (${shortKey(key)}) was made by this form before, and was shown then. It is
    stored nowhere, so it cannot be shown again. If you do not have it, replace it.
  </p>`;
}

function newKeyParts({ key }: MadeKey, apiKey: string, site: Site): Html {
  const { baseUrl } = site.addresses;
  const waiting = key.hosts.filter(({ state }) => state === 'requested').map(({ rule }) => rule);
  const curl = [
    `curl -sS ${baseUrl}/videos \\`,
    `  -H "Authorization: Bearer ${apiKey}" \\`,
    '  -H "Idempotency-Key: my-first-video" -H "Content-Type: application/json" \\',
    `  -d '{"model":"${videoModelOf(key, site)}","mode":"text-to-video","prompt":"A paper boat at sunrise"}'`,
  ].join('\n');
  return html`<p class="notice" role="status">
      <strong>Copy it now.</strong> It is shown this once: we keep only a fingerprint of it.
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
        ${waiting.join(', ')} ${waiting.length === 1 ? 'waits' : 'wait'} for approval by our staff;
        inputs from elsewhere are refused until then.
      </p>`
    }
    <h2>Try it in a terminal</h2>
    <pre tabindex="0" id="curl">${curl}</pre>
    ${copyButton('curl')}
    <p class="quiet">
      The answer has a <code>status_url</code>: ask there until the video is <code>completed</code>,
      then open its <code>video_url</code>.
    </p>
    <h2>In n8n</h2>
    <p>
      Install the node <code>n8n-nodes-framegate</code>, add a credential <em>Framegate API</em>,
      and fill in:
    </p>
    ${toolFields('n8n-url', baseUrl)}
    <h2>In Zapier</h2>
    <p>Connect the app <em>Framegate</em>, and fill in:</p>
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

/** A video model for the example that the key may use. */
function videoModelOf(key: MadeKey['key'], { models }: Site): string {
  const usable = models.filter(
    ({ id, type }) => type === 'video' && (key.models?.includes(id) ?? true),
  );
  return (usable.find(({ id }) => id === 'alpha-2.0-fast') ?? usable[0])?.id ?? 'alpha-2.0-fast';
}
