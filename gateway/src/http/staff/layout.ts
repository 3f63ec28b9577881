import { html, type Html } from '../site/html.ts';
import { pageHeaders } from '../site/pageHeaders.ts';
import type { StaffContext } from './staffContext.ts';

/** Headers of every page of the console: our own style and script, nothing else; nobody frames it. */
export function consoleHeaders(mediaUrl: string): Record<string, string> {
  return {
    ...pageHeaders(new URL(mediaUrl).origin),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  };
}

/** Ways through the console. */
const places = [
  ['/staff', 'Overview'],
  ['/staff/hosts', 'Hosts'],
  ['/staff/unknown', 'Unknown outcomes'],
  ['/staff/proposals', 'To confirm'],
  ['/staff/jobs/', 'Jobs'],
  ['/staff/audit', 'Audit log'],
] as const;

/** Answers a page of the console. */
export function showPage(ctx: StaffContext, title: string, content: Html, status = 200): void {
  const { staff } = ctx.state;
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Framegate staff</title>
        <link rel="icon" href="/site/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/staff/console.css" />
        <script src="/staff/console.js" defer></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header class="bar">
          <a class="brand" href="/staff"
            ><img src="/site/icon.svg" alt="" width="22" height="22" /> Framegate <b>staff</b></a
          >
          ${staff && signedInBar(ctx, staff)}
        </header>
        <main id="content">${content}</main>
      </body>
    </html> `;
  ctx.status = status;
  ctx.set('Content-Type', 'text/html; charset=utf-8');
  ctx.body = document.markup;
}

function signedInBar(ctx: StaffContext, staff: { email: string; staffRole: string }): Html {
  const links = places.map(
    ([to, words]) =>
      html`<li>
        <a href="${to}" ${ctx.path === to ? html`aria-current="page"` : null}>${words}</a>
      </li>`,
  );
  return html`<form class="search" action="/staff/search" method="post" role="search">
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
    <form class="out" action="/staff/sign-out" method="post">
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

/** What every form carries against forged requests. */
export function tokenField(ctx: StaffContext): Html {
  return html`<input type="hidden" name="form_token" value="${ctx.state.formToken}" />`;
}

/** Sends the browser on by GET. */
export function goTo(ctx: StaffContext, path: string): void {
  ctx.redirect(path);
  ctx.status = 303;
}

/** What is wrong, above a form. */
export function problemBox(problem: string): Html | null {
  return problem === '' ? null : html`<p class="problem" role="alert">${problem}</p>`;
}
