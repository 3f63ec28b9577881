import type { Router } from '@koa/router';
import { signInWithCode } from '../../../application/site/secondFactor.ts';
import { signIn } from '../../../application/site/signIn.ts';
import { pathToReturnTo, redirect, originOf, type Next } from '../../pages/context.ts';
import { html } from '../../pages/html.ts';
import { tokenField } from '../../pages/layout.ts';
import { letIn, showCodePage } from './codePage.ts';
import { formFields, retryForm, type FormErrors } from './fields.ts';
import { draftFor, endSession, type Site, type SiteContext, type SiteState } from './site.ts';
import type { Account } from '../../../domain/account.ts';
import { PlainRefusal } from '../../../domain/refusal.ts';

const landing = '/studio';
/** Where a sign-in may lead: to a page of ours, and nowhere else. */
const ownPages = /^\/(studio|history|credits|settings|generations)[a-z0-9/_-]*$/;

/** Sign in and out. */
export function signInPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  router.get('/sign-in', (ctx: SiteContext) => {
    const next = pathToReturnTo(ctx.query['next'], ownPages);
    if (ctx.state.account) redirect(ctx, next ?? landing);
    else showSignIn(site, ctx, { next: next ?? '' });
  });

  router.post('/sign-in', async (ctx: SiteContext) => {
    const { form } = ctx.state;
    const next = pathToReturnTo(form.get('next'), ownPages);
    const draft = form.get('draft');
    try {
      const signedIn = await signIn(deps, {
        email: form.get('email'),
        password: form.get('password'),
        from: originOf(ctx),
      });
      if ('confirmationId' in signedIn) {
        redirect(ctx, `/confirm/${signedIn.confirmationId}`);
        return;
      }
      if ('proof' in signedIn) showCodePage(site, ctx, { ...signedIn, next: next ?? '', draft });
      else await goOn(ctx, signedIn.account);
    } catch (error) {
      if (!(error instanceof PlainRefusal)) throw error;
      const errors = { fields: {}, message: error.message };
      showSignIn(site, ctx, { next: next ?? '', draft, errors, status: error.status });
    }
  });

  /** Signs in, and goes to where the form wants to. */
  const goOn = (ctx: SiteContext, account: Account) => {
    const { form } = ctx.state;
    const next = pathToReturnTo(form.get('next'), ownPages);
    const draft = form.get('draft');
    const kept = next !== null && draft !== '' ? { draft: draftFor(next, draft) } : {};
    return letIn(site, ctx, account, { kept, path: next ?? landing });
  };

  // Such as by the browser's reload: the page of the code is the answer to a form.
  router.get('/sign-in/code', (ctx: SiteContext) => redirect(ctx, '/sign-in'));
  router.post('/sign-in/code', async (ctx: SiteContext) => {
    const { form } = ctx.state;
    const proof = form.get('proof');
    const carried = { next: form.get('next'), draft: form.get('draft') };
    await retryForm(
      async () => {
        const account = await signInWithCode(deps, {
          proof,
          code: form.get('code'),
          from: originOf(ctx),
        });
        if (account) {
          await goOn(ctx, account);
          return;
        }
        const message = 'The code came too late after the password. Sign in again.';
        showSignIn(site, ctx, { ...carried, errors: { fields: {}, message }, status: 401 });
      },
      (errors) => showCodePage(site, ctx, { proof, ...carried, errors, status: errors.status }),
    );
  });

  router.post('/sign-out', async (ctx: SiteContext) => {
    await endSession(ctx, deps.sessions);
    redirect(ctx, '/sign-in');
  });
}

/**
 * Lets a request through that is signed in. Others sign in first and come back; what they had typed into
 * a form comes back with them.
 * @param returnTo The page that a POST of this route belongs to.
 */
export function requireAccount(site: Site, returnTo?: string) {
  return async (ctx: SiteContext, next: Next): Promise<void> => {
    if (ctx.state.account !== null) {
      await next();
      return;
    }
    if (ctx.method !== 'POST') {
      redirect(ctx, `/sign-in?next=${encodeURIComponent(ctx.path)}`);
      return;
    }
    const typed = ctx.state.form.entries().filter(([name]) => !isSecret(name));
    const message = 'You were signed out in the meantime. Sign in again: what you typed is kept.';
    showSignIn(site, ctx, {
      next: returnTo ?? ctx.path,
      draft: JSON.stringify(typed),
      errors: { fields: {}, message },
      status: 401,
    });
  };
}

const isSecret = (name: string) => name === 'form_token' || name.includes('password');

/** Shows the form of a sign-in, which keeps what it interrupts. */
const noAccountYet = {
  open: html`<p>No account yet? <a href="/sign-up">Create one</a>.</p>`,
  invite: html`<p>No account yet? They are made by invitation: open the link of yours.</p>`,
  closed: null,
};

function showSignIn(
  site: Site,
  ctx: SiteContext,
  shown: { next: string; draft?: string; errors?: FormErrors; status?: number },
): void {
  const { next, draft = '', errors, status } = shown;
  const fields = formFields(ctx.state.form, errors);
  const emailField = fields.input('email', 'E-mail address', {
    type: 'email',
    autocomplete: 'username',
    required: true,
  });
  const passwordField = fields.input('password', 'Password', {
    type: 'password',
    autocomplete: 'current-password',
    required: true,
  });
  const content = html`<h1>Sign in</h1>
    ${fields.errorSummary()}
    <form action="/sign-in" method="post" class="card">
      ${tokenField(ctx)}
      <input type="hidden" name="next" value="${next}" />
      <input type="hidden" name="draft" value="${draft}" />
      ${emailField} ${passwordField}
      <button class="button">Sign in</button>
    </form>
    <p><a href="/forgotten-password">Forgotten your password?</a></p>
    ${noAccountYet[site.deps.signUp]}`;
  site.showPage(ctx, { title: 'Sign in', content, status });
}
