import type { Router } from '@koa/router';
import { sitePage } from '@framegate/contract/operator';
import {
  askByMail,
  confirmMailbox,
  findConfirmation,
  mailedCodeMs,
} from '../../../../application/signIn/mailedCodes.ts';
import { signUp } from '../../../../application/signIn/signUp.ts';
import { isLive } from '../../../../domain/accounts/apiKey.ts';
import { Refusal } from '../../../../domain/refusal.ts';
import { normaliseEmail } from '../../../../domain/signIn/email.ts';
import { text } from '../../../../texts/text.ts';
import { originOf, pathToReturnTo, redirect } from '../../../pages/context.ts';
import { tokenField } from '../../../pages/elements.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { formatNumber, type Html, html, richText } from '../../../pages/html.ts';
import { formFields, retryForm } from '../fields.ts';
import type { Site, SiteContext, SiteState } from '../site.ts';
import { completeSignInByMail } from './codePage.ts';
import { confirmContent, confirmPath, expiredContent, toSignIn } from './confirmContent.ts';

/** Pages for sign-up, address verification and forgotten passwords. */
export function addSignUpPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const showSignUp = (ctx: SiteContext, errors?: FormErrors) => {
    const form = ctx.state.form.get('invitation');
    const { invitation = form } = ctx.query;
    const maySignUp = deps.signUp === 'open' || (deps.signUp === 'invite' && invitation !== '');
    const title = text('signUp.title');
    if (!maySignUp) {
      const content = deps.signUp === 'closed' ? closedContent() : invitedContent();
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
        const next = pathToReturnTo(ctx.state.form.get('next'), sitePage);
        redirect(ctx, confirmPath(id, next));
      },
      (errors) => showSignUp(ctx, errors),
    );
  });

  const showForgotten = (ctx: SiteContext, errors?: FormErrors) => {
    const content = forgottenContent(ctx, errors);
    site.showPage(ctx, { title: text('signUp.forgotTitle'), content, status: errors?.status });
  };
  router.get('/forgotten-password', (ctx: SiteContext) => showForgotten(ctx));
  router.post('/forgotten-password', async (ctx: SiteContext) => {
    await retryForm(
      async () => {
        const email = normaliseEmail(ctx.state.form.get('email'));
        if (email === null) throw new Refusal('email_invalid');
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

  const showConfirm = async (ctx: SiteContext, id: string, errors?: FormErrors) => {
    const confirmation = await findConfirmation(deps, id);
    if (confirmation === null) {
      const title = text('signUp.codeExpired');
      site.showPage(ctx, { title, content: expiredContent(title, deps.signUp), status: 410 });
      return;
    }
    const title = text(
      confirmation.purpose === 'reset' ? 'signUp.chooseTitle' : 'signUp.checkTitle',
    );
    const isInvitation = confirmation.expiresAt > deps.clock.now() + mailedCodeMs;
    const page = { title, signUp: deps.signUp, isInvitation };
    const content = confirmContent(ctx, page, confirmation, errors);
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
          purpose === 'verify' ? text('signUp.verified') : text('signUp.changed', { live });
        const next = pathToReturnTo(form.get('next'), sitePage);
        await completeSignInByMail(site, ctx, account, { notice, path: next ?? '/studio' });
      },
      (errors) => showConfirm(ctx, confirmationId, errors),
    );
  });
}

/** A form for an email address. */
function emailForm(
  ctx: SiteContext,
  {
    action,
    button,
    invitation = '',
    errors,
  }: { action: string; button: string; invitation?: string; errors: FormErrors | undefined },
): Html {
  const fields = formFields(ctx.state.form, errors);
  const email = fields.input('email', text('signIn.email'), {
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

const haveAccount = () => html`<p>${richText('signUp.haveAccount', { link: toSignIn })}</p>`;
const closedContent = () =>
  html`<h1>${text('signUp.closedTitle')}</h1>
    <p>${text('signUp.closed')}</p>
    ${haveAccount()}`;
const invitedContent = () =>
  html`<h1>${text('signUp.invitedTitle')}</h1>
    <p>${text('signUp.invited')}</p>
    ${haveAccount()}`;

function signUpContent(
  ctx: SiteContext,
  credits: number,
  invitation: string,
  errors?: FormErrors,
): Html {
  const welcome = { credits: formatNumber(credits) };
  const button = text('signUp.create');
  return html`<h1>${text('signUp.title')}</h1>
    <p>${text('signUp.intro')}</p>
    ${credits > 0 && html`<p>${text('signUp.welcomeCredits', welcome)}</p>`}
    ${emailForm(ctx, { action: '/sign-up', button, invitation, errors })}
    <p>${richText('signUp.haveOne', { link: toSignIn })}</p>`;
}

function forgottenContent(ctx: SiteContext, errors?: FormErrors): Html {
  const button = text('signUp.sendCode');
  return html`<h1>${text('signUp.forgotTitle')}</h1>
    <p>${text('signUp.forgotIntro')}</p>
    ${emailForm(ctx, { action: '/forgotten-password', button, errors })}
    <p><a href="/sign-in">${text('signOn.back')}</a></p>`;
}
