import type { Router } from '@koa/router';
import { inviteByMail } from '../../application/site/signUp.ts';
import { runAction, type PlannedAction } from '../../application/staff/runAction.ts';
import { PlainRefusal } from '../../domain/refusal.ts';
import { mayDo } from '../../domain/staffRights.ts';
import { timestamp, html, type Html } from '../pages/html.ts';
import { tokenField } from '../pages/layout.ts';
import { formIdField } from './formFields.ts';
import {
  problemBox,
  showPage,
  table,
  actorOf,
  staffOf,
  type StaffConsole,
  type StaffContext,
  type StaffState,
} from './layout.ts';

/** Form that mails an invitation and shows its link, for sign-up by invitation. */
export function invitationPages(router: Router<StaffState>, { deps }: StaffConsole): void {
  if (deps.site.signUp !== 'invite') return;

  router.get('/staff/invitations', (ctx: StaffContext) => show(ctx, null, ''));
  router.post('/staff/invitations', async (ctx: StaffContext) => {
    const { form } = ctx.state;
    let made: Html | null = null;
    try {
      const formId = form.get('form_id').slice(0, 60) || null;
      const plan: PlannedAction = { action: 'invite', targets: [], reason: '', formId };
      await runAction(deps, actorOf(ctx), plan, async () => {
        const { email, url, until } = await inviteByMail(deps.site, form.get('email'));
        made = html`<p class="notice" role="status">
            The invitation was sent to ${email}. It is valid until ${timestamp(until)} (UTC), only
            for this address:
          </p>
          <pre>${url}</pre>`;
        // The audit log is permanent and not covered by erasure, so it must not contain the address.
        return `An address at ${email.slice(email.lastIndexOf('@') + 1)} was invited.`;
      });
      show(ctx, made, '');
    } catch (error) {
      if (!(error instanceof PlainRefusal)) throw error;
      show(ctx, null, error.message, 409);
    }
  });

  function show(ctx: StaffContext, made: Html | null, problem: string, status = 200): void {
    const allowed = mayDo(staffOf(ctx).staffRole, 'invite');
    const typed = made === null ? ctx.state.form.get('email') : '';
    const content = html`<div class="narrow">
      <h1>Invitations</h1>
      ${made} ${problemBox(allowed ? problem : 'Your role may not do this: ask an admin.')}
      <p>Customers sign up by invitation. An invitation is valid for one address and one week.</p>
      ${
        allowed &&
        html`<form class="stack" method="post" action="/staff/invitations">
          ${tokenField(ctx)} ${formIdField(deps.work.random)}
          <label
            >E-mail address
            <input type="email" name="email" value="${typed}" autocomplete="off" required
          /></label>
          <button>Send invitation</button>
        </form>`
      }
    </div>`;
    showPage(ctx, 'Invitations', content, allowed ? status : 403);
  }
}

const shown = 200;

/** Undelivered mails, newest first, without their texts. */
export function mailPages(router: Router<StaffState>, { deps }: StaffConsole): void {
  router.get('/staff/mails', async (ctx) => {
    const found = await deps.mails.findUndelivered(shown);
    const rows = found.map(({ createdAt, to, subject, tries, problem, givenUpAt = null }) => [
      timestamp(createdAt),
      to,
      subject,
      String(tries),
      problem ?? '',
      givenUpAt === null ? 'waiting for the next attempt' : html`given up, ${timestamp(givenUpAt)}`,
    ]);
    const columns = ['Time (UTC)', 'To', 'Subject', 'Tries', 'Mail server', 'State'];
    const content = html`<h1>Mails</h1>
      <p>
        Mails of the last week that the mail server has not accepted. Mails with a code are retried
        while the code is valid.
      </p>
      ${table(columns, rows, 'Everything was delivered.')}`;
    showPage(ctx, 'Mails', content);
  });
}
