import type { Router } from '@koa/router';
import type { App } from '../../../application/app.ts';
import { endSessions } from '../../../application/signIn/changePassword.ts';
import { recordAction } from '../../../application/staff/runAction.ts';
import {
  endStaffSession,
  findStaff,
  requireStaffFactor,
  signInStaff,
  type StaffAccount,
  startStaffSession,
} from '../../../application/staff/signInStaff.ts';
import {
  clearSiteData,
  type Next,
  pageCookie,
  pathToReturnTo,
  redirect,
  rememberBrowser,
} from '../../pages/context.ts';
import { revealButton, tokenField, urlOf } from '../../pages/elements.ts';
import { html } from '../../pages/html.ts';
import { actorOf, type StaffContext, type StaffState } from '../context.ts';
import { problemBox, shownProblem } from '../elements.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';
import { factorOf, proofFields } from '../proofFields.ts';

/**
 * Session cookie of the console, separate from the account site's. It ends when the browser is closed.
 */
const cookie = pageCookie('fg_staff');
/** Path of the first page of the console. */
export const overview = '/staff';
/** Allowed destinations after a sign-in. */
export const ownPages = /^\/staff(\/[A-Za-z0-9_/-]*)?$/;

/** Pages for signing in and out. */
export function addStaffSignInPages(router: Router<StaffState>, deps: App): void {
  router.get('/staff/sign-in', needs('sign in'), (ctx: StaffContext) => {
    const next = pathToReturnTo(ctx.query['next'], ownPages) ?? overview;
    if (ctx.state.staff) redirect(ctx, next);
    else showSignIn(ctx, deps, { next });
  });

  router.post('/staff/sign-in', needs('sign in'), async (ctx: StaffContext) => {
    const { form } = ctx.state;
    const next = pathToReturnTo(form.get('next'), ownPages) ?? overview;
    const email = form.get('email');
    if (!hasPasswords(deps)) {
      redirect(ctx, '/staff/sign-in');
      return;
    }
    try {
      const account = await signInStaff(deps, {
        email,
        password: form.get('password'),
        ...factorOf(ctx),
      });
      await signInToConsole(ctx, deps, account);
      rememberBrowser(ctx, deps, account);
      redirect(ctx, next);
    } catch (error) {
      showSignIn(ctx, deps, { next, email, ...shownProblem(error) });
    }
  });

  router.post(
    '/staff/sign-out-everywhere',
    needs('sign out everywhere'),
    async (ctx: StaffContext) => {
      if (ctx.state.staff) {
        await recordAction(deps, actorOf(ctx), 'sign out everywhere');
        await endSessions(deps, ctx.state.staff.id, null);
      }
      await endSession(ctx, deps);
      redirect(ctx, '/staff/sign-in');
    },
  );

  router.post('/staff/sign-out', needs('sign out'), async (ctx: StaffContext) => {
    if (ctx.state.staff) await recordAction(deps, actorOf(ctx), 'sign out');
    const wasLinked = (ctx.state.staff?.identities ?? []).length > 0;
    await endSession(ctx, deps);
    ctx.state.staff = null;
    const url = wasLinked
      ? (deps.signOn?.provider.endSessionUrl(null, `${deps.consoleUrl}/`) ?? null)
      : null;
    if (url === null) redirect(ctx, '/staff/sign-in');
    else showSignedOut(ctx, deps, url);
  });
}

/** Loads the session. @param isUse False for automatic requests, which do not extend it. */
export function loadConsoleSession(deps: App, isUse: (ctx: StaffContext) => boolean) {
  return async (ctx: StaffContext, next: Next): Promise<void> => {
    const value = cookie.read(ctx);
    const signedIn = value === undefined ? null : await findStaff(deps, value, isUse(ctx));
    const { account = null, session = null } = signedIn ?? {};
    const prove = async () => {
      if (account) await requireStaffFactor(deps, account, factorOf(ctx));
    };
    let proven: Promise<void> | undefined;
    Object.assign(ctx.state, { staff: account, session, prove: () => (proven ??= prove()) });
    await next();
  };
}

/** Whether staff sign in with passwords. */
const hasPasswords = ({ signInWays, signOn }: App) => signInWays !== 'oidc' || !signOn?.staff;

/** Starts a session for a staff member who has just signed in, with its entry in the audit log. */
export async function signInToConsole(
  ctx: StaffContext,
  deps: App,
  account: StaffAccount,
): Promise<void> {
  await startConsoleSession(ctx, deps, account.id);
  ctx.state.staff = account;
  await recordAction(deps, actorOf(ctx), 'sign in');
}

/** Starts a new session for an account. */
export async function startConsoleSession(
  ctx: StaffContext,
  deps: App,
  accountId: string,
): Promise<void> {
  cookie.write(ctx, await startStaffSession(deps, accountId));
}

/** Removes the session from the database and the browser. */
async function endSession(ctx: StaffContext, deps: App): Promise<void> {
  const value = cookie.read(ctx);
  if (value !== undefined) await endStaffSession(deps, value);
  cookie.clear(ctx);
  clearSiteData(ctx);
}

/** Middleware that requires a sign-in of staff; afterwards the browser returns to the page. */
export function requireStaff(deps: App) {
  return async (ctx: StaffContext, next: Next): Promise<void> => {
    if (ctx.state.staff !== null) {
      await next();
      return;
    }
    if (ctx.method === 'GET') {
      redirect(ctx, urlOf('/staff/sign-in', { next: ctx.path }));
      return;
    }
    const problem = 'You were signed out. Nothing was done. Sign in again.';
    showSignIn(ctx, deps, { problem, status: 401 });
  };
}

/** Page after a sign-out of a staff member whose session at the provider may continue. */
function showSignedOut(ctx: StaffContext, { signOn }: App, url: string): void {
  const name = signOn?.name ?? '';
  const content = html`<div class="narrow">
    <h1>You are signed out</h1>
    <p>You may still be signed in at ${name}, so anyone using this browser could sign in again.</p>
    <p><a class="button" href="${url}">Sign out of ${name} too</a></p>
    <p><a href="/staff/sign-in">Sign in again</a></p>
  </div>`;
  showPage(ctx, 'You are signed out', content);
}

/** Shows the available sign-ins of the console. */
export function showSignIn(
  ctx: StaffContext,
  deps: App,
  page: { next?: string; email?: string; problem?: string; status?: number },
): void {
  const { next = overview, email = '', problem = '', status } = page;
  const { signOn } = deps;
  const way = urlOf('/staff/sign-in/oidc', { next });
  const button =
    signOn?.staff && html`<p><a class="button" href="${way}">Sign in with ${signOn.name}</a></p>`;
  if (!hasPasswords(deps)) {
    const only = html`<div class="narrow">
      <h1>Staff console</h1>
      ${problemBox(problem)} ${button}
    </div>`;
    showPage(ctx, 'Sign in', only, status);
    return;
  }
  const content = html`<div class="narrow">
    <h1>Staff console</h1>
    ${problemBox(problem)} ${button}
    <form class="stack" action="/staff/sign-in" method="post">
      ${tokenField(ctx)}
      <input type="hidden" name="next" value="${next}" />
      <label
        >Email <input type="email" name="email" value="${email}" autocomplete="username" required
      /></label>
      <label
        >Password
        <input type="password" name="password" autocomplete="current-password" required /></label
      >${revealButton()} ${proofFields(ctx, deps, '/staff/sign-in')}
      <button>Sign in</button>
    </form>
    <p class="quiet">
      First time here? Open your enrolment link, or ask an operator for a new one.
    </p>
  </div>`;
  showPage(ctx, 'Sign in', content, status);
}
