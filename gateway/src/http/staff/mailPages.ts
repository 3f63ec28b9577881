import type { Router } from '@koa/router';
import { timestamp, html } from '../pages/html.ts';
import { table } from './elements.ts';
import { showPage } from './layout.ts';
import type { StaffConsole, StaffState } from './staffContext.ts';

const shown = 200;

/** Mails that have not been delivered, the newest first; their texts are never shown. */
export function mailPages(router: Router<StaffState>, { deps }: StaffConsole): void {
  router.get('/staff/mails', async (ctx) => {
    const found = await deps.mails.findUndelivered(shown);
    const rows = found.map(({ createdAt, to, subject, tries, problem, givenUpAt = null }) => [
      timestamp(createdAt),
      to,
      subject,
      String(tries),
      problem ?? '',
      givenUpAt === null ? 'is tried again' : html`given up, ${timestamp(givenUpAt)}`,
    ]);
    const columns = ['Time (UTC)', 'To', 'Subject', 'Tries', 'Mail server', 'State'];
    const content = html`<h1>Mails</h1>
      <p>
        What the mail server has not taken, for a week. A mail with a code is tried for as long as
        its code works; after that its owner asks for another one.
      </p>
      ${table(columns, rows, 'Everything was delivered.')}`;
    showPage(ctx, 'Mails', content);
  });
}
