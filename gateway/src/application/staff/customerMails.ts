import { PlainRefusal } from '../../domain/refusal.ts';
import type { MailPart } from '../ports/site.ts';
import type { App } from '../app.ts';

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
 * @throws PlainRefusal if there is no such template, or no verified address.
 */
export async function mailCustomer(
  { database, accountUrl, sendMail }: Pick<App, 'database' | 'accountUrl' | 'sendMail'>,
  accountId: string,
  mail: { template: string; own: string },
): Promise<string> {
  const template = mailTemplates.find(({ id }) => id === mail.template);
  if (!template) throw new PlainRefusal('Choose a mail.');
  const own = mail.own.trim();
  if (own.length > maxOwnLength) {
    throw new PlainRefusal(`Add at most ${maxOwnLength} characters of your own.`);
  }
  const account = await database.accounts.find(accountId);
  if (!account?.verified) throw new PlainRefusal('The account has no verified address.');
  const { subject, text, button, path } = template;
  const url = `${accountUrl}${path}`;
  const parts: MailPart[] = [...text, ...(own === '' ? [] : [own]), { button, url }];
  await sendMail({ to: account.email, subject, parts, link: url });
  return `The mail “${subject}” was sent${own === '' ? '' : ', with words of their own'}.`;
}
