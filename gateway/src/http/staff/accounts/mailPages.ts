import type { Router } from '@koa/router';
import type { App } from '../../../application/app.ts';
import { html, timestamp } from '../../pages/html.ts';
import type { StaffState } from '../context.ts';
import { table } from '../elements.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';

const maxShown = 200;

/** Undelivered emails, newest first, without their texts. */
export function addMailPages(router: Router<StaffState>, deps: App): void {
  router.get('/staff/mails', needs('see'), async (ctx) => {
    const mails = await deps.mails.findUndelivered(maxShown);
    const rows = mails.map(({ createdAt, to, subject, attempts, problem, givenUpAt = null }) => [
      timestamp(createdAt),
      to,
      subject,
      String(attempts),
      problem ?? '',
      givenUpAt === null ? 'waiting to retry' : html`given up, ${timestamp(givenUpAt)}`,
    ]);
    const columns = ['Time (UTC)', 'To', 'Subject', 'Attempts', 'SMTP server', 'Status'];
    const content = html`<h1>Emails</h1>
      <p>
        Emails from the last week that the SMTP server has not accepted. Emails with a code are
        retried until the code expires.
      </p>
      ${table(columns, rows, 'Everything was delivered.')}`;
    showPage(ctx, 'Emails', content);
  });
}
