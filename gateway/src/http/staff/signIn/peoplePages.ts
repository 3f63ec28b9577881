import type { Router } from '@koa/router';
import type { App } from '../../../application/app.ts';
import {
  endStaffRole,
  inviteStaff,
  rolesGivenByOneAdmin,
} from '../../../application/staff/people.ts';
import { type PlannedAction, runActionForValue } from '../../../application/staff/runAction.ts';
import { mayDo } from '../../../domain/staff/staffRights.ts';
import { tokenField } from '../../pages/elements.ts';
import { attributes, type Html, html } from '../../pages/html.ts';
import { targetOf } from '../actions/actionPages.ts';
import { actorOf, type StaffContext, staffOf, type StaffState } from '../context.ts';
import {
  accountLink,
  badge,
  formIdField,
  formIdOf,
  problemBox,
  shownProblem,
  table,
} from '../elements.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';
import { proofFields } from '../proofFields.ts';

const path = '/staff/people';
const maxShown = 200;

/** The people of the console with their roles, and the form with which admins add some. */
export function addPeoplePages(router: Router<StaffState>, deps: App): void {
  router.get(path, needs('see'), (ctx: StaffContext) => show(ctx, {}));

  router.post(path, needs('invite staff'), async (ctx: StaffContext) => {
    const { form } = ctx.state;
    const typed = { email: form.get('email').trim(), role: form.get('role') };
    const plan = { action: 'invite staff' as const, targets: [] };
    await act(ctx, plan, async () => {
      const { accountId, url } = await inviteStaff(deps, typed);
      const value = html`<p class="notice" role="status">
          Send this link to ${typed.email}. It can be used once, within an hour. After that, ask an
          operator for another one:
        </p>
        <pre>${url}</pre>`;
      return { value, summary: `${accountId} invited as ${typed.role}.` };
    });
  });

  router.post(`${path}/:id/end`, needs('end staff role'), async (ctx: StaffContext) => {
    const id = targetOf(ctx);
    const plan = { action: 'end staff role' as const, targets: [id] };
    await act(ctx, plan, async () => {
      const summary = await endStaffRole(deps, id);
      return { value: html`<p class="notice" role="status">${summary}</p>`, summary };
    });
  });

  /** @param work Returns a notice, and the result for the audit log, which has no address. */
  async function act(
    ctx: StaffContext,
    { action, targets }: Pick<PlannedAction, 'action' | 'targets'>,
    work: () => Promise<{ value: Html; summary: string }>,
  ): Promise<void> {
    const plan = { action, targets, reason: '', formId: formIdOf(ctx) };
    try {
      await show(ctx, { notice: await runActionForValue(deps, actorOf(ctx), plan, work) });
    } catch (error) {
      await show(ctx, { problem: shownProblem(error).problem, status: 409 });
    }
  }

  async function show(
    ctx: StaffContext,
    { notice, problem = '', status = 200 }: { notice?: Html; problem?: string; status?: number },
  ): Promise<void> {
    const people = await deps.staffQueries.listStaff(maxShown);
    const mayChange = mayDo(staffOf(ctx).staffRole, 'end staff role');
    const rows = people.map(({ id, email, role, isActive }) => [
      email,
      role,
      badge(isActive ? 'active' : 'suspended'),
      accountLink(id),
      mayChange && role !== 'admin' ? endButton(ctx, id, email) : null,
    ]);
    const content = html`<h1>Staff</h1>
      ${notice} ${problemBox(problem)}
      ${table(['Email', 'Role', 'Status', 'Account', ''], rows, 'No staff yet.')}
      ${mayDo(staffOf(ctx).staffRole, 'invite staff') && invitePart(ctx)}`;
    showPage(ctx, 'Staff', content, status);
  }

  function invitePart(ctx: StaffContext): Html {
    const { form } = ctx.state;
    const choices = rolesGivenByOneAdmin.map(
      (role) =>
        html`<option ${attributes({ value: role, selected: role === form.get('role') })}>
          ${role}
        </option>`,
    );
    return html`<h2>Invite</h2>
      <p>Viewers can see everything and change nothing. Create admins on the command line.</p>
      <form class="stack" method="post" action="${path}">
        ${tokenField(ctx)} ${formIdField(deps.random)}
        <label>Email <input type="email" name="email" autocomplete="off" required /></label>
        <label
          >Role
          <select name="role">
            ${choices}
          </select></label
        >
        ${proofFields(ctx, deps, path)}
        <button>Create link</button>
      </form>`;
  }

  function endButton(ctx: StaffContext, id: string, email: string): Html {
    const whose = html`<span class="visually-hidden"> of ${email}</span>`;
    return html`<details>
      <summary>Remove role${whose}</summary>
      <form class="stack" method="post" action="${path}/${id}/end">
        ${tokenField(ctx)} ${formIdField(deps.random)}
        ${proofFields(ctx, deps, `${path}/${id}/end`)}
        <button class="danger">Remove role${whose}</button>
      </form>
    </details>`;
  }
}
