import type { Router } from '@koa/router';
import { askByMail, confirmMailbox } from '../../../application/site/mailbox.ts';
import type { Confirmation } from '../../../application/site/ports.ts';
import { signUp } from '../../../application/site/signUp.ts';
import { minPasswordLength, normaliseEmail } from '../../../domain/signIn.ts';
import type { SiteDeps } from '../../../application/site/siteDeps.ts';
import { isLive } from '../../../domain/account.ts';
import { redirect, originOf } from '../../pages/context.ts';
import { formatNumber, html, type Html } from '../../pages/html.ts';
import { tokenField } from '../../pages/layout.ts';
import { letInByMail } from './codePage.ts';
import { formFields, retryForm } from './fields.ts';
import { type Site, type SiteContext, type SiteState } from './site.ts';
import { PlainRefusal } from '../../../domain/refusal.ts';

/** Pages for sign-up, address verification and forgotten passwords. */
export function signUpPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const showSignUp = (ctx: SiteContext, errors?: PlainRefusal) => {
    const form = ctx.state.form.get('invitation');
    const { invitation = form } = ctx.query;
    const maySignUp = deps.signUp === 'open' || (deps.signUp === 'invite' && invitation !== '');
    const title = 'Create an account';
    if (!maySignUp) {
      const content = deps.signUp === 'closed' ? closedContent : invitedContent;
      site.showPage(ctx, { title, content, status: 403 });
      return;
    }
    const content = signUpContent(ctx, deps.signupCredits, String(invitation), errors);
    site.showPage(ctx, { title, content, status: errors?.status });
  };
  router.get('/sign-up', (ctx: SiteContext) => {
    if (ctx.state.account) redirect(ctx, '/studio');
    else showSignUp(ctx);
  });
  router.post('/sign-up', async (ctx: SiteContext) => {
    const email = ctx.state.form.get('email');
    await retryForm(
      async () => {
        const invitation = ctx.state.form.get('invitation');
        const id = await signUp(deps, { email, invitation, from: originOf(ctx) });
        redirect(ctx, `/confirm/${id}`);
      },
      (errors) => showSignUp(ctx, errors),
    );
  });

  const showForgotten = (ctx: SiteContext, errors?: PlainRefusal) => {
    const content = forgottenContent(ctx, errors);
    site.showPage(ctx, { title: 'Forgotten password', content, status: errors?.status });
  };
  router.get('/forgotten-password', (ctx: SiteContext) => showForgotten(ctx));
  router.post('/forgotten-password', async (ctx: SiteContext) => {
    await retryForm(
      async () => {
        const email = normaliseEmail(ctx.state.form.get('email'));
        if (email === null) throw new PlainRefusal({ email: 'Enter your e-mail address.' });
        const accountId = await deps.database.accounts.findIdByEmail(email);
        const id = await askByMail(deps, {
          purpose: 'reset',
          accountId,
          email,
          from: originOf(ctx),
        });
        redirect(ctx, `/confirm/${id}`);
      },
      (errors) => showForgotten(ctx, errors),
    );
  });

  const showConfirm = async (ctx: SiteContext, id: string, errors?: PlainRefusal) => {
    const confirmation = await deps.confirmations.find(id);
    const isOpen =
      confirmation !== null &&
      confirmation.usedAt === null &&
      confirmation.triesLeft > 0 &&
      confirmation.expiresAt > deps.clock.now();
    if (!isOpen) {
      const title = 'This code has expired';
      site.showPage(ctx, { title, content: expiredContent(deps.signUp), status: 410 });
      return;
    }
    const title = confirmation.purpose === 'reset' ? 'Choose a new password' : 'Check your mail';
    const content = confirmContent(ctx, { title, signUp: deps.signUp }, confirmation, errors);
    site.showPage(ctx, { title, content, status: errors?.status });
  };
  router.get('/confirm/:id', (ctx: SiteContext) => showConfirm(ctx, ctx.params['id'] ?? ''));
  router.post('/confirm/:id', async (ctx: SiteContext) => {
    const { form } = ctx.state;
    const confirmationId = ctx.params['id'] ?? '';
    await retryForm(
      async () => {
        const { account, purpose } = await confirmMailbox(deps, {
          confirmationId,
          code: form.get('code'),
          password: form.get('password'),
          revokesKeys: form.get('revoke_keys') !== '',
          from: originOf(ctx),
        });
        const live = account.keys.filter((key) => isLive(key, deps.clock.now())).length;
        const notice =
          purpose === 'verify'
            ? 'Your address is verified. Describe your first video, or create a key under “API keys”.'
            : `Your password has been changed, and all browsers are signed out. ${keysLeft(live)}`;
        await letInByMail(site, ctx, account, { notice, path: '/studio' });
      },
      (errors) => showConfirm(ctx, confirmationId, errors),
    );
  });
}

