import type { Router } from '@koa/router';
import { FormProblem } from '../../../application/site/formProblem.ts';
import { signIn } from '../../../application/site/signIn.ts';
import { originOf, rememberBrowser } from './browserMarks.ts';
import { endSession, startSession } from './sessions.ts';
import type { Site } from './site.ts';
import type { SiteContext, SiteState } from './siteContext.ts';

const landing = '/studio';

/** Sign in and out. */
export function signInPages(router: Router<SiteState>, site: Site): void {
  router.get('/sign-in', (ctx: SiteContext) => {
    const next = readNext(ctx.query['next']);
    if (ctx.state.account) redirect(ctx, next ?? landing);
    else showSignIn(site, ctx, { next: next ?? '' });
  });

  router.post('/sign-in', async (ctx: SiteContext) => {
    const { form } = ctx.state;
    const next = readNext(form.get('next'));
    const draft = form.get('draft');
    const email = form.get('email');
    try {
      const signedIn = await signIn(site.deps, {
        email,
        password: form.get('password'),
        from: originOf(ctx),
      });
      if ('confirmationId' in signedIn) {
        redirect(ctx, `/confirm/${signedIn.confirmationId}`);
        return;
      }
      const kept = next !== null && draft !== '' ? { draft: JSON.stringify([next, draft]) } : {};
      const { id: accountId } = signedIn.account;
      await startSession(ctx, { accountId, now: site.deps.clock.now() }, kept);
      rememberBrowser(ctx, site.deps, signedIn.account);
      redirect(ctx, next ?? landing);
    } catch (error) {
      if (!(error instanceof FormProblem)) throw error;
      const { message: problem, status } = error;
      showSignIn(site, ctx, { next: next ?? '', draft, email, problem, status });
    }
  });

  router.post('/sign-out', (ctx: SiteContext) => {
    endSession(ctx);
    redirect(ctx, '/sign-in');
  });
}

/** Shows the form of a sign-in, which keeps what it interrupts. */
export function showSignIn(
  site: Site,
  ctx: SiteContext,
  data: { next: string; draft?: string; email?: string; problem?: string; status?: number },
): void {
  const { next, draft = '', email = '', problem = '', status = 200 } = data;
  site.show(ctx, 'signIn', { title: 'Sign in', next, draft, email, problem }, status);
}

/** A page of ours to go to after a sign-in, and nothing else. */
function readNext(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return /^\/(studio|history|credits|settings|generations)[a-z0-9/_-]*$/.test(value) ? value : null;
}

/** Sends the browser on by GET. */
export function redirect(ctx: SiteContext, path: string): void {
  ctx.redirect(path);
  ctx.status = 303;
}
