import type { AuditEntry } from '../../application/staff/ports.ts';
import { mayDo, type StaffAction, type StaffRole } from '../../domain/staffRights.ts';
import { wideTable } from '../pages/elements.ts';
import { html, type Html } from '../pages/html.ts';
import { answerPage, brand, tokenField } from '../pages/layout.ts';
import type { StaffContext } from './staffContext.ts';

/** Ways through the console, and what a member of staff must be allowed to do there. */
const sections: readonly (readonly [to: string, label: string, needs?: StaffAction])[] = [
  ['/staff', 'Overview'],
  ['/staff/generations', 'Generations'],
  ['/staff/charts', 'Charts'],
  ['/staff/hosts', 'Hosts'],
  ['/staff/unknown', 'Unknown outcomes'],
  ['/staff/proposals', 'To confirm'],
  ['/staff/jobs', 'Jobs'],
  ['/staff/costs', 'Costs', 'see costs'],
  ['/staff/mails', 'Mails'],
  ['/staff/invitations', 'Invitations', 'invite'],
  ['/staff/audit', 'Audit log'],
];

/** Answers a page of the console. */
export function showPage(ctx: StaffContext, title: string, content: Html, status = 200): void {
  const { staff } = ctx.state;
  const body = html`<a class="skip" href="#content">Skip to content</a>
    <header class="top bar">${brand('/staff', 'staff')} ${staff && signedInBar(ctx, staff)}</header>
    <main id="content">${content}</main>`;
  answerPage(ctx, status, {
    title: `${title} · Framegate staff`,
    stylesheet: '/staff/console.css',
    script: '/staff/console.js',
    body,
  });
}

function signedInBar(ctx: StaffContext, staff: { email: string; staffRole: StaffRole }): Html {
  const open = sections.filter(
    ([, , needs]) =>
      (!needs || mayDo(staff.staffRole, needs)) && (needs !== 'invite' || ctx.state.invites),
  );
  const links = open.map(
    ([to, label]) =>
      html`<li>
        <a href="${to}" ${ctx.path === to ? html`aria-current="page"` : null}>${label}</a>
      </li>`,
  );
  return html`<form class="inline search" action="/staff/search" method="post" role="search">
      ${tokenField(ctx)}
      <input
        type="search"
        name="q"
        aria-label="Search"
        placeholder="Generation, request, account, e-mail, key, consent or task id"
        autocomplete="off"
        spellcheck="false"
        required
      />
      <button>Search</button>
    </form>
    <nav aria-label="Console">
      <ul>
        ${links}
      </ul>
    </nav>
    <form class="who quiet" action="/staff/sign-out" method="post">
      ${tokenField(ctx)}<span title="${staff.email}">${staff.email} (${staff.staffRole})</span>
      <button class="plain">Sign out</button>
      <button
        class="plain"
        formaction="/staff/sign-out-everywhere"
        title="Ends your sessions in all browsers, of the account site, too"
      >
        everywhere
      </button>
    </form>`;
}

/** What is wrong, above a form; the focus goes there when the page is loaded. */
export function problemBox(problem: string): Html | null {
  return problem === ''
    ? null
    : html`<p class="notice danger" tabindex="-1" autofocus role="alert">${problem}</p>`;
}

/** After an action: what came of it, as the last entry of the target's audit log says. */
export function actionNotice(ctx: StaffContext, [last]: readonly AuditEntry[]): Html | null {
  if (ctx.query['done'] === undefined || !last) return null;
  return html`<p class="notice" role="status">${last.result}</p>`;
}

/** What colour a state has; the others have the quiet one. */
const tones: Readonly<Record<string, string>> = {
  completed: 'success',
  accepted: 'success',
  active: 'success',
  approved: 'success',
  done: 'success',
  'in service': 'success',
  queued: 'progress',
  processing: 'progress',
  requested: 'warning',
  busy: 'warning',
  unknown: 'warning',
  failed: 'danger',
  refused: 'danger',
  suspended: 'danger',
  'closed off': 'danger',
};

/** A state in its colour. */
export function badge(state: string): Html {
  return html`<span class="badge ${tones[state] ?? ''}">${state}</span>`;
}

/** A link to a generation's page. */
export function generationLink(id: string): Html {
  return html`<a href="/staff/generations/${id}"><code>${id}</code></a>`;
}

/** A link to an account's page. */
export function accountLink(id: string): Html {
  return html`<a href="/staff/accounts/${id}"><code>${id}</code></a>`;
}

/** Names and values; a value of null leaves its pair out. */
export function facts(pairs: readonly (readonly [string, Html | string | number | null])[]): Html {
  const shown = pairs.filter(([, value]) => value !== null);
  return html`<dl class="facts">
    ${shown.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

/** A table; a sentence where it has no rows. */
export function table(
  columns: readonly string[],
  rows: readonly (readonly (Html | string | number | null)[])[],
  none: string,
): Html {
  if (rows.length === 0) return html`<p class="quiet">${none}</p>`;
  const lines = rows.map(
    (cells) =>
      html`<tr>
        ${cells.map((cell) => html`<td>${cell}</td>`)}
      </tr>`,
  );
  return wideTable(columns[0] ?? '', columns, lines);
}

/** Links to the pages that decide about a host. */
export function hostLinks(accountId: string, keyId: string, rule: string, state: string): Html {
  const link = (slug: string, label: string) =>
    html`<a
      href="/staff/accounts/${accountId}/${slug}?key=${keyId}&amp;host=${encodeURIComponent(rule)}"
      >${label}</a
    > `;
  return html`${state === 'approved' ? null : link('approve-host', 'approve')}
  ${state === 'refused' ? null : link('refuse-host', 'refuse')}`;
}
