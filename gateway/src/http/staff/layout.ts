import { mayDo, type StaffAction, type StaffRole } from '../../domain/staff/staffRights.ts';
import { isoTime } from '../../domain/time/isoTime.ts';
import { brandLink } from '../pages/brand.ts';
import { sendPage } from '../pages/document.ts';
import { tokenField } from '../pages/elements.ts';
import { type Html, html } from '../pages/html.ts';
import type { StaffContext } from './context.ts';

/** Sections of the console with the right that each requires. */
const sections: readonly (readonly [to: string, label: string, needs?: StaffAction])[] = [
  ['/staff', 'Overview'],
  ['/staff/generations', 'Generations'],
  ['/staff/routes', 'Routes'],
  ['/staff/prices', 'Prices'],
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

/**
 * Pages of figures and lists, which the console's script refreshes. Pages for staff, passkeys and invitations are not
 * refreshed: they change only through the actions of the person viewing them.
 */
const renewed: ReadonlySet<string> = new Set(
  [
    ...['', '/generations', '/routes', '/prices', '/charts', '/hosts', '/unknown', '/proposals'],
    ...['/jobs', '/costs', '/mails', '/audit', '/credit-requests'],
  ].map((path) => `/staff${path}`),
);

/** Whether the console's script requests a page to refresh it: this does not extend a session. */
export const isRenewal = (ctx: StaffContext): boolean => ctx.get('X-Renewal') !== '';

/** Shows when the page was read, with a link that reads it again. */
function readAtLine(ctx: StaffContext): Html {
  const time = isoTime(ctx.state.log.clock.now()).slice(11, 19);
  return html`<p class="quiet" id="read-at">
    Read at ${time} (UTC). <a href="${ctx.url}">Refresh</a>
  </p>`;
}

/** Shows a page in the console's frame. */
export function showPage(ctx: StaffContext, title: string, content: Html, status = 200): void {
  const { staff, brand } = ctx.state;
  const isList = ctx.method === 'GET' && status === 200 && renewed.has(ctx.path);
  // A form that asks for a passkey has a script of its own, and must stay.
  const isRenewed = isList && !content.markup.includes('data-ask=');
  const body = html`<header class="top bar">
      ${brandLink(brand, '/staff', 'staff')} ${staff && signedInBar(ctx, staff)}
    </header>
    <main id="content" ${isRenewed && html`data-renewed`}>
      ${content} ${isList && readAtLine(ctx)}
    </main>`;
  sendPage(ctx, status, {
    title: `${title} · ${brand.name} staff`,
    stylesheet: '/staff/console.css',
    script: isRenewed ? '/staff/figures.js' : '/staff/console.js',
    body,
  });
}

function signedInBar(ctx: StaffContext, staff: { email: string; staffRole: StaffRole }): Html {
  const open = sections.filter(
    ([, , needs]) =>
      (!needs || mayDo(staff.staffRole, needs)) &&
      (needs !== 'invite' || ctx.state.sendsInvitations),
  );
  const links = open.map(
    ([to, label]) =>
      html`<li>
        <a href="${to}" ${ctx.path === to && html`aria-current="page"`}>${label}</a>
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
