import type { Router } from '@koa/router';
import type { App } from '../../../application/app.ts';
import { auditCsvHeading, auditCsvLine } from '../../../domain/staff/auditCsv.ts';
import type { AuditEntry } from '../../../domain/staff/auditEntry.ts';
import { dayOf } from '../../../domain/time/utcDay.ts';
import { does } from '../../atWork.ts';
import { queryOf, urlOf } from '../../pages/elements.ts';
import { type Html, html, timestamp } from '../../pages/html.ts';
import { type StaffContext, type StaffState } from '../context.ts';
import { accountLink, badge, generationLink, table } from '../elements.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';
import { sendCsv } from '../sendCsv.ts';

const pageLength = 50;

/** The audit log, newest first, with a search. */
export function addAuditPages(router: Router<StaffState>, deps: App): void {
  router.get('/staff/audit', needs('see'), does('search'), async (ctx: StaffContext) => {
    const { term = '', before = null } = queryOf(ctx.query, ['term', 'before']);
    const searchTerm = term.trim().slice(0, 200);
    const entries = await deps.audit.search(searchTerm || null, before, pageLength);
    const last = entries.length === pageLength ? entries.at(-1) : undefined;
    const older = last && urlOf('/staff/audit', { term: searchTerm, before: last.id });
    const content = html`<h1>Audit log</h1>
      <form class="inline" method="get" action="/staff/audit">
        <label
          >Generation, account, key, staff email, action or request ID
          <input name="term" value="${searchTerm}" autocomplete="off"
        /></label>
        <button>Show</button>
      </form>
      <p><a href="/staff/audit.csv">Download the full log as CSV</a></p>
      ${auditTable(entries)} ${older !== undefined && html`<p><a href="${older}">Older</a></p>`}`;
    showPage(ctx, 'Audit log', content);
  });

  router.get('/staff/audit.csv', needs('see'), does('export'), (ctx: StaffContext) => {
    sendCsv(ctx, `audit-${dayOf(deps.clock.now())}`, writeCsv(deps.audit.listSince(0)));
  });
}

async function* writeCsv(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
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