function keysLeft(live: number): string {
  if (live === 0) return 'You have no active API keys.';
  const count = live === 1 ? 'One API key is still active' : `${live} API keys are still active`;
  return `${count}: revoke unknown keys on the page API keys.`;
}

/** A form for an e-mail address. */
function emailForm(
  ctx: SiteContext,
  {
    action,
    button,
    invitation = '',
    errors,
  }: { action: string; button: string; invitation?: string; errors: PlainRefusal | undefined },
): Html {
  const fields = formFields(ctx.state.form, errors);
  const email = fields.input('email', 'E-mail address', {
    type: 'email',
    autocomplete: 'username',
    required: true,
  });
  return html`${fields.errorSummary()}
    <form action="${action}" method="post" class="card" novalidate>
      ${tokenField(ctx)}
      ${invitation !== '' && html`<input type="hidden" name="invitation" value="${invitation}" />`}
      ${email}
      <button class="button">${button}</button>
    </form>`;
}

const haveOne = html`<p>Already have an account? <a href="/sign-in">Sign in</a>.</p>`;
const closedContent = html`<h1>No new accounts</h1>
  <p>Only the operator of this service creates accounts.</p>
  ${haveOne}`;
const invitedContent = html`<h1>By invitation</h1>
  <p>
    Accounts are by invitation only. Open the link in your invitation, or ask the operator of this
    service for one.
  </p>
  ${haveOne}`;

function signUpContent(
  ctx: SiteContext,
  credits: number,
  invitation: string,
  errors?: PlainRefusal,
): Html {
  return html`<h1>Create an account</h1>
    <p>We'll email you a code. Enter it on the next page and choose a password.</p>
    ${
      credits > 0 &&
      html`<p>
        A new account starts with ${formatNumber(credits)} credits once its address is verified.
      </p>`
    }
    ${emailForm(ctx, { action: '/sign-up', button: 'Create account', invitation, errors })}
    <p>Already have one? <a href="/sign-in">Sign in</a>.</p>`;
}

function forgottenContent(ctx: SiteContext, errors?: PlainRefusal): Html {
  return html`<h1>Forgotten password</h1>
    <p>
      Enter the address of your account. If there is one, we'll email you a code. Enter it on the
      next page and choose a new password.
    </p>
    ${emailForm(ctx, { action: '/forgotten-password', button: 'Send the code', errors })}
    <p><a href="/sign-in">Back to sign in</a></p>`;
}

/** Ways to get another code for an expired or lost one. */
const anotherCode = {
  open: html`<a href="/sign-up">request another code</a>`,
  invite: html`open the link in your invitation again`,
  closed: html`<a href="/sign-in">sign in</a> for another code`,
};

const expiredContent = (signUp: SiteDeps['signUp']) =>
  html`<h1>This code has expired</h1>
    <p>It was already used, is more than an hour old, or was entered wrong too many times.</p>
    <ul>
      <li>If you have just verified your address, <a href="/sign-in">sign in</a>.</li>
      <li>To verify an address, ${anotherCode[signUp]}.</li>
      <li>For a new password, <a href="/forgotten-password">request another code</a>.</li>
    </ul>`;

function confirmContent(
  ctx: SiteContext,
  { title, signUp }: { title: string; signUp: SiteDeps['signUp'] },
  { id, email, purpose }: Confirmation,
  errors?: PlainRefusal,
): Html {
  const { form } = ctx.state;
  const isReset = purpose === 'reset';
  const fields = formFields(form, errors);
  const code = fields.input('code', 'Code from the mail', {
    autocomplete: 'one-time-code',
    inputmode: 'numeric',
    maxlength: 20,
    required: true,
  });
  const password = fields.input('password', isReset ? 'New password' : 'Choose a password', {
    hint: isReset
      ? `At least ${minPasswordLength} characters. All browsers are signed out when it changes.`
      : `At least ${minPasswordLength} characters. A few unrelated words work well.`,
    type: 'password',
    autocomplete: 'new-password',
    minlength: minPasswordLength,
    required: true,
  });
  const revokesKeys = form.get('revoke_keys') !== '';
  return html`<h1>${title}</h1>
    <p>
      We emailed an eight-digit code to <strong>${email}</strong>. It works for one hour. If it
      doesn't arrive, check your spam folder.
    </p>
    ${fields.errorSummary()}
    <form action="/confirm/${id}" method="post" class="card" novalidate>
      ${tokenField(ctx)} ${code}
      <input type="hidden" name="username" value="${email}" autocomplete="username" />
      ${password}
      ${
        isReset &&
        html`<label class="check"
          ><input type="checkbox" name="revoke_keys" value="yes" ${revokesKeys && html`checked`} />
          Also revoke all API keys, in case another person had access to the account</label
        >`
      }
      <button class="button">${isReset ? 'Change the password' : 'Verify the address'}</button>
    </form>
    <p>
      No mail? You can
      ${isReset ? html`<a href="/forgotten-password">request another code</a>` : anotherCode[signUp]}.
    </p>`;
}
