import type { Router } from '@koa/router';
import { sitePage } from '@framegate/contract/operator';
import { signInWithCode } from '../../../../application/signIn/secondFactor.ts';
import { signIn } from '../../../../application/signIn/signIn.ts';
import type { Account } from '../../../../domain/accounts/account.ts';
import { Refusal } from '../../../../domain/refusal.ts';
import { text } from '../../../../texts/text.ts';
import { originOf, pathToReturnTo, redirect } from '../../../pages/context.ts';
import { formErrors } from '../../../pages/formErrors.ts';
import { retryForm } from '../fields.ts';
import { draftFor, endSession, type Site, type SiteContext, type SiteState } from '../site.ts';
import { completeSignIn, notifyIfNew, showCodePage, type SignedInBy } from './codePage.ts';
import { endSessionUrlOf, showSignedOut } from './signedOutPage.ts';
import { showSignIn } from './signInForm.ts';

/** The page after a sign-in without a destination. */
export const landingPath = '/studio';

/** Pages for signing in and out. */
export function addSignInPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  router.get('/sign-in', (ctx: SiteContext) => {
    const next = pathToReturnTo(ctx.query['next'], sitePage);
    if (ctx.state.account) redirect(ctx, next ?? landingPath);
    else showSignIn(site, ctx, { next: next ?? '' });
  });

  router.post('/sign-in', async (ctx: SiteContext) => {
    const { form } = ctx.state;
    const next = pathToReturnTo(form.get('next'), sitePage);
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
      else await continueSignIn(ctx, signedIn.account, 'password');
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      showSignIn(site, ctx, { next: next ?? '', draft, errors: formErrors(error) });
    }
  });

  /** Signs the account in and redirects to the form's destination. */
  const continueSignIn = async (ctx: SiteContext, account: Account, by: SignedInBy) => {
    const { form } = ctx.state;
    const next = pathToReturnTo(form.get('next'), sitePage);
    const draft = form.get('draft');
    await notifyIfNew(site, ctx, account);
    const data = next !== null && draft !== '' ? { draft: draftFor(next, draft) } : {};
    return completeSignIn(site, ctx, account, { by, kept: data, path: next ?? landingPath });
  };

  // A reload in the browser arrives here, because the code page is the response to a form.
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
          await continueSignIn(ctx, account, 'second factor');
          return;
        }
        const message = text('signIn.codeLate');
        showSignIn(site, ctx, { ...carried, errors: { fields: {}, message, status: 401 } });
      },
      (errors) => showCodePage(site, ctx, { proof, ...carried, errors }),
    );
  });

  router.post('/sign-out', async (ctx: SiteContext) => {
    const url = endSessionUrlOf(site, ctx);
    await endSession(ctx, deps.sessions);
    ctx.state.account = null;
    ctx.state.person = null;
    if (url === null) redirect(ctx, '/sign-in');
    else showSignedOut(site, ctx, url);
  });
}
