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
    throw new PlainRefusal({ email: 'Enter an e-mail address such as name@company.com.' });
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
  if (deps.signUp === 'closed') throw new PlainRefusal('No accounts are made here.', 403);
  const { withdrawnUntil = null } = (await deps.invitations.find(email)) ?? {};
  if (isInvited(invitation, email, deps.clock.now(), deps.secrets, withdrawnUntil)) return;
  throw new PlainRefusal({
    email: 'The invitation is for another address, or over. Ask for a new one.',
  });
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
    subject: `You have an account at ${brand.name}`,
    parts: [
      `Somebody, hopefully you, wanted to open an account at ${brand.name} with this address. There is one already.`,
      { button: 'Sign in', url: `${accountUrl}/sign-in` },
      `If you no longer know the password, choose a new one at ${accountUrl}/forgotten-password`,
      "If this wasn't you, ignore this mail: nothing has changed.",
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
    subject: `You are invited to ${deps.brand.name}`,
    parts: [
      `You are invited to open an account at ${deps.brand.name} with this address. The invitation works for a week.`,
      { button: 'Create your account', url },
      'If you do not want an account, ignore this mail.',
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
