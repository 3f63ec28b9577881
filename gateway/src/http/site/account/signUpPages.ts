import type { Router } from '@koa/router';
import { askByMail } from '../../../application/site/askByMail.ts';
import { confirmMailbox } from '../../../application/site/confirmMailbox.ts';
import { FormProblem } from '../../../application/site/formProblem.ts';
import { signUp } from '../../../application/site/signUp.ts';
import { isLive } from '../../../domain/account.ts';
import { normaliseEmail } from '../../../domain/email.ts';
import { originOf, rememberBrowser } from './browserMarks.ts';
import { startSession } from './sessions.ts';
import { redirect } from './signInPages.ts';
import type { Site } from './site.ts';
import type { SiteContext, SiteState } from './siteContext.ts';

/** Sign up, prove the mailbox, forget a password. */
export function signUpPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const showSignUp = (ctx: SiteContext, error?: FormProblem) => {
    const { signupCredits } = deps;
    const email = ctx.state.form.get('email');
    const data = { title: 'Create an account', email, signupCredits, ...problemsOf(error) };
    site.show(ctx, 'signUp', data, error?.status);
  };
  router.get('/sign-up', (ctx: SiteContext) => {
    if (ctx.state.account) redirect(ctx, '/studio');
    else showSignUp(ctx);
  });
  router.post('/sign-up', async (ctx: SiteContext) => {
    const email = ctx.state.form.get('email');
    await attempt(
      async () => {
        const id = await signUp(deps, { email, from: originOf(ctx) });
        redirect(ctx, `/confirm/${id}`);
      },
      (error) => showSignUp(ctx, error),
    );
  });

  const showForgotten = (ctx: SiteContext, error?: FormProblem) => {
    const email = ctx.state.form.get('email');
    const data = { title: 'Forgotten password', email, ...problemsOf(error) };
    site.show(ctx, 'forgottenPassword', data, error?.status);
  };
  router.get('/forgotten-password', (ctx: SiteContext) => showForgotten(ctx));
  router.post('/forgotten-password', async (ctx: SiteContext) => {
    await attempt(
      async () => {
        const email = normaliseEmail(ctx.state.form.get('email'));
        if (email === null) throw new FormProblem({ email: 'Enter your e-mail address.' });
        const account = await deps.database.accounts.findByEmail(email);
        const accountId = account?.id ?? null;
        const question = {
          purpose: 'reset',
          accountId,
          email,
          from: originOf(ctx),
        } as const;
        redirect(ctx, `/confirm/${await askByMail(deps, question)}`);
      },
      (error) => showForgotten(ctx, error),
    );
  });

  const showConfirm = async (ctx: SiteContext, id: string, error?: FormProblem) => {
    const question = await deps.confirmations.find(id);
    const isOpen =
      question !== null &&
      question.usedAt === null &&
      question.triesLeft > 0 &&
      question.expiresAt > deps.clock.now();
    if (!isOpen) {
      const data = { title: 'This code is no longer good', purpose: question?.purpose ?? null };
      site.show(ctx, 'confirmOver', data, 410);
      return;
    }
    const { purpose, email } = question;
    const title = purpose === 'reset' ? 'Choose a new password' : 'Check your mail';
    const data = { title, purpose, id, email, ...problemsOf(error) };
    const { form } = ctx.state;
    const typed = { code: form.get('code'), revokesKeys: form.get('revoke_keys') !== '' };
    site.show(ctx, 'confirm', { ...data, ...typed }, error?.status);
  };
  router.get('/confirm/:id', (ctx: SiteContext) => showConfirm(ctx, ctx.params['id'] ?? ''));
  router.post('/confirm/:id', async (ctx: SiteContext) => {
    const { form } = ctx.state;
    const confirmationId = ctx.params['id'] ?? '';
    const answer = {
      ...{ confirmationId, code: form.get('code'), password: form.get('password') },
      revokesKeys: form.get('revoke_keys') !== '',
    };
    await attempt(
      async () => {
        const { account, purpose } = await confirmMailbox(deps, {
          ...{ ...answer, from: originOf(ctx) },
        });
        const live = account.keys.filter((key) => isLive(key, deps.clock.now())).length;
        const notice =
          purpose === 'verify'
            ? 'Your address is verified. Make your first API key, or go straight to the studio.'
            : `Your password is changed, and all browsers are signed out. ${keysLeft(live)}`;
        await startSession(ctx, { accountId: account.id, now: deps.clock.now() }, { notice });
        rememberBrowser(ctx, deps, account);
        redirect(ctx, purpose === 'verify' ? '/settings/public-api' : '/studio');
      },
      (error) => showConfirm(ctx, confirmationId, error),
    );
  });
}

function keysLeft(live: number): string {
  if (live === 0) return 'No API key works now.';
  const count = live === 1 ? 'One API key works' : `${live} API keys work`;
  return `${count} on: revoke what you do not know on the page of the keys.`;
}

/** What a page shows of a form's problems. */
export function problemsOf(error?: FormProblem): {
  problems: Readonly<Record<string, string>>;
  problem: string;
} {
  return { problems: error?.fields ?? {}, problem: error?.message ?? '' };
}

/** Does something that a form asks for, or shows the form again with its problems. */
export async function attempt(
  work: () => Promise<void>,
  again: (error: FormProblem) => void | Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof FormProblem)) throw error;
    await again(error);
  }
}
