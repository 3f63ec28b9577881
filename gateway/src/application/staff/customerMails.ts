import type { MailPart } from '../ports/site.ts';
import type { App } from '../app.ts';
import { Refusal } from '../../domain/refusal.ts';

/** A mail from staff to customers. */
export interface MailTemplate {
  id: string;
  subject: string;
  text: readonly string[];
  /** The page that the mail's button opens, and the button's label. */
  button: string;
  path: string;
}

export const mailTemplates: readonly MailTemplate[] = [
  {
    id: 'trouble-over',
    subject: 'Outage resolved: you can generate again',
    text: [
      'Some of your generations recently failed or took much longer than usual because one of our providers had an outage, which has been resolved.',
      'Failed generations have been refunded, so you can create them again. We are sorry for the inconvenience.',
    ],
    button: 'Open your history',
    path: '/history',
  },
  {
    id: 'credits-given',
    subject: 'We added credits to your account',
    text: ['We have looked into the problem you reported and added credits to your account.'],
    button: 'View your credits',
    path: '/credits',
  },
  {
    id: 'details-wanted',
    subject: 'Please send us a generation ID',
    text: [
      'To look into your question, we need the ID of the generation. You find it, starting with gen_, on the generation’s page and in the API response.',
      'Please send the ID to support.',
    ],
    button: 'Open your history',
    path: '/history',
  },
  {
    id: 'key-exposed',
    subject: 'One of your API keys may have leaked',
    text: [
      'One of your API keys was found in a place where others can read it. Anyone who has the key can spend your credits.',
      'Replace the key now, and keep the new one where only your program can read it.',
    ],
    button: 'Replace the key',
    path: '/settings/public-api',
  },
];

/** Maximum length of a paragraph added by staff, in characters. */
const maxOwnLength = 1_000;

/**
 * Sends a customer one of the templates.
 * @param mail.own A paragraph by the sender; may be empty.
 * @returns The result for the audit log, without the words of the mail.
 * @throws Refusal `mail_not_chosen`, `mail_too_long`, `email_not_verified`
 */
export async function mailCustomer(
  { database, accountUrl, sendMail }: Pick<App, 'database' | 'accountUrl' | 'sendMail'>,
  accountId: string,
  mail: { template: string; own: string },
): Promise<string> {
  const template = mailTemplates.find(({ id }) => id === mail.template);
  if (!template) throw new Refusal('mail_not_chosen');
  const own = mail.own.trim();
  if (own.length > maxOwnLength) {
    throw new Refusal('mail_too_long', { values: { most: maxOwnLength } });
  }
  const account = await database.accounts.find(accountId);
  if (!account?.verified) throw new Refusal('email_not_verified');
  const { subject, text, button, path } = template;
  const url = `${accountUrl}${path}`;
  const parts: MailPart[] = [...text, ...(own === '' ? [] : [own]), { button, url }];
  await sendMail({ to: account.email, subject, parts, link: url });
  return `The mail “${subject}” was sent${own === '' ? '' : ', with words of their own'}.`;
}
