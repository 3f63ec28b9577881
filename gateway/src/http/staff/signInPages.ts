import type { Router } from '@koa/router';
import { endSessions } from '../../application/site/changePassword.ts';
import { noteAction } from '../../application/staff/runAction.ts';
import {
  endStaffSession,
  findStaff,
  signInStaff,
  startStaffSession,
} from '../../application/staff/signInStaff.ts';
import type { StaffDeps } from '../../application/staff/staffDeps.ts';
import { PlainRefusal } from '../../domain/refusal.ts';
import {
  pathToReturnTo,
  redirect,
  originOf,
  pageCookie,
  rememberBrowser,
  type Next,
} from '../pages/context.ts';
import { html } from '../pages/html.ts';
import { revealButton, tokenField } from '../pages/layout.ts';
import {
  problemBox,
  showPage,
  actorOf,
  type StaffConsole,
  type StaffContext,
  type StaffState,
} from './layout.ts';

/**
 * Session cookie of the console, separate from the account site's. It ends when the browser is closed.
 */
const cookie = pageCookie('fg_staff');
const overview = '/staff';
/** Allowed destinations after a sign-in. */
const ownPages = /^\/staff(\/[A-Za-z0-9_/-]*)?$/;

/** Pages for signing in and out. */
export function signInPages(router: Router<StaffState>, { deps }: StaffConsole): void {
  router.get('/staff/sign-in', (ctx: StaffContext) => {
    const next = pathToReturnTo(ctx.query['next'], ownPages) ?? overview;
    if (ctx.state.staff) redirect(ctx, next);
    else showSignIn(ctx, { next });
  });

  router.post('/staff/sign-in', async (ctx: StaffContext) => {
    const { form } = ctx.state;
    const next = pathToReturnTo(form.get('next'), ownPages) ?? overview;
    const email = form.get('email');
    try {
      const account = await signInStaff(deps, {
        email,
        password: form.get('password'),
        code: form.get('code'),
        from: originOf(ctx),
      });
      await startSession(ctx, deps, account.id);
      rememberBrowser(ctx, deps.site, account);
      ctx.state.staff = account;
      await noteAction(deps, actorOf(ctx), 'sign in');
      redirect(ctx, next);
    } catch (error) {
      if (!(error instanceof PlainRefusal)) throw error;
      showSignIn(ctx, { next, email, problem: error.message, status: error.status });
    }
  });

  router.post('/staff/sign-out-everywhere', async (ctx: StaffContext) => {
    if (ctx.state.staff) {
      await noteAction(deps, actorOf(ctx), 'sign out everywhere');
      await endSessions(deps.site, ctx.state.staff.id, null);
    }
    await endSession(ctx, deps);
    redirect(ctx, '/staff/sign-in');
  });

  router.post('/staff/sign-out', async (ctx: StaffContext) => {
    if (ctx.state.staff) await noteAction(deps, actorOf(ctx), 'sign out');
    await endSession(ctx, deps);
    redirect(ctx, '/staff/sign-in');
  });
}

/** Loads the session. @param isUse False for automatic requests, which do not extend it. */
export function loadSession(deps: StaffDeps, isUse: (ctx: StaffContext) => boolean) {
  return async (ctx: StaffContext, next: Next): Promise<void> => {
    const value = cookie.read(ctx);
    const found = value === undefined ? null : await findStaff(deps, value, isUse(ctx));
    ctx.state.staff = found?.account ?? null;
    await next();
  };
}

/** Starts a new session for an account. */
export async function startSession(
  ctx: StaffContext,
  deps: StaffDeps,
  accountId: string,
): Promise<void> {
  cookie.write(ctx, await startStaffSession(deps, accountId));
}

/** Removes the session from the database and the browser. */
async function endSession(ctx: StaffContext, deps: StaffDeps): Promise<void> {
  const value = cookie.read(ctx);
  if (value !== undefined) await endStaffSession(deps, value);
  cookie.clear(ctx);
}

/** Middleware that requires a sign-in of staff; afterwards the browser returns to the page. */
export async function requireStaff(ctx: StaffContext, next: Next): Promise<void> {
  if (ctx.state.staff !== null) {
    await next();
    return;
  }
  if (ctx.method === 'GET') {
    redirect(ctx, `/staff/sign-in?next=${encodeURIComponent(ctx.path)}`);
    return;
  }
  const problem = 'You were signed out in the meantime. Nothing was done. Sign in again.';
  showSignIn(ctx, { problem, status: 401 });
}

function showSignIn(
  ctx: StaffContext,
  shown: { next?: string; email?: string; problem?: string; status?: number },
): void {
  const { next = overview, email = '', problem = '', status } = shown;
  const content = html`<div class="narrow">
    <h1>Staff console</h1>
    ${problemBox(problem)}
    <form class="stack" action="/staff/sign-in" method="post">
      ${tokenField(ctx)}
      <input type="hidden" name="next" value="${next}" />
      <label
        >E-mail <input type="email" name="email" value="${email}" autocomplete="username" required
      /></label>
      <label
        >Password
        <input type="password" name="password" autocomplete="current-password" required /></label
      >${revealButton}
      <label
        >Code from your app
        <input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="9" required
      /></label>
      <button>Sign in</button>
    </form>
    <p class="quiet">No code yet? Open your enrolment link, or ask an operator for a new one.</p>
  </div>`;
  showPage(ctx, 'Sign in', content, status);
}
