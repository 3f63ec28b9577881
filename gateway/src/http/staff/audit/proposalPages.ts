import type { Router } from '@koa/router';
import type { App } from '../../../application/app.ts';
import type { Proposal } from '../../../application/ports/staff.ts';
import { runAction } from '../../../application/staff/runAction.ts';
import { requireSecondPerson } from '../../../application/staff/secondPerson.ts';
import { formReference } from '../../../domain/credits/credits.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { needsProof } from '../../../domain/staff/staffProofs.ts';
import { mayDo } from '../../../domain/staff/staffRights.ts';
import { redirect } from '../../pages/context.ts';
import { tokenField } from '../../pages/elements.ts';
import { formOf } from '../../pages/form.ts';
import { attributes, type Html, html, timestamp } from '../../pages/html.ts';
import { type ConsoleAction, targetOf } from '../actions/actionPages.ts';
import { actorOf, type StaffContext, staffOf, type StaffState } from '../context.ts';
import { accountLink, problemBox, shownProblem, table } from '../elements.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';
import { proofFields } from '../proofFields.ts';

const listLength = 100;
const path = '/staff/proposals';

/** Actions proposed by one admin that another must confirm. */
export function addProposalPages(
  router: Router<StaffState>,
  deps: App,
  actions: readonly ConsoleAction[],
): void {
  const show = async (ctx: StaffContext, problem = '', status = 200) => {
    const proposals = await deps.proposals.list(listLength);
    const emails = new Map(
      await Promise.all(
        proposals.map(async ({ targetId }): Promise<[string, string]> => {
          const account = await deps.database.accounts.find(targetId);
          return [targetId, account?.email ?? 'account not found'];
        }),
      ),
    );
    const rows = proposals.map((proposal) => [
      timestamp(proposal.at),
      proposal.email,
      html`<b>${proposal.action}</b>`,
      html`${emails.get(proposal.targetId)}<br />${accountLink(proposal.targetId)}`,
      proposal.fields.map(([name, value]) => `${name}: ${value}`).join(', '),
      proposal.reason,
      mayDo(staffOf(ctx).staffRole, 'confirm proposal')
        ? html`${confirmButton(ctx, deps, proposal, {
            isFinal: isFinal(proposal),
            email: emails.get(proposal.targetId) ?? '',
          })}
          ${refuseButton(ctx, proposal)}`
        : null,
    ]);
    const columns = ['Time (UTC)', 'Proposed by', 'Action', 'Target', 'Fields', 'Reason', ''];
    const content = html`<h1>Approvals</h1>
      ${problemBox(problem)}
      <p>Actions proposed by one admin. Another admin must approve them within a week.</p>
      ${table(columns, rows, 'Nothing to approve.')}`;
    showPage(ctx, 'Approvals', content, status);
  };
  const isFinal = ({ slug }: Proposal) =>
    actions.find((each) => each.slug === slug)?.isFinal === true;
  router.get(path, needs('see'), (ctx: StaffContext) => show(ctx));

  router.post(`${path}/:id/confirm`, needs('confirm proposal'), async (ctx: StaffContext) => {
    const actor = actorOf(ctx);
    try {
      const proposal = await requireSecondPerson(deps, targetOf(ctx), actor);
      const { id, slug, targetId, email } = proposal;
      const action = actions.find((each) => each.slug === slug);
      if (!action) throw new Refusal('not_found');
      const reason = `${proposal.reason} (asked for by ${email})`;
      const plan = { action: proposal.action, reason, formId: id, targets: [targetId, id] };
      const form = formOf(proposal.fields);
      const reference = formReference(id);
      const confirms = proposal.action;
      await runAction(deps, actor, plan, () =>
        action.run({ targetId, form, reason, actor, reference, confirms }),
      );
      await deps.proposals.remove(id);
      redirect(ctx, `/staff/accounts/${targetId}?done`);
    } catch (error) {
      await show(ctx, shownProblem(error).problem, 409);
    }
  });

  router.post(`${path}/:id/refuse`, needs('refuse proposal'), async (ctx: StaffContext) => {
    try {
      const proposal = await deps.proposals.find(targetOf(ctx));
      if (!proposal) throw new Refusal('proposal_expired');
      const { id, targetId, action } = proposal;
      const plan = {
        action: 'refuse proposal' as const,
        reason: action,
        formId: null,
        targets: [targetId, id],
      };
      await runAction(deps, actorOf(ctx), plan, async () => {
        await deps.proposals.remove(id);
        return `${action}: refused.`;
      });
      redirect(ctx, path);
    } catch (error) {
      await show(ctx, shownProblem(error).problem, 409);
    }
  });
}

/** Button that names action and customer; red if the action cannot be undone. */
function confirmButton(
  ctx: StaffContext,
  deps: App,
  { id, action }: Proposal,
  { isFinal, email }: { isFinal: boolean; email: string },
): Html {
  const formPath = `${path}/${id}/confirm`;
  return html`<form method="post" action="${formPath}">
    ${tokenField(ctx)} ${needsProof[action] && proofFields(ctx, deps, formPath)}
    <button ${attributes({ class: isFinal && 'danger' })}>Approve: ${action} of ${email}</button>
  </form>`;
}

function refuseButton(ctx: StaffContext, { id, action }: Proposal): Html {
  return html`<form method="post" action="${path}/${id}/refuse">
    ${tokenField(ctx)}
    <button class="plain">Reject<span class="visually-hidden">: ${action}</span></button>
  </form>`;
}
