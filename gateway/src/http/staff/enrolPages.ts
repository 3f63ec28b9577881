import type { Router } from '@koa/router';
import { renderSVG } from 'uqr';
import { enrol, findEnrolment, type OpenEnrolment } from '../../application/staff/enrolment.ts';
import { noteAction } from '../../application/staff/runAction.ts';
import { isStaff } from '../../application/staff/signInStaff.ts';
import { minStaffPasswordLength } from '../../domain/signIn.ts';
import { originOf, rememberBrowser, redirect } from '../pages/context.ts';
import { html, type Html } from '../pages/html.ts';
import { revealButton, tokenField } from '../pages/layout.ts';
import { problemBox, showPage } from './layout.ts';
import { startSession } from './signInPages.ts';
import { actorOf, type StaffConsole, type StaffContext, type StaffState } from './staffContext.ts';
import { PlainRefusal } from '../../domain/refusal.ts';

/** The page behind an enrolment link: a secret for the app, and the first code back. */
export function enrolPages(router: Router<StaffState>, { deps }: StaffConsole): void {
  router.get('/staff/enrol/:token', async (ctx: StaffContext) => {
    show(ctx, await findEnrolment(deps, tokenOf(ctx)), {});
  });

  router.post('/staff/enrol/:token', async (ctx: StaffContext) => {
    const { form } = ctx.state;
    const token = tokenOf(ctx);
    const [password, code] = [form.get('password'), form.get('code')];
    try {
      const accountId = await enrol(deps, { token, password, code, from: originOf(ctx) });
      const account = await deps.work.database.accounts.find(accountId);
      if (account && isStaff(account)) {
        ctx.state.staff = account;
        await noteAction(deps, actorOf(ctx), 'enrol');
        // Password and code have just been shown.
        await startSession(ctx, deps, accountId);
        rememberBrowser(ctx, deps.site, account);
      }
      redirect(ctx, '/staff');
    } catch (error) {
      if (!(error instanceof PlainRefusal)) throw error;
      const problem = [error.message, ...Object.values(error.fields)].join(' ').trim();
      show(ctx, await findEnrolment(deps, token), { problem, status: error.status });
    }
  });
}

const tokenOf = (ctx: StaffContext) => String(ctx.params['token']);

function show(
  ctx: StaffContext,
  open: OpenEnrolment | null,
  { problem = '', status = 200 }: { problem?: string; status?: number },
): void {
  if (open === null) {
    const over = html`<div class="narrow">
      <h1>This link is over</h1>
      <p>
        It was used, a newer one took its place, or its hour has passed. An operator makes another:
      </p>
      <pre>npm run admin -- staff enrol --account ACCOUNT</pre>
    </div>`;
    showPage(ctx, 'Enrolment', over, 410);
    return;
  }
  showPage(ctx, 'Enrolment', formOf(ctx, open, problem), status);
}

function formOf(ctx: StaffContext, open: OpenEnrolment, problem: string): Html {
  const grouped = open.secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
  // Made from our own text by the package, in squares and numbers only.
  const picture: Html = { markup: renderSVG(open.address, { border: 2 }) };
  const password = open.setsPassword
    ? html`<label
          >Choose a password
          <input
            type="password"
            name="password"
            autocomplete="new-password"
            minlength="${minStaffPasswordLength}"
            required /></label
        >${revealButton}`
    : html`<label
          >Your password
          <input type="password" name="password" autocomplete="current-password" required /></label
        >${revealButton}`;
  return html`<div class="narrow">
    <h1>Enrol for the staff console</h1>
    <p>For <b>${open.email}</b>. This link works once.</p>
    ${problemBox(problem)}
    <div class="qr" role="img" aria-label="Picture for an authenticator app">${picture}</div>
    <p>Scan the picture with an authenticator app, or type its secret:</p>
    <p><code id="secret">${grouped}</code></p>
    <form class="stack" method="post">
      ${tokenField(ctx)}
      <input type="hidden" name="username" value="${open.email}" autocomplete="username" />
      ${password}
      <label
        >Code that the app shows
        <input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="9" required
      /></label>
      <button>Enrol</button>
    </form>
  </div>`;
}
