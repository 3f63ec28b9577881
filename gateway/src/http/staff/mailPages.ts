import type { Router } from '@koa/router';
import { inviteByMail } from '../../application/site/signUp.ts';
import { runAction, type PlannedAction } from '../../application/staff/runAction.ts';
import { PlainRefusal } from '../../domain/refusal.ts';
import { mayDo } from '../../domain/staffRights.ts';
import { timestamp, html, type Html } from '../pages/html.ts';
import { tokenField } from '../pages/layout.ts';
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

/** Where customers sign up by invitation: a form that mails one, and shows its link. */
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
            The invitation is mailed to ${email}. It works until ${timestamp(until)} (UTC), for this
            address alone:
          </p>
          <pre>${url}</pre>`;
        // The log is kept for good, and no erasure would find an address in it.
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
    const formId = Buffer.from(deps.work.random.bytes(15)).toString('base64url');
    const typed = made === null ? ctx.state.form.get('email') : '';
    const content = html`<div class="narrow">
      <h1>Invitations</h1>
      ${made} ${problemBox(allowed ? problem : 'Your role may not do this: ask an admin.')}
      <p>Customers sign up by invitation. An invitation is for one address and works for a week.</p>
      ${
        allowed &&
        html`<form class="stack" method="post" action="/staff/invitations">
          ${tokenField(ctx)} <input type="hidden" name="form_id" value="${formId}" />
          <label
            >E-mail address
            <input type="email" name="email" value="${typed}" autocomplete="off" required
          /></label>
          <button>Mail an invitation</button>
        </form>`
      }
    </div>`;
    showPage(ctx, 'Invitations', content, allowed ? status : 403);
  }
}

const shown = 200;

/** Mails that have not been delivered, the newest first; their texts are never shown. */
export function mailPages(router: Router<StaffState>, { deps }: StaffConsole): void {
  router.get('/staff/mails', async (ctx) => {
    const found = await deps.mails.findUndelivered(shown);
    const rows = found.map(({ createdAt, to, subject, tries, problem, givenUpAt = null }) => [
      timestamp(createdAt),
      to,
      subject,
      String(tries),
      problem ?? '',
      givenUpAt === null ? 'is tried again' : html`given up, ${timestamp(givenUpAt)}`,
    ]);
    const columns = ['Time (UTC)', 'To', 'Subject', 'Tries', 'Mail server', 'State'];
    const content = html`<h1>Mails</h1>
      <p>
        What the mail server has not taken, for a week. A mail with a code is tried for as long as
        its code works; after that its owner asks for another one.
      </p>
      ${table(columns, rows, 'Everything was delivered.')}`;
    showPage(ctx, 'Mails', content);
  });
}
