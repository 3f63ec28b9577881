import { formatCode, hashCode, spaceCode } from '../../domain/confirmationCode.ts';
import { countForAccount, type Origin } from './countAttempt.ts';
import type { Confirmation, Mail } from './ports.ts';
import { firstSecret, type SiteDeps } from './siteDeps.ts';

/** How long a mailed code works, in ms: an hour. */
export const codeMs = 3600 * 1000;
/** Wrong codes that end a question. */
const tries = 5;

/**
 * Sends a mail whose code proves the mailbox. Its link names the question only: the secret is the
 * code, which is typed, so that no address that a browser or a log keeps holds it.
 * @param question.accountId Null when there is no such account; then `instead` is mailed, or nothing is.
 * @returns the question's id, which is told in every case alike.
 */
export async function askByMail(
  deps: SiteDeps,
  question: Pick<Confirmation, 'purpose' | 'accountId' | 'email'> & {
    instead?: Pick<Mail, 'subject' | 'text'>;
    from: Origin;
  },
): Promise<string> {
  const { purpose, accountId, email } = question;
  await countForAccount(deps, 'mail', email, question.from);
  const id = deps.random.newId('cfm');
  const code = formatCode(deps.random.bytes(8));
  await deps.confirmations.insert({
    id,
    purpose,
    accountId,
    email,
    codeHash: hashCode(id, code, firstSecret(deps)),
    triesLeft: tries,
    expiresAt: deps.clock.now() + codeMs,
    usedAt: null,
  });
  const link = `${deps.accountUrl}/confirm/${id}`;
  if (accountId !== null) {
    await deps.sendMail({ to: email, link, ...words[purpose](link, spaceCode(code)) });
  } else if (question.instead) {
    await deps.sendMail({ to: email, link: `${deps.accountUrl}/sign-in`, ...question.instead });
  }
  return id;
}

const words: Record<
  Confirmation['purpose'],
  (link: string, code: string) => Pick<Mail, 'subject' | 'text'>
> = {
  verify: (link, code) => ({
    subject: 'Your Framegate code',
    text: `Welcome to Framegate.

Your code is ${code}

Enter it on the page that you came from, or open

${link}

and choose a password there. It works for one hour.

If you did not ask for an account, ignore this mail and give the
code to no one: without it nobody can use the account that was
asked for in your name.
`,
  }),
  reset: (link, code) => ({
    subject: 'A new password for Framegate',
    text: `Somebody, hopefully you, asked for a new Framegate password.

Your code is ${code}

Enter it together with a new password on the page that you came
from, or open

${link}

It works for one hour.

If you did not ask, ignore this mail and give the code to no one:
your password stays as it is. Should such mails come again and
again, tell support.
`,
  }),
};
