import type { Router } from '@koa/router';
import type { AuditEntry } from '../../application/staff/ports.ts';
import { html, timestamp, type Html } from '../pages/html.ts';
import { showPage } from './layout.ts';
import type { StaffConsole, StaffContext, StaffState } from './staffContext.ts';
import { accountLink, badge, generationLink, table } from './elements.ts';

const pageLength = 50;

/** The audit log, newest first, by whatever its entries name. */
export function auditPages(router: Router<StaffState>, { deps }: StaffConsole): void {
  router.get('/staff/audit', async (ctx: StaffContext) => {
    const { term, before } = ctx.query;
    const sought = typeof term === 'string' ? term.trim().slice(0, 200) : '';
    const from = typeof before === 'string' && before !== '' ? before : null;
    const found = await deps.audit.search(sought === '' ? null : sought, from, pageLength);
    const last = found.length === pageLength ? found.at(-1) : undefined;
    const older = last && `/staff/audit?term=${encodeURIComponent(sought)}&before=${last.id}`;
    const content = html`<h1>Audit log</h1>
      <form class="inline" method="get" action="/staff/audit">
        <label
          >Generation, account, key, e-mail of staff, action or request id
          <input name="term" value="${sought}" autocomplete="off"
        /></label>
        <button>Show</button>
      </form>
      ${auditTable(found)} ${older === undefined ? null : html`<p><a href="${older}">Older</a></p>`}`;
    showPage(ctx, 'Audit log', content);
  });
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
  const columns = ['Time (UTC)', 'Who', 'Action', 'About', 'Why', 'Outcome'];
  return table(columns, rows, 'Nothing is written down.');
}

function targetLink(target: string): Html {
  if (target.startsWith('gen_')) return generationLink(target);
  return target.startsWith('acct_') ? accountLink(target) : html`<code>${target}</code>`;
}
