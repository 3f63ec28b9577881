import type { Account } from '../../domain/account.ts';
import { firstSecret, type VersionedSecret } from '../../domain/apiKey.ts';
import { isInvited, normaliseEmail, invitationMs, makeInvitation } from '../../domain/signIn.ts';
import { createAccount } from '../accounts/accounts.ts';
import { PlainRefusal } from '../../domain/refusal.ts';
import type { Clock } from '../ports/system.ts';
import { countAttempt, type Origin } from './attempts.ts';
import { askByMail } from './mailbox.ts';
import type { Mail } from './ports.ts';
import type { SiteDeps } from './siteDeps.ts';
import { text } from '../../texts/text.ts';

/**
 * Creates an account without a password and with an unverified address, and mails a code. The owner of the
 * mailbox chooses the password together with the code, so a stranger who gives another person's address sets
 * nothing. Only the mail reveals whether the account existed already.
 * @returns The confirmation to answer with the mail's code.
 * @throws PlainRefusal
 */
export async function signUp(
  deps: SiteDeps,
  form: { email: string; invitation: string; from: Origin },
): Promise<string> {
  const email = normaliseEmail(form.email);
  if (email === null) {
    throw new PlainRefusal({ email: text('signUp.wrongEmail') });
  }
  await countAttempt(deps, 'signUpAddress', form.from.address);
  await requireWelcome(deps, email, form.invitation);
  const account = await openAccount(deps, email);
  const accountId = account.verified ? null : account.id;
  return askByMail(deps, {
    purpose: 'verify',
    email,
    accountId,
    from: form.from,
    instead: alreadyThere(deps),
  });
}

/**
 * Requires an open sign-up or an invitation. The answer is the same for every address, so that it does not
 * reveal accounts. @throws PlainRefusal
 */
async function requireWelcome(deps: SiteDeps, email: string, invitation: string): Promise<void> {
  if (deps.signUp === 'open') return;
  if (deps.signUp === 'closed') throw new PlainRefusal(text('signUp.refused'), 403);
  const { withdrawnUntil = null } = (await deps.invitations.find(email)) ?? {};
  if (isInvited(invitation, email, deps.clock.now(), deps.secrets, withdrawnUntil)) return;
  throw new PlainRefusal({ email: text('signUp.wrongInvitation') });
}

/**
 * The account of an address, new or existing, with the same work in both cases, so that the time does not
 * reveal which.
 */
async function openAccount(deps: SiteDeps, email: string): Promise<Account> {
  try {
    await createAccount(deps, { email, password: null, verified: false, staffRole: null });
  } catch (error) {
    // The address already has an account.
    if (!(error instanceof PlainRefusal)) throw error;
  }
  const account = await deps.database.accounts.findByEmail(email);
  if (!account) throw new Error('the account of a sign-up has gone');
  return account;
}

function alreadyThere({ accountUrl, brand }: SiteDeps): Pick<Mail, 'subject' | 'parts'> {
  return {
    subject: text('mails.thereSubject', { brand: brand.name }),
    parts: [
      text('mails.thereAsked', { brand: brand.name }),
      { button: text('mails.thereButton'), url: `${accountUrl}/sign-in` },
      text('mails.thereForgot', { url: `${accountUrl}/forgotten-password` }),
      text('mails.thereIgnore'),
    ],
  };
}

/** The page for signing up with an address, and when it expires, in ms since the epoch. */
export interface Invitation {
  url: string;
  until: number;
}

export function invite(
  deps: { clock: Pick<Clock, 'now'>; secrets: readonly VersionedSecret[]; accountUrl: string },
  email: string,
): Invitation {
  const until = deps.clock.now() + invitationMs;
  const invitation = makeInvitation(email, until, firstSecret(deps.secrets));
  return { url: `${deps.accountUrl}/sign-up?invitation=${invitation}`, until };
}

/** Creates and mails an invitation. @throws PlainRefusal if the address is invalid or has an account. */
export async function inviteByMail(
  deps: Pick<
    SiteDeps,
    'clock' | 'secrets' | 'accountUrl' | 'brand' | 'database' | 'sendMail' | 'invitations'
  >,
  typed: string,
): Promise<Invitation & { email: string }> {
  const email = normaliseEmail(typed);
  if (email === null) throw new PlainRefusal('Enter an e-mail address such as name@company.com.');
  if (await deps.database.accounts.findByEmail(email)) {
    throw new PlainRefusal('There is an account with this address.');
  }
  const { url, until } = invite(deps, email);
  await deps.sendMail({
    to: email,
    subject: text('mails.invitedSubject', { brand: deps.brand.name }),
    parts: [
      text('mails.invited', { brand: deps.brand.name }),
      { button: text('mails.invitedButton'), url },
      text('mails.invitedIgnore'),
    ],
    link: `${deps.accountUrl}/sign-up`,
  });
  await deps.invitations.noteSent(email, { nowMs: deps.clock.now(), until });
  return { email, url, until };
}

/** Withdraws all invitations of an address, also those of the command line. @throws PlainRefusal */
export async function withdrawInvitation(
  { clock, invitations }: Pick<SiteDeps, 'clock' | 'invitations'>,
  typed: string,
): Promise<string> {
  const email = normaliseEmail(typed);
  if (email === null) throw new PlainRefusal('Enter an e-mail address such as name@company.com.');
  const nowMs = clock.now();
  await invitations.withdraw(email, { nowMs, until: nowMs + invitationMs });
  return email;
}
