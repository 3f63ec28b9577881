import type { Router } from '@koa/router';
import type { App } from '../../../application/app.ts';
import { enrol, findEnrolment, type OpenEnrolment } from '../../../application/staff/enrolment.ts';
import { recordAction } from '../../../application/staff/runAction.ts';
import { isStaff } from '../../../application/staff/signInStaff.ts';
import { minStaffPasswordLength } from '../../../domain/signIn/password.ts';
import { secretForApp } from '../../pages/authenticator.ts';
import { redirect, rememberBrowser } from '../../pages/context.ts';
import { revealButton, tokenField } from '../../pages/elements.ts';
import { attributes, type Html, html } from '../../pages/html.ts';
import { actorOf, type StaffContext, type StaffState } from '../context.ts';
import { problemBox, shownProblem } from '../elements.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';
import { factorOf, newPasskeyFields } from '../proofFields.ts';
import { nameField } from './passkeyPages.ts';
import { startConsoleSession } from './signInPages.ts';

const path = '/staff/enrol';
/** The part of a pasted link before its code. */
const beforeCode = /^.*#/s;

interface EnrolmentPage {
  token: string;
  problem?: string;
  status?: number;
}

/**
 * Pages of an enrolment link: a secret for the app and a form for its first code. The link's own code is in the
 * fragment, which browsers do not send, so that no proxy logs it. The script or the user submits it in a form.
 */
export function addEnrolPages(router: Router<StaffState>, deps: App): void {
  router.get(path, needs('enrol'), (ctx: StaffContext) => {
    askForCode(ctx, '', 200);
  });

  router.post(path, needs('enrol'), async (ctx: StaffContext) => {
    const { form } = ctx.state;
    const token = form.get('token').trim().replace(beforeCode, '');
    const factor = factorOf(ctx);
    const [password, name] = [form.get('password'), form.get('name')];
    if (token === '') {
      askForCode(ctx, 'Paste the code from your link.', 400);
      return;
    }
    if (factor.code === '' && factor.passkey === '') {
      show(ctx, deps, await findEnrolment(deps, token), { token });
      return;
    }
    try {
      const accountId = await enrol(deps, { token, password, name, ...factor });
      const account = await deps.database.accounts.find(accountId);
      if (account && isStaff(account)) {
        ctx.state.staff = account;
        await recordAction(deps, actorOf(ctx), 'enrol');
        // Password and factor have just been verified.
        await startConsoleSession(ctx, deps, accountId);
        rememberBrowser(ctx, deps, account);
      }
      redirect(ctx, '/staff');
    } catch (error) {
      const refusal = shownProblem(error);
      show(ctx, deps, await findEnrolment(deps, token), { token, ...refusal });
    }
  });
}

/** Landing page of a link; its script submits the code immediately. */
function askForCode(ctx: StaffContext, problem: string, status: number): void {
  const content = html`<div class="narrow">
    <h1>Set up staff console access</h1>
    ${problemBox(problem)}
    <p>Paste your enrolment link, or the code after its <code>#</code>.</p>
    ${codeForm(ctx)}
  </div>`;
  showPage(ctx, 'Enrolment', content, status);
}

function codeForm(ctx: StaffContext): Html {
  return html`<form class="stack" method="post" action="${path}" data-takes-fragment>
    ${tokenField(ctx)}
    <label
      >Code from the link
      <input name="token" autocomplete="off" spellcheck="false" maxlength="2048" required
    /></label>
    <button>Continue</button>
  </form>`;
}

function show(ctx: StaffContext, deps: App, open: OpenEnrolment | null, page: EnrolmentPage): void {
  if (open) {
    showPage(ctx, 'Enrolment', enrolForms(ctx, deps, open, page), page.status);
    return;
  }
  const content = html`<div class="narrow">
    <h1>Link expired</h1>
    <p>
      The link was used, was replaced by a newer one, or expired after an hour. An operator can
      create another:
    </p>
    <pre>npm run admin -- staff enrol --account ACCOUNT</pre>
    ${codeForm(ctx)}
  </div>`;
  showPage(ctx, 'Enrolment', content, 410);
}

/** The ways to enrol: the app or a passkey, each with the password. */
function enrolForms(
  ctx: StaffContext,
  deps: App,
  open: OpenEnrolment,
  { token, problem = '' }: EnrolmentPage,
): Html {
  const form = (fields: Html, button: string) =>
    html`<form class="stack" method="post" action="${path}">
      ${tokenField(ctx)}
      <input type="hidden" name="token" value="${token}" />
      <input type="hidden" name="username" value="${open.email}" autocomplete="username" />
      ${passwordField(open)} ${fields}
      <button>${button}</button>
    </form>`;
  const app = html`<h2>With an authenticator app</h2>
    ${secretForApp(open)}
    ${form(
      html`<label
        >Code from your app
        <input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="9" required
      /></label>`,
      'Enrol',
    )}`;
  const passkey = form(
    html`${nameField(ctx.state.form.get('name') || 'My passkey')}
    ${newPasskeyFields(ctx, deps, path, { ...open, others: [] })}`,
    'Continue with a passkey',
  );
  return html`<div class="narrow">
    <h1>Set up staff console access</h1>
    <p>For <b>${open.email}</b>. This link works once and replaces all your existing factors.</p>
    ${problemBox(problem)} ${deps.staffFactor === 'any' && app}
    <h2>With a passkey</h2>
    ${passkey}
  </div>`;
}

function passwordField({ setsPassword }: OpenEnrolment): Html {
  const field = setsPassword
    ? {
        label: 'Choose a password',
        autocomplete: 'new-password',
        minlength: minStaffPasswordLength,
      }
    : { label: 'Your password', autocomplete: 'current-password' };
  const { label, ...rest } = field;
  return html`<label
      >${label}
      <input
        ${attributes({ type: 'password', name: 'password', ...rest, required: true })} /></label
    >${revealButton()}`;
}
