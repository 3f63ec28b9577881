import type { Account } from '../../domain/account.ts';
import type { NoticeKind } from '../ports/notices.ts';
import { countAttempt, TriedTooOften } from './attempts.ts';
import type { MailPart } from './ports.ts';
import type { SiteDeps } from './siteDeps.ts';

/** A mail to an owner about something in the account. */
export interface Notice {
  subject: string;
  parts: readonly MailPart[];
  /** Path of the page that it is about. */
  path: string;
}

export type NoticeDeps = Pick<
  SiteDeps,
  'notices' | 'sendMail' | 'accountUrl' | 'attempts' | 'clock'
>;

/** Mails an owner who wants mails of this kind; ten of a kind in an hour at most. */
export async function tellOwner(
  deps: NoticeDeps,
  { id, email, verified }: Pick<Account, 'id' | 'email' | 'verified'>,
  kind: NoticeKind,
  { subject, parts, path }: Notice,
): Promise<void> {
  if (!verified) return;
  const choices = await deps.notices.find(id);
  if (!choices[kind]) return;
  try {
    await countAttempt(deps, 'notice', `${kind} ${id}`);
  } catch (error) {
    if (error instanceof TriedTooOften) return;
    throw error;
  }
  await deps.sendMail({ to: email, link: `${deps.accountUrl}${path}`, subject, parts });
}

/** Tells an owner that a key was made, replaced or revoked. */
export function tellKey(
  deps: NoticeDeps,
  account: Account,
  { name, lastFour }: { name: string; lastFour: string },
  what: 'made' | 'replaced' | 'revoked',
): Promise<void> {
  const words = {
    made: [
      'A new API key',
      'was made in your account. Programs that have it can spend your credits.',
    ],
    replaced: ['API key replaced', 'replaces another key of your account.'],
    revoked: [
      'API key revoked',
      'of your account was revoked. Programs that use it get an error from now on.',
    ],
  }[what];
  return tellOwner(deps, account, 'keys', {
    subject: `${words[0]}: ${name}`,
    parts: [
      `The key “${name}” (…${lastFour}) ${words[1]}`,
      "If this wasn't you, revoke the key and change your password.",
      { button: 'See your API keys', url: `${deps.accountUrl}/settings/public-api` },
    ],
    path: '/settings/public-api',
  });
}

/** Tells an owner that staff revoked a key. */
export async function tellRevoked(
  deps: NoticeDeps & Pick<SiteDeps, 'database'>,
  keyId: string,
): Promise<void> {
  const account = await deps.database.accounts.findByKeyId(keyId);
  const key = account?.keys.find(({ id }) => id === keyId);
  if (account && key) await tellKey(deps, account, key, 'revoked');
}

/** Tells an owner that staff decided about an input host. */
export async function tellHost(
  deps: NoticeDeps & Pick<SiteDeps, 'database'>,
  { keyId, rule, isApproved }: { keyId: string; rule: string; isApproved: boolean },
): Promise<void> {
  const account = await deps.database.accounts.findByKeyId(keyId);
  if (!account) return;
  const name = account.keys.find(({ id }) => id === keyId)?.name ?? '';
  await tellOwner(deps, account, 'hosts', {
    subject: isApproved ? `Input host approved: ${rule}` : `Input host refused: ${rule}`,
    parts: [
      isApproved
        ? `The key “${name}” can now use files from ${rule}.`
        : `The key “${name}” cannot use files from ${rule}.`,
      { button: 'See the key', url: `${deps.accountUrl}/settings/public-api/keys/${keyId}` },
    ],
    path: `/settings/public-api/keys/${keyId}`,
  });
}

/** Tells an owner of a sign-in from a browser that the account has not seen. */
export function tellSignIn(
  deps: NoticeDeps,
  account: Account,
  { browser, address }: { browser: string; address: string },
): Promise<void> {
  const at = new Date(deps.clock.now()).toUTCString();
  return tellOwner(deps, account, 'signIns', {
    subject: 'A sign-in from a new browser',
    parts: [
      `Somebody signed in to your account with ${browser} from the address ${address}, on ${at}.`,
      "If this was you, there is nothing to do. If it wasn't, reset your password now and sign out the others.",
      { button: 'See where you are signed in', url: `${deps.accountUrl}/settings/account` },
    ],
    path: '/settings/account',
  });
}
