import { codeFor } from '../../site/support/mailbox.ts';
import type { Page, Visitor } from '../../site/support/visitor.ts';

/** Asks to link another identity, as a person without a password: with the code from an email. */
export async function askToLink(visitor: Visitor, dataDir: string, email: string): Promise<Page> {
  await visitor.get('/settings/account');
  await visitor.post('/settings/account/link');
  const mailed_code = await codeFor(dataDir, email);
  return visitor.post('/settings/account/link', { mailed_code });
}
