import type { RouterContext } from '@koa/router';
import type { AuditEntry, StaffSession } from '../../application/ports/staff.ts';
import type { StaffActor } from '../../application/staff/runAction.ts';
import type { StaffAccount } from '../../application/staff/signInStaff.ts';
import { mayDo, type StaffAction, type StaffRole } from '../../domain/staff/staffRights.ts';
import { callerAddress } from '../context.ts';
import type { PageState } from '../pages/context.ts';
import { wideTable } from '../pages/elements.ts';
import { brandLink } from '../pages/brand.ts';
import { html, type Html } from '../pages/html.ts';
import { answerPage, tokenField } from '../pages/layout.ts';
import type { App } from '../../application/app.ts';
import { Refusal } from '../../domain/refusal.ts';
import { refusalWords } from '../../texts/refusalWords.ts';
import { statusOf } from '../answerErrors.ts';

/** Dependencies of the staff console. */
export interface StaffConsole {
  deps: App;
}

/** Request state of the console. */
export interface StaffState extends PageState {
  /** The signed-in member of staff, or null. */
  staff: StaffAccount | null;
  /** The session of the request's cookie, or null. */
  session: StaffSession | null;
  /** Requires a proof of the signed-in person with this request, once for all its actions. @throws Refusal */
  prove: () => Promise<void>;
  /** Whether customers sign up by invitation. */
  invites: boolean;
  /** Notes refused attempts. */
  log: Pick<App, 'audit' | 'clock' | 'random'>;
}

export type StaffContext = RouterContext<StaffState>;

/** The signed-in member of staff. @throws Error on a route without `requireStaff`. */
export function staffOf(ctx: StaffContext): StaffAccount {
  if (ctx.state.staff === null) throw new Error('the route does not require staff');
  return ctx.state.staff;
}

/** The acting member of staff, for the audit log. */
export function actorOf(ctx: StaffContext): StaffActor {
  const { id: accountId, email, staffRole: role } = staffOf(ctx);
  const { requestId, prove } = ctx.state;
  return { accountId, email, role, requestId, address: callerAddress(ctx), prove };
}

/** Sections of the console with the right that each requires. */
const sections: readonly (readonly [to: string, label: string, needs?: StaffAction])[] = [
  ['/staff', 'Overview'],
  ['/staff/generations', 'Generations'],
  ['/staff/routes', 'Routes'],
  ['/staff/charts', 'Charts'],
  ['/staff/hosts', 'Hosts'],
  ['/staff/unknown', 'Unknown outcomes'],
  ['/staff/proposals', 'Approvals'],
  ['/staff/jobs', 'Jobs'],
  ['/staff/costs', 'Costs', 'see costs'],
  ['/staff/mails', 'Emails'],
  ['/staff/invitations', 'Invitations', 'invite'],
  ['/staff/people', 'Staff'],
  ['/staff/audit', 'Audit log'],
];

/** Pages of figures and lists, which renew themselves by the script of the console. */
const renewed: ReadonlySet<string> = new Set(
  ['', '/generations', '/routes', '/charts', '/hosts', '/unknown', '/jobs', '/mails'].map(
    (path) => `/staff${path}`,
  ),
);

/** Whether the console's script asks, for a page that renews itself: this does not extend a session. */
export const isRenewal = (ctx: StaffContext): boolean => ctx.get('X-Renewal') !== '';

/** Tells when the page was read, with a link that reads it anew. */
function readAtLine(ctx: StaffContext): Html {
  const time = new Date(ctx.state.log.clock.now()).toISOString().slice(11, 19);
  return html`<p class="quiet" id="read-at">
    Read at ${time} (UTC). <a href="${ctx.url}">Refresh</a>
  </p>`;
}

