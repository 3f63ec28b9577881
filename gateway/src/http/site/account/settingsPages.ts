import type { Router } from '@koa/router';
import { changePassword, endSessions } from '../../../application/site/changePassword.ts';
import type { FormProblem } from '../../../application/site/formProblem.ts';
import { describeBrowser } from './describeBrowser.ts';
import { originOf } from './browserMarks.ts';
import { requireAccount } from './requireAccount.ts';
import { endSession, idleMs, keepForNextPage } from './sessions.ts';
import { redirect } from './signInPages.ts';
import { attempt, problemsOf } from './signUpPages.ts';
import type { Site } from './site.ts';
import { accountOf, type SiteContext, type SiteState } from './siteContext.ts';

const path = '/settings/account';

/** The account's own settings: password and sessions. */
export function settingsPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const signedIn = requireAccount(site, path);

  const showSettings = async (ctx: SiteContext, error?: FormProblem) => {
    const account = accountOf(ctx);
    const sessions = await deps.sessions.list(account.id, idleMs);
    const shown = sessions.map((session) => ({
      ...session,
      browser: describeBrowser(session.userAgent),
      isThis: session.id === ctx.state.sessionId,
    }));
    const data = { title: 'Account', createdAt: account.createdAt, sessions: shown };
    site.show(ctx, 'account', { ...data, ...problemsOf(error) }, error?.status);
  };
  router.get(path, signedIn, (ctx: SiteContext) => showSettings(ctx));

  router.post(`${path}/password`, signedIn, async (ctx: SiteContext) => {
    const { form, sessionId } = ctx.state;
    await attempt(
      async () => {
        await changePassword(deps, {
          accountId: accountOf(ctx).id,
          current: form.get('current_password'),
          password: form.get('password'),
          keptSessionId: sessionId ?? '',
          from: originOf(ctx),
        });
        keepForNextPage(ctx, 'notice', 'Your password is changed. Other browsers are signed out.');
        redirect(ctx, path);
      },
      (error) => showSettings(ctx, error),
    );
  });

  router.post(`${path}/sessions`, signedIn, async (ctx: SiteContext) => {
    const wanted = ctx.state.form.get('session');
    const { id: accountId } = accountOf(ctx);
    if (wanted === 'all') {
      await endSessions(deps, accountId, null);
      endSession(ctx);
      redirect(ctx, '/sign-in');
      return;
    }
    if (wanted === 'others') {
      await endSessions(deps, accountId, ctx.state.sessionId);
      keepForNextPage(ctx, 'notice', 'All other browsers are signed out.');
    } else {
      const own = await deps.sessions.list(accountId, idleMs);
      if (own.some(({ id }) => id === wanted)) await deps.sessions.remove(wanted);
      keepForNextPage(ctx, 'notice', 'That browser is signed out.');
    }
    redirect(ctx, path);
  });
}
