import type { Router } from '@koa/router';
import { endSessions } from '../../application/site/changePassword.ts';
import { FormProblem } from '../../application/site/formProblem.ts';
import { noteAction } from '../../application/staff/runAction.ts';
import { signInStaff } from '../../application/staff/signInStaff.ts';
import { originOf, rememberBrowser } from '../site/account/browserMarks.ts';
import { html } from '../site/html.ts';
import { goTo, problemBox, showPage, tokenField } from './layout.ts';
import type { StaffConsole, StaffContext, StaffState } from './staffContext.ts';
import { actorOf } from './staffContext.ts';
import { enter, leave } from './staffSession.ts';

/** Sign in and out. */
export function signInPages(router: Router<StaffState>, console: StaffConsole): void {
  const { deps } = console;
  router.get('/staff/sign-in', (ctx: StaffContext) => {
    const next = readNext(ctx.query['next']);
    if (ctx.state.staff) goTo(ctx, next);
    else showSignIn(ctx, { next });
  });

  router.post('/staff/sign-in', async (ctx: StaffContext) => {
    const { form } = ctx.state;
    const next = readNext(form.get('next'));
    const email = form.get('email');
    const [password, code] = [form.get('password'), form.get('code')];
    try {
      const account = await signInStaff(deps, {
        email,
        password,
        code,
        from: originOf(ctx),
      });
      await enter(console, ctx, account.id);
      rememberBrowser(ctx, deps.site, account);
      ctx.state.staff = account;
      await noteAction(deps, actorOf(ctx), 'sign in');
      goTo(ctx, next);
    } catch (error) {
      if (!(error instanceof FormProblem)) throw error;
      showSignIn(ctx, { next, email, problem: error.message, status: error.status });
    }
  });

  router.post('/staff/sign-out-everywhere', async (ctx: StaffContext) => {
    if (ctx.state.staff) {
      await noteAction(deps, actorOf(ctx), 'sign out everywhere');
      await endSessions(deps.site, ctx.state.staff.id, null);
    }
    await leave(console, ctx);
    goTo(ctx, '/staff/sign-in');
  });

  router.post('/staff/sign-out', async (ctx: StaffContext) => {
    if (ctx.state.staff) await noteAction(deps, actorOf(ctx), 'sign out');
    await leave(console, ctx);
    goTo(ctx, '/staff/sign-in');
  });
}

/** Shows the form of a sign-in. */
export function showSignIn(
  ctx: StaffContext,
  data: { next?: string; email?: string; problem?: string; status?: number },
): void {
  const { next = '/staff', email = '', problem = '', status = 200 } = data;
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
        >Password <input type="password" name="password" autocomplete="current-password" required
      /></label>
      <label
        >Code from your app
        <input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="9" required
      /></label>
      <button>Sign in</button>
    </form>
    <p class="quiet">No code yet? Open your enrolment link; an operator makes a new one.</p>
  </div>`;
  showPage(ctx, 'Sign in', content, status);
}

/** A page of the console to go to after a sign-in, and nothing else. */
function readNext(value: unknown): string {
  return typeof value === 'string' && /^\/staff(\/[A-Za-z0-9_/-]*)?$/.test(value)
    ? value
    : '/staff';
}