export function showPage(ctx: StaffContext, title: string, content: Html, status = 200): void {
  const { staff, brand } = ctx.state;
  const isShown = ctx.method === 'GET' && status === 200;
  const isList = isShown && renewed.has(ctx.path);
  // A form that asks for a passkey has a script of its own, and must stay.
  const asksForPasskey = content.markup.includes('data-ask=');
  const hasFigures = !asksForPasskey && (isList || (isShown && ctx.path === '/staff/costs'));
  const body = html`<a class="skip" href="#content">Skip to content</a>
    <header class="top bar">
      ${brandLink(brand, '/staff', 'staff')} ${staff && signedInBar(ctx, staff)}
    </header>
    <main id="content" ${hasFigures && isList && html`data-renewed`}>
      ${content} ${isList && readAtLine(ctx)}
    </main>`;
  answerPage(ctx, status, {
    title: `${title} · ${brand.name} staff`,
    stylesheet: '/staff/console.css',
    script: hasFigures ? '/staff/figures.js' : '/staff/console.js',
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
  return html`<form
      class="inline search"
      action="/staff/search"
      method="post"
      role="search"
      aria-label="Console"
    >
      ${tokenField(ctx)}
      <input
        type="search"
        name="q"
        aria-label="Search"
        placeholder="Paste an email, or enter an ID, address, key or reference"
        autocomplete="off"
        spellcheck="false"
        required
      />
      <button>Search</button>
    </form>
    <form class="who quiet" action="/staff/sign-out" method="post">
      ${tokenField(ctx)}<a href="/staff/passkeys" title="${staff.email}: your passkeys"
        >${staff.email} (${staff.staffRole})</a
      >
      <button class="plain">Sign out</button>
      <button
        class="plain"
        formaction="/staff/sign-out-everywhere"
        title="Ends all your sessions, including on the account site"
      >
        Sign out all devices
      </button>
    </form>
    <nav aria-label="Console">
      <ul>
        ${links}
      </ul>
    </nav>`;
}

/** The words and the status of a refusal, for a page; any other error is thrown on. */
export function shownProblem(error: unknown): { problem: string; status: number } {
  if (!(error instanceof Refusal)) throw error;
  return { problem: refusalWords(error), status: statusOf(error) };
}

/** Error message above a form, focused when the page loads. */
export function problemBox(problem: string): Html | null {
  return problem === ''
    ? null
    : html`<p class="notice danger" tabindex="-1" autofocus role="alert">${problem}</p>`;
}

/** Result of an action, from the last entry in the target's audit log. */
export function actionNotice(ctx: StaffContext, [last]: readonly AuditEntry[]): Html | null {
  if (ctx.query['done'] === undefined || !last) return null;
  return html`<p class="notice" role="status">${last.result}</p>`;
}

/** Colours of states; others are neutral. */
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
  'circuit open': 'danger',
  withheld: 'danger',
  'not sold': 'danger',
};

/** A coloured badge for a state. */
export function badge(state: string): Html {
  return html`<span class="badge ${tones[state] ?? ''}">${state}</span>`;
}

export function generationLink(id: string): Html {
  return html`<a href="/staff/generations/${id}"><code>${id}</code></a>`;
}

export function accountLink(id: string): Html {
  return html`<a href="/staff/accounts/${id}"><code>${id}</code></a>`;
}

/** A list of names and values, without null values. */
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

/** A table, or the sentence `none` without rows. */
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
  // A column of checkboxes has no name.
  return wideTable(columns.find((name) => name !== '') ?? '', columns, lines);
}

/** Links to the confirmation pages for approving or refusing a host. */
export function hostLinks(accountId: string, keyId: string, rule: string, state: string): Html {
  const link = (slug: string, label: string) =>
    html`<a
      href="/staff/accounts/${accountId}/${slug}?key=${keyId}&amp;host=${encodeURIComponent(rule)}"
      >${label}</a
    > `;
  return html`${state === 'approved' ? null : link('approve-host', 'approve')}
  ${state === 'refused' ? null : link('refuse-host', 'refuse')}`;
}
