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
import { requireAccount } from './signInPages.ts';
import { accountOf, keepNotice, type Site, type SiteContext, type SiteState } from './site.ts';

const settings = '/settings/account';
const path = `${settings}/second-factor`;

/** Where the second factor is turned on and off. */
export function secondFactorPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const signedIn = requireAccount(site, path);

  const show = async (ctx: SiteContext, errors?: PlainRefusal) => {
    const account = accountOf(ctx);
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
          account: accountOf(ctx),
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
      keepNotice(ctx, 'Your second factor is off. Signing in takes the password alone.');
      redirect(ctx, settings);
    }),
  );
}

/** The second factor's section of the account page. @param factor Null where it is off. */
export function secondFactorPart(factor: CustomerFactor | null): Html {
  return html`<h2>Second factor</h2>
    ${
      factor === null
        ? html`<p>Off. With it, signing in takes a code of an app on your phone as well.</p>
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
  const { all, summary } = bothFields(ctx, 'Code that the app shows', errors);
  return html`${crumb}
    <h1>Second factor</h1>
    <p>
      With it, a person who knows your password still cannot sign in without your phone. You need an
      authenticator app; many password managers have one.
    </p>
    ${summary}
    <form action="${path}/on" method="post" class="card" novalidate>
      ${tokenField(ctx)}
      <input type="hidden" name="setup" value="${setUp.setup}" />
      ${secretForApp(setUp)} ${all}
      <p class="quiet">
        You get recovery codes on the next page, for when the phone is lost. All other browsers are
        signed out. API keys go on working.
      </p>
      <button class="button">Turn it on</button>
    </form>`;
}

function onView(ctx: SiteContext, factor: CustomerFactor, errors?: FormErrors): Html {
  const { all, summary } = bothFields(ctx, 'Code of the app, or a recovery code', errors);
  return html`${crumb}
    <h1>Second factor</h1>
    <p>
      <span class="badge success">on</span> since ${date(factor.enabledAt)}; ${leftInWords(factor)}
    </p>
    ${summary}
    <form action="${path}/recovery-codes" method="post" class="card" novalidate>
      ${tokenField(ctx)} ${all}
      <p class="quiet">
        New recovery codes take the place of those that you have. A new phone: turn the second
        factor off, then on again.
      </p>
      <div class="actions">
        <button class="button">Make new recovery codes</button>
        <button class="danger" formaction="${path}/off">Turn it off</button>
      </div>
    </form>`;
}

/** Password and code, which each of the forms asks for. */
function bothFields(ctx: SiteContext, codeLabel: string, errors?: FormErrors) {
  const { email } = accountOf(ctx);
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
      <strong>Your second factor is on. Print or store these codes now.</strong> They are shown this
      once: we keep only their fingerprints.
    </p>
    <p>Each lets you sign in once in place of a code of the app. Keep them apart from the phone.</p>
    <pre tabindex="0" id="recovery-codes">${codes.join('\n')}</pre>
    ${copyButton('recovery-codes')}
    <p><a class="button" href="${settings}">I have stored them</a></p>`;
}
