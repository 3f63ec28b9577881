import type { Account } from '../../domain/accounts/account.ts';
import type { NoticeChoices } from '../ports/notices.ts';
import { countAttempt, TooManyAttempts } from './attempts.ts';
import type { MailPart } from '../ports/site.ts';
import { inLanguage, language } from '../../texts/language.ts';
import { text, type FixedKey } from '../../texts/text.ts';
import { timeInWords } from './writeMail.ts';
import type { App } from '../app.ts';

/**
 * Mails that an owner can turn on or off, in display order: what the form says, and the default. By default, an owner
 * learns of what a stranger may have done, and of what costs credits. The database stores the kinds that differ from
 * their default, so a default stays as it is.
 */
export const noticeKinds = [
  { kind: 'ends', label: 'settings.mailEnds', isOn: false },
  { kind: 'credits', label: 'settings.mailCredits', isOn: true },
  { kind: 'hosts', label: 'settings.mailHosts', isOn: true },
  { kind: 'keys', label: 'settings.mailKeys', isOn: true },
  { kind: 'sign_ins', label: 'settings.mailSignIns', isOn: true },
] as const satisfies readonly { kind: string; label: FixedKey; isOn: boolean }[];
export type NoticeKind = (typeof noticeKinds)[number]['kind'];

/** Whether an owner wants mails of a kind. */
export const wants = (
  { changedKinds }: Pick<NoticeChoices, 'changedKinds'>,
  kind: NoticeKind,
): boolean =>
  noticeKinds.some((row) => row.kind === kind && row.isOn !== changedKinds.includes(kind));

/** A mail to an owner about something in the account. */
export interface Notice {
  subject: string;
  parts: readonly MailPart[];
  /** Path of the page concerned. */
  path: string;
}

export type NoticeDeps = Pick<App, 'notices' | 'sendMail' | 'accountUrl' | 'attempts' | 'clock'>;

/**
 * Mails an owner who wants mails of this kind, at most ten of a kind per hour.
 * @param write Writes the mail; called in the account's language, or the request's if none is recorded.
 */
export async function notifyOwner(
  deps: NoticeDeps,
  { id, email, verified }: Pick<Account, 'id' | 'email' | 'verified'>,
  kind: NoticeKind,
  write: () => Notice,
): Promise<void> {
  if (!verified) return;
  const choices = await deps.notices.find(id);
  if (!wants(choices, kind)) return;
  try {
    await countAttempt(deps, 'notice', `${kind} ${id}`);
  } catch (error) {
    if (error instanceof TooManyAttempts) return;
    throw error;
  }
  await inLanguage(choices.language ?? language(), async () => {
    const { subject, parts, path } = write();
    await deps.sendMail({ to: email, link: `${deps.accountUrl}${path}`, subject, parts });
  });
}

const keyWords = {
  made: ['mails.keyMadeSubject', 'mails.keyMade'],
  replaced: ['mails.keyReplacedSubject', 'mails.keyReplaced'],
  revoked: ['mails.keyRevokedSubject', 'mails.keyRevoked'],
} as const;

/** Notifies an owner of a created, replaced or revoked key. */
export function notifyOfKey(
  deps: NoticeDeps,
  account: Account,
  { name, lastFour }: { name: string; lastFour: string },
  what: 'made' | 'replaced' | 'revoked',
): Promise<void> {
  const [subject, said] = keyWords[what];
  return notifyOwner(deps, account, 'keys', () => ({
    subject: text(subject, { name }),
    parts: [
      text(said, { name, lastFour }),
      text('mails.keyNotYou'),
      { button: text('mails.keyButton'), url: `${deps.accountUrl}/settings/public-api` },
    ],
    path: '/settings/public-api',
  }));
}

/** Notifies an owner of a key revoked by staff. */
export async function notifyOfRevokedKey(
  deps: NoticeDeps & Pick<App, 'database'>,
  keyId: string,
): Promise<void> {
  const account = await deps.database.accounts.findByKeyId(keyId);
  const key = account?.keys.find(({ id }) => id === keyId);
  if (account && key) await notifyOfKey(deps, account, key, 'revoked');
}

/** Notifies an owner of a decision by staff about an input host. */
export async function notifyOfHost(
  deps: NoticeDeps & Pick<App, 'database'>,
  { keyId, rule, isApproved }: { keyId: string; rule: string; isApproved: boolean },
): Promise<void> {
  const account = await deps.database.accounts.findByKeyId(keyId);
  if (!account) return;
  const name = account.keys.find(({ id }) => id === keyId)?.name ?? '';
  const path = `/settings/public-api/keys/${keyId}`;
  await notifyOwner(deps, account, 'hosts', () => ({
    subject: text(isApproved ? 'mails.hostApprovedSubject' : 'mails.hostRefusedSubject', { rule }),
    parts: [
      text(isApproved ? 'mails.hostApproved' : 'mails.hostRefused', { name, rule }),
      { button: text('mails.hostButton'), url: `${deps.accountUrl}${path}` },
    ],
    path,
  }));
}

/** Notifies an owner of a sign-in from a browser that the account has not seen. */
export function notifyOfSignIn(
  deps: NoticeDeps,
  account: Account,
  { browser, address }: { browser: () => string; address: string },
): Promise<void> {
  return notifyOwner(deps, account, 'sign_ins', () => ({
    subject: text('mails.newBrowserSubject'),
    parts: [
      text('mails.newBrowser', {
        browser: browser(),
        address,
        at: timeInWords(deps.clock.now()),
      }),
      text('mails.newBrowserAdvice'),
      { button: text('mails.newBrowserButton'), url: `${deps.accountUrl}/settings/account` },
    ],
    path: '/settings/account',
  }));
}
