import type { Router } from '@koa/router';
import type { App } from '../../../application/app.ts';
import type { SentInvitation } from '../../../application/ports/invitations.ts';
import { inviteByMail, revokeInvitation } from '../../../application/signIn/signUp.ts';
import { type PlannedAction, runActionForValue } from '../../../application/staff/runAction.ts';
import { tokenField } from '../../pages/elements.ts';
import { attributes, type Html, html, timestamp } from '../../pages/html.ts';
import { actorOf, type StaffContext, type StaffState } from '../context.ts';
import { badge, formIdField, formIdOf, problemBox, shownProblem, table } from '../elements.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';

const path = '/staff/invitations';
const maxShown = 100;
/** Maximum addresses in one form. */
const max = 20;

/** Invitations for sign-up by invitation: the form that emails one, and those already sent. */
export function addInvitationPages(router: Router<StaffState>, deps: App): void {
  if (deps.signUp !== 'invite') return;

  router.get(path, needs('invite'), (ctx: StaffContext) => show(ctx, null, ''));
  router.post(path, needs('invite'), async (ctx: StaffContext) => {
    const typed = ctx.state.form.get('email').split(/[\s,;]+/);
    const emails = [...new Set(typed.filter((each) => each !== ''))];
    if (emails.length > max) {
      await show(ctx, null, `Invite at most ${max} people at a time.`, 409);
      return;
    }
    const notices: Html[] = [];
    const problems: string[] = [];
    const refused: string[] = [];
    for (const [place, email] of (emails.length === 0 ? [''] : emails).entries()) {
      try {
        notices.push(await act(ctx, { action: 'invite', place }, () => invite(email)));
      } catch (error) {
        const problem = shownProblem(error).problem;
        refused.push(email);
        problems.push(emails.length > 1 ? `${email}: ${problem}` : problem);
      }
    }
    const notice = notices.length === 0 ? null : html`${notices}`;
    await show(ctx, notice, problems.join(' '), problems.length > 0 ? 409 : 200, refused);
  });

  async function invite(typedEmail: string): Promise<{ value: Html; summary: string }> {
    const { email, url, until } = await inviteByMail(deps, typedEmail);
    const notice = html`<p class="notice" role="status">
        Invitation sent to ${email}. It expires on ${timestamp(until)} (UTC) and works only for this
        address. If the email gets lost, this link sends another code:
      </p>
      <pre>${url}</pre>`;
    return { value: notice, summary: `Invited an address at ${hostOf(email)}.` };
  }

  router.post(`${path}/revoke`, needs('revoke invitation'), async (ctx: StaffContext) => {
    const typed = ctx.state.form.get('email');
    try {
      const notice = await act(ctx, { action: 'revoke invitation', place: 0 }, async () => {
        const email = await revokeInvitation(deps, typed);
        const value = html`<p class="notice" role="status">
          Invitation for ${email} revoked. Its links no longer work.
        </p>`;
        return {
          value,
          summary: `Revoked the invitation of an address at ${hostOf(email)}.`,
        };
      });
      await show(ctx, notice, '');
    } catch (error) {
      await show(ctx, null, shownProblem(error).problem, 409);
    }
  });

  /**
   * @param planned.place Position of the address in the form.
   * @param work Returns a notice, and the result for the permanent audit log, which contains no address.
   * @throws Refusal
   */
  async function act(
    ctx: StaffContext,
    { action, place }: { action: PlannedAction['action']; place: number },
    work: () => Promise<{ value: Html; summary: string }>,
  ): Promise<Html> {
    const form = formIdOf(ctx);
    const formId = form && `${form} ${place}`;
    return runActionForValue(deps, actorOf(ctx), { action, targets: [], reason: '', formId }, work);
  }

  /** @param typed Addresses to correct. */
  async function show(
    ctx: StaffContext,
    notice: Html | null,
    problem: string,
    status = 200,
    typed: readonly string[] = [],
  ): Promise<void> {
    const content = html`<h1>Invitations</h1>
      ${notice} ${problemBox(problem)}
      <p>Customers sign up by invitation. Each invitation works for one address, for a week.</p>
      <form method="post" action="${path}">
        ${tokenField(ctx)} ${formIdField(deps.random)}
        <label
          >Emails, up to ${max}, one per line
          <textarea name="email" rows="3" autocomplete="off" required>${typed.join('\n')}</textarea>
        </label>
        <button>Send invitations</button>
      </form>
      ${await list(ctx)}`;
    showPage(ctx, 'Invitations', content, status);
  }

  async function list(ctx: StaffContext): Promise<Html> {
    const invitations = await deps.invitations.listNewest(maxShown);
    const rows = await Promise.all(
      invitations.map(async (invitation) => {
        const { id: email, sentAt, times, until } = invitation;
        const account = await deps.database.accounts.findByEmail(email);
        const state = stateOf(invitation, deps.clock.now());
        const button = (to: string, words: string) =>
          html`<form action="${to}" method="post">
            ${tokenField(ctx)} ${formIdField(deps.random)}
            <input ${attributes({ type: 'hidden', name: 'email', value: email })} />
            <button class="small">${words}</button>
          </form>`;
        return [
          email,
          account ? html`<a href="/staff/accounts/${account.id}">has an account</a>` : badge(state),
          times === 0 ? 'on the command line' : html`${timestamp(sentAt)}, ${times} in total`,
          timestamp(until),
          account
            ? null
            : html`<div class="inline">
                ${button(path, 'Resend')} ${state === 'open' && button(`${path}/revoke`, 'Revoke')}
              </div>`,
        ];
      }),
    );
    const columns = ['Email', 'Status', 'Last sent (UTC)', 'Expires (UTC)', ''];
    return table(columns, rows, 'No pending invitations.');
  }
}

const hostOf = (email: string) => email.slice(email.lastIndexOf('@') + 1);

function stateOf({ until, revokedUntil }: SentInvitation, nowMs: number) {
  if (revokedUntil !== null && revokedUntil >= until) return 'revoked';
  return until > nowMs ? 'open' : 'expired';
}
