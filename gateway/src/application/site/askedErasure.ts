import type { Account } from '../../domain/account.ts';
import { askForErasure, erasureDueAt, withdrawErasure } from '../../domain/askedErasure.ts';
import { PlainRefusal } from '../../domain/refusal.ts';
import { text } from '../../texts/text.ts';
import { byId, changeAccount } from '../accounts/accounts.ts';
import type { Mail } from './ports.ts';
import type { SiteDeps } from './siteDeps.ts';
import { ifNotYou, timeInWords } from './writeMail.ts';

/** Path of the page on which a person asks for the erasure of their account, and keeps it. */
export const erasurePath = '/settings/account/erasure';

type AskDeps = Pick<
  SiteDeps,
  'database' | 'clock' | 'sendMail' | 'prepareMail' | 'accountUrl' | 'brand'
>;

/**
 * Notes that a person asks for the erasure of their account, and mails the way back at once. Call only after the proof
 * of the person. A repeated request changes nothing.
 * @throws PlainRefusal for a member of staff.
 */
export async function askToErase(deps: AskDeps, accountId: string): Promise<void> {
  const { database, clock, prepareMail } = deps;
  const written: { mail: Mail | null } = { mail: null };
  await changeAccount(database, byId(database, accountId), (account) => {
    written.mail = null;
    if (account.staffRole !== null) throw new PlainRefusal(text('erasure.staff'), 403);
    const after = askForErasure(account, clock.now());
    if (after === account) return { after };
    written.mail = askedMail(deps, after);
    return { after, mails: prepareMail ? [prepareMail(written.mail)] : [] };
  });
  if (written.mail && prepareMail === null) await deps.sendMail(written.mail);
}

/** Keeps an account whose erasure was asked for. Safe to repeat. @throws PlainRefusal if it is too late. */
export async function keepAccount(
  { database, clock }: Pick<SiteDeps, 'database' | 'clock'>,
  accountId: string,
): Promise<void> {
  await changeAccount(database, byId(database, accountId), (account) => {
    const after = withdrawErasure(account, clock.now());
    if (after === null) throw new PlainRefusal(text('erasure.tooLate'));
    return { after };
  });
}

function askedMail({ accountUrl, brand }: AskDeps, account: Account): Mail {
  return {
    to: account.email,
    link: `${accountUrl}${erasurePath}`,
    subject: text('mails.erasureAskedSubject', { brand: brand.name }),
    parts: [
      text('mails.erasureAsked', {
        brand: brand.name,
        at: timeInWords(erasureDueAt(account) ?? 0),
        url: `${accountUrl}${erasurePath}`,
      }),
      ...ifNotYou(accountUrl),
    ],
  };
}
