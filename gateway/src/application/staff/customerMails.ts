import { Refusal } from '../../domain/refusal.ts';
import type { App } from '../app.ts';

/** Kinds of email that staff can send to customers. */
export const customerMails = [
  ...(['troubleOver', 'creditsGiven', 'idNeeded', 'keyExposed'] as const),
  /** The sender's text alone. */
  'reply',
] as const;

/** Maximum length of the text added by staff, in characters. */
const maxOwnLength = 2_000;

/**
 * Sends a customer one of these emails, in the language of the account.
 * @param mail.own Text of the sender; may be empty, except in a reply.
 * @returns The result for the audit log, without the text of the email.
 * @throws Refusal `email_template_missing`, `reply_missing`, `reply_too_long`, `email_not_verified`.
 */
export async function sendMailToCustomer(
  { database, notices, sendMail }: Pick<App, 'database' | 'notices' | 'sendMail'>,
  accountId: string,
  mail: { template: string; own: string },
): Promise<string> {
  const kind = customerMails.find((each) => each === mail.template);
  if (!kind) throw new Refusal('email_template_missing');
  const own = mail.own.trim();
  if (own === '' && kind === 'reply') throw new Refusal('reply_missing');
  if (own.length > maxOwnLength) {
    throw new Refusal('reply_too_long', { values: { max: maxOwnLength } });
  }
  const account = await database.accounts.find(accountId);
  if (!account?.isVerified) throw new Refusal('email_not_verified');
  const { language = 'en' } = await notices.find(accountId);
  await sendMail({ to: account.email, language, kind, values: { note: own } });
  return `Email “${kind}” sent${own === '' ? '' : ', with your paragraph'}.`;
}
