import { Refusal } from '../../domain/refusal.ts';
import type { MailPart } from '../site/ports.ts';
import type { StaffDeps } from './staffDeps.ts';

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
    subject: 'Your generations work again',
    text: [
      'Some of your generations failed or took much longer than usual, because a provider of ours had trouble. That is over.',
      'Whatever failed was refunded, so you can simply create it again. We are sorry for the wait.',
    ],
    button: 'Open the history',
    path: '/history',
  },
  {
    id: 'credits-given',
    subject: 'We added credits to your account',
    text: ['We looked into the problem that you had, and added credits to your account.'],
    button: 'See your credits',
    path: '/credits',
  },
  {
    id: 'details-wanted',
    subject: 'We need an id to help you',
    text: [
      'To look into your question, we need the id of the generation. It begins with gen_ and stands on the page of the generation and in the answer of the API.',
      'Please send it to support.',
    ],
    button: 'Open the history',
    path: '/history',
  },
  {
    id: 'key-exposed',
    subject: 'One of your API keys may be public',
    text: [
      'One of your API keys was seen where others can read it. Whoever has it can spend your credits.',
      'Replace the key now, and store the new one where only your program reads it.',
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
  { site, work }: Pick<StaffDeps, 'site' | 'work'>,
  accountId: string,
  mail: { template: string; own: string },
): Promise<string> {
  const template = mailTemplates.find(({ id }) => id === mail.template);
  if (!template) throw new Refusal('mail_not_chosen');
  const own = mail.own.trim();
  if (own.length > maxOwnLength) {
    throw new Refusal('mail_too_long', { values: { most: maxOwnLength } });
  }
  const account = await work.database.accounts.find(accountId);
  if (!account?.verified) throw new Refusal('email_not_verified');
  const { subject, text, button, path } = template;
  const url = `${site.accountUrl}${path}`;
  const parts: MailPart[] = [...text, ...(own === '' ? [] : [own]), { button, url }];
  await site.sendMail({ to: account.email, subject, parts, link: url });
  return `The mail “${subject}” was sent${own === '' ? '' : ', with words of their own'}.`;
}
