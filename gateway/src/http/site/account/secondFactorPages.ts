import type { Router } from '@koa/router';
import type { CustomerFactor } from '../../../application/site/ports.ts';
import {
  renewRecoveryCodes,
  setUpFactor,
  turnFactorOff,
  turnFactorOn,
  type FactorForm,
  type FactorSetUp,
} from '../../../application/site/secondFactorSettings.ts';
import type { PlainRefusal } from '../../../domain/refusal.ts';
import { secretForApp } from '../../pages/authenticator.ts';
import { originOf, redirect } from '../../pages/context.ts';
import { copyButton } from '../../pages/elements.ts';
import { date, html, type Html } from '../../pages/html.ts';
import { tokenField } from '../../pages/layout.ts';
import { formFields, retryForm, type FormErrors } from './fields.ts';
import { personOf } from './acting.ts';
import { requireAccount } from './requireAccount.ts';
import { keepNotice, type Site, type SiteContext, type SiteState } from './site.ts';

const settings = '/settings/account';
const path = `${settings}/second-factor`;

/** Pages that turn the second factor on and off. */
export function secondFactorPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const signedIn = requireAccount(site, path);

  const show = async (ctx: SiteContext, errors?: PlainRefusal) => {
    const account = personOf(ctx);
    const factor = await deps.customerFactors.find(account.id);
    const content =
      factor === null
        ? offView(ctx, setUpFactor(deps, account, ctx.state.form.get('setup')), errors)
        : onView(ctx, factor, errors);
    site.showPage(ctx, { title: 'Second factor', content, status: errors?.status });
  };
  router.get(path, signedIn, (ctx: SiteContext) => show(ctx));

  /** Runs the action of a form with password and code, or shows the page again with its errors. */
  const act = (work: (ctx: SiteContext, form: FactorForm) => Promise<void>) => (ctx: SiteContext) =>
    retryForm(
      () => {
        const { form } = ctx.state;
        return work(ctx, {
          account: personOf(ctx),
          current: form.get('current_password'),
          code: form.get('code'),
          from: originOf(ctx),
        });
      },
      (errors) => show(ctx, errors),
    );
  const showCodes = (ctx: SiteContext, codes: readonly string[]) => {
    const title = 'Your recovery codes';
    site.showPage(ctx, { title, content: recoveryCodesView(title, codes) });
  };

  router.post(
    `${path}/on`,
    signedIn,
    act(async (ctx, form) => {
      const setup = ctx.state.form.get('setup');
      const keptSessionId = ctx.state.session?.id ?? '';
      showCodes(ctx, await turnFactorOn(deps, { ...form, setup, keptSessionId }));
    }),
  );
  router.post(
    `${path}/recovery-codes`,
    signedIn,
    act(async (ctx, form) => showCodes(ctx, await renewRecoveryCodes(deps, form))),
  );
  router.post(
    `${path}/off`,
    signedIn,
    act(async (ctx, form) => {
      await turnFactorOff(deps, form);
      keepNotice(ctx, 'Your second factor is off. You sign in with your password only.');
      redirect(ctx, settings);
    }),
  );
}

/** Section of the account page. @param factor Null if the second factor is off. */
export function secondFactorPart(factor: CustomerFactor | null): Html {
  return html`<h2>Second factor</h2>
    ${
      factor === null
        ? html`<p>Off. If on, signing in also requires a code from an app on your phone.</p>
            <p><a class="button small" href="${path}">Turn it on</a></p>`
        : html`<p>
              <span class="badge success">on</span> since ${date(factor.enabledAt)};
              ${leftInWords(factor)}
            </p>
            <p><a class="button small" href="${path}">Change it</a></p>`
    }`;
}

function leftInWords({ recoveryHashes: { length } }: CustomerFactor): string {
  return length === 1 ? '1 recovery code is left.' : `${length} recovery codes are left.`;
}

const crumb = html`<p class="crumb"><a href="${settings}">Account</a></p>`;

function offView(ctx: SiteContext, setUp: FactorSetUp, errors?: FormErrors): Html {
  const { all, summary } = bothFields(ctx, 'Code in the app', errors);
  return html`${crumb}
    <h1>Second factor</h1>
    <p>
      With a second factor, a person who knows your password cannot sign in without your phone. You
      need an authenticator app; many password managers include one.
    </p>
    ${summary}
    <form action="${path}/on" method="post" class="card" novalidate>
      ${tokenField(ctx)}
      <input type="hidden" name="setup" value="${setUp.setup}" />
      ${secretForApp(setUp)} ${all}
      <p class="quiet">
        The next page shows recovery codes in case you lose the phone. All other browsers are signed
        out. API keys keep working.
      </p>
      <button class="button">Turn it on</button>
    </form>`;
}

function onView(ctx: SiteContext, factor: CustomerFactor, errors?: FormErrors): Html {
  const { all, summary } = bothFields(ctx, 'Code in the app, or a recovery code', errors);
  return html`${crumb}
    <h1>Second factor</h1>
    <p>
      <span class="badge success">on</span> since ${date(factor.enabledAt)}; ${leftInWords(factor)}
    </p>
    ${summary}
    <form action="${path}/recovery-codes" method="post" class="card" novalidate>
      ${tokenField(ctx)} ${all}
      <p class="quiet">
        New recovery codes replace your current ones. For a new phone, turn the second factor off
        and on again.
      </p>
      <div class="actions">
        <button class="button">Create new recovery codes</button>
        <button class="danger" formaction="${path}/off">Turn it off</button>
      </div>
    </form>`;
}

/** Fields for password and code, which all forms need. */
function bothFields(ctx: SiteContext, codeLabel: string, errors?: FormErrors) {
  const { email } = personOf(ctx);
  const fields = formFields(ctx.state.form, errors);
  const current = fields.input('current_password', 'Your password', {
    errorName: 'current',
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  });
  const code = fields.input('code', codeLabel, {
    value: '',
    autocomplete: 'one-time-code',
    maxlength: 40,
    required: true,
  });
  const all = html`<input type="hidden" name="username" value="${email}" autocomplete="username" />
    ${current} ${code}`;
  return { all, summary: fields.errorSummary() };
}

function recoveryCodesView(title: string, codes: readonly string[]): Html {
  return html`${crumb}
    <h1>${title}</h1>
    <p class="notice" role="status">
      <strong>Your second factor is on. Print or store these codes now.</strong> They are shown only
      once: we store only their fingerprints.
    </p>
    <p>Each code replaces a code in the app once. Keep them separate from the phone.</p>
    <pre tabindex="0" id="recovery-codes">${codes.join('\n')}</pre>
    ${copyButton('recovery-codes')}
    <p><a class="button" href="${settings}">I have stored them</a></p>`;
}
