import type { Account } from '../../domain/accounts/account.ts';
import type { App } from '../app.ts';
import type { MailContent } from '../ports/mails.ts';
import type { NoticeChoices } from '../ports/notices.ts';
import { countAttempt, TooManyAttemptsRefusal } from '../signIn/attempts.ts';

/**
 * Emails that an owner can turn on or off, in display order, with the default. The defaults report possible acts of
 * strangers, costs in credits, and coming losses. The database stores the kinds that differ from their default, so a
 * default stays as it is.
 */
export const noticeKinds = [
  { kind: 'ends', isOn: false },
  { kind: 'files', isOn: true },
  { kind: 'credits', isOn: true },
  { kind: 'hosts', isOn: true },
  { kind: 'keys', isOn: true },
  { kind: 'sign_ins', isOn: true },
] as const satisfies readonly { kind: string; isOn: boolean }[];
/** A kind of email that an owner can turn off. */
export type NoticeKind = (typeof noticeKinds)[number]['kind'];

/** Whether an owner wants emails of a kind. */
export const wantsNotice = (
  { changedKinds }: Pick<NoticeChoices, 'changedKinds'>,
  kind: NoticeKind,
): boolean =>
  noticeKinds.some((row) => row.kind === kind && row.isOn !== changedKinds.includes(kind));

/** The parts of a process that emails to owners need. */
export type NoticeDeps = Pick<App, 'notices' | 'sendMail' | 'attempts' | 'clock'>;

/**
 * Emails an owner who wants emails of this kind, at most ten of a kind per hour, in the account's language or, if none
 * is recorded, the request's.
 */
export async function notifyOwner(
  deps: NoticeDeps,
  { id, email, isVerified }: Pick<Account, 'id' | 'email' | 'isVerified'>,
  kind: NoticeKind,
  content: MailContent,
): Promise<void> {
  if (!isVerified) return;
  const choices = await deps.notices.find(id);
  if (!wantsNotice(choices, kind)) return;
  try {
    await countAttempt(deps, 'notice', `${kind} ${id}`);
  } catch (error) {
    if (error instanceof TooManyAttemptsRefusal) return;
    throw error;
  }
  await deps.sendMail({ ...content, to: email, language: choices.language });
}

/** Notifies an owner of a created, replaced or revoked key. */
export function notifyOfKey(
  deps: NoticeDeps,
  account: Account,
  { name, lastFour }: { name: string; lastFour: string },
  what: 'Made' | 'Replaced' | 'Revoked',
): Promise<void> {
  const values = { name, lastFour };
  return notifyOwner(deps, account, 'keys', { kind: `key${what}`, values });
}

/** Notifies an owner of a key revoked by staff. */
export async function notifyOfRevokedKey(
  deps: NoticeDeps & Pick<App, 'database'>,
  keyId: string,
): Promise<void> {
  const account = await deps.database.accounts.findByKeyId(keyId);
  const key = account?.keys.find(({ id }) => id === keyId);
  if (account && key) await notifyOfKey(deps, account, key, 'Revoked');
}

/** Notifies an owner of a decision by staff about an input host. */
export async function notifyOfHost(
  deps: NoticeDeps & Pick<App, 'database'>,
  { keyId, rule, isApproved }: { keyId: string; rule: string; isApproved: boolean },
): Promise<void> {
  const account = await deps.database.accounts.findByKeyId(keyId);
  if (!account) return;
  const name = account.keys.find(({ id }) => id === keyId)?.name ?? '';
  const kind = isApproved ? 'hostApproved' : 'hostRefused';
  await notifyOwner(deps, account, 'hosts', { kind, values: { name, rule, keyId } });
}

/** Notifies an owner of a sign-in from a browser that the account has not seen. */
export function notifyOfSignIn(
  deps: NoticeDeps,
  account: Account,
  { browser, address }: { browser: string; address: string },
): Promise<void> {
  const values = { browser, address, at: deps.clock.now() };
  return notifyOwner(deps, account, 'sign_ins', { kind: 'newBrowser', values });
}
