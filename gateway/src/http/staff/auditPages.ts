import { Readable } from 'node:stream';
import type { Router } from '@koa/router';
import type { AuditEntry, Proposal } from '../../application/ports/staff.ts';
import { runAction } from '../../application/staff/runAction.ts';
import { requireSecondPerson } from '../../application/staff/secondPerson.ts';
import { auditCsvHeading, auditCsvLine } from '../../domain/staff/auditCsv.ts';
import { formReference } from '../../domain/credits/credits.ts';
import { Refusal } from '../../domain/refusal.ts';
import { needsProof } from '../../domain/staff/staffProofs.ts';
import { mayDo } from '../../domain/staff/staffRights.ts';
import { dayOf } from '../../domain/time/utcDay.ts';
import { does } from '../atWork.ts';
import { redirect } from '../pages/context.ts';
import { formOf } from '../pages/form.ts';
import { html, timestamp, attributes, type Html } from '../pages/html.ts';
import { tokenField } from '../pages/layout.ts';
import { proofFields } from './proofFields.ts';
import { targetOf, type ConsoleAction } from './actionPages.ts';
import {
  showPage,
  accountLink,
  badge,
  generationLink,
  table,
  problemBox,
  shownProblem,
  actorOf,
  staffOf,
  type StaffConsole,
  type StaffContext,
  type StaffState,
} from './layout.ts';
import { needs } from './needs.ts';

const pageLength = 50;

/** The audit log, newest first, with a search. */
export function auditPages(router: Router<StaffState>, { deps }: StaffConsole): void {
  router.get('/staff/audit', needs('see'), does('search'), async (ctx: StaffContext) => {
    const { term, before } = ctx.query;
    const searchTerm = typeof term === 'string' ? term.trim().slice(0, 200) : '';
    const from = typeof before === 'string' && before !== '' ? before : null;
    const found = await deps.audit.search(searchTerm === '' ? null : searchTerm, from, pageLength);
    const last = found.length === pageLength ? found.at(-1) : undefined;
    const older = last && `/staff/audit?term=${encodeURIComponent(searchTerm)}&before=${last.id}`;
    const content = html`<h1>Audit log</h1>
      <form class="inline" method="get" action="/staff/audit">
        <label
          >Generation, account, key, staff email, action or request ID
          <input name="term" value="${searchTerm}" autocomplete="off"
        /></label>
        <button>Show</button>
      </form>
      <p><a href="/staff/audit.csv">Download the full log as CSV</a></p>
      ${auditTable(found)} ${older === undefined ? null : html`<p><a href="${older}">Older</a></p>`}`;
    showPage(ctx, 'Audit log', content);
  });

  router.get('/staff/audit.csv', needs('see'), does('export'), (ctx: StaffContext) => {
    ctx.set('Content-Type', 'text/csv; charset=utf-8');
    const day = dayOf(deps.clock.now());
    const name = `${ctx.state.brand.slug}-audit-${day}.csv`;
    ctx.set('Content-Disposition', `attachment; filename="${name}"`);
    ctx.body = Readable.from(csvOf(deps.audit.since(0)));
  });
}

/** Pages are read as fast as the client receives them. */
async function* csvOf(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
  yield auditCsvHeading;
  for await (const entry of entries) yield auditCsvLine(entry);
}

/** Entries of the audit log as a table. */
export function auditTable(entries: readonly AuditEntry[]): Html {
  const rows = entries.map(
    ({ at, email, role, action, targets, reason, outcome, result, address }) => [
      timestamp(at),
      html`${email}<br /><span class="quiet">${role}, ${address}</span>`,
      html`<b>${action}</b>`,
      html`${targets.map((target) => html`${targetLink(target)}<br />`)}`,
      reason,
      html`${badge(outcome)} ${result}`,
    ],
  );
  const columns = ['Time (UTC)', 'Who', 'Action', 'Target', 'Reason', 'Outcome'];
  return table(columns, rows, 'No entries.');
}

function targetLink(target: string): Html {
  if (target.startsWith('gen_')) return generationLink(target);
  return target.startsWith('acct_') ? accountLink(target) : html`<code>${target}</code>`;
}

const listLength = 100;
const path = '/staff/proposals';

/** Actions proposed by one admin that another must confirm. */
export function proposalPages(
  router: Router<StaffState>,
  { deps }: StaffConsole,
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
    actions.find((each) => each.slug === slug)?.final === true;
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
  deps: StaffConsole['deps'],
  { id, action }: Proposal,
  { isFinal, email }: { isFinal: boolean; email: string },
): Html {
  const address = `${path}/${id}/confirm`;
  return html`<form method="post" action="${address}">
    ${tokenField(ctx)} ${needsProof[action] && proofFields(ctx, deps, address)}
    <button ${attributes({ class: isFinal && 'danger' })}>Approve: ${action} of ${email}</button>
  </form>`;
}

function refuseButton(ctx: StaffContext, { id, action }: Proposal): Html {
  return html`<form method="post" action="${path}/${id}/refuse">
    ${tokenField(ctx)}
    <button class="plain">Reject<span class="visually-hidden">: ${action}</span></button>
  </form>`;
}
