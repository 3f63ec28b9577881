import { firstSecret, type VersionedSecret } from '../../domain/accounts/apiKey.ts';
import { Refusal } from '../../domain/refusal.ts';
import { normaliseEmail } from '../../domain/signIn/email.ts';
import { invitationMs, isInvited, makeInvitation } from '../../domain/signIn/invitation.ts';
import type { App } from '../app.ts';
import type { Clock } from '../ports/system.ts';
import { countAttempt, type Origin } from './attempts.ts';
import { askByMail, openAccount, openConfirmation } from './mailedCodes.ts';

/**
 * Creates an account without a password and with an unverified address, and emails a code. The owner of the mailbox
 * chooses the password together with the code, so a stranger who enters another person's address sets nothing. Only the
 * email reveals whether the account already existed.
 * @returns The confirmation to answer with the email's code.
 * @throws Refusal
 */
export async function signUp(
  deps: App,
  form: { email: string; invitation: string; from: Origin },
): Promise<string> {
  const email = normaliseEmail(form.email);
  if (email === null) {
    throw new Refusal('email_invalid');
  }
  await countAttempt(deps, 'signUpAddress', form.from.address);
  await requireWelcome(deps, email, form.invitation);
  const account = await openAccount(deps, email);
  const accountId = account.isVerified ? null : account.id;
  return askByMail(deps, {
    purpose: 'verify',
    email,
    accountId,
    from: form.from,
    instead: { kind: 'accountExists', values: {} },
  });
}

/** Requires open sign-up or an invitation, with the same response for every address. @throws Refusal */
async function requireWelcome(deps: App, email: string, invitation: string): Promise<void> {
  if (deps.signUp === 'open') return;
  if (deps.signUp === 'closed') throw new Refusal('sign_up_closed');
  const { revokedUntil = null } = (await deps.invitations.find(email)) ?? {};
  if (isInvited(invitation, email, deps.clock.now(), deps.sessionKeys, revokedUntil)) return;
  throw new Refusal('invitation_wrong');
}

/** The sign-up page for an address, and its expiry in ms since the epoch. */
export interface Invitation {
  url: string;
  until: number;
}

/** Makes an invitation for an address: the link to its sign-up page, and its expiry. */
export function makeInvitationLink(
  deps: { clock: Pick<Clock, 'now'>; sessionKeys: readonly VersionedSecret[]; accountUrl: string },
  email: string,
): Invitation {
  const until = deps.clock.now() + invitationMs;
  const invitation = makeInvitation(email, until, firstSecret(deps.sessionKeys));
  return { url: `${deps.accountUrl}/sign-up?invitation=${invitation}`, until };
}

/**
 * Creates an invitation, and emails it with a code that verifies the address, so no second email is needed.
 * @throws Refusal if the address is invalid or has an account.
 */
export async function inviteByMail(
  deps: Pick<
    App,
    | 'clock'
    | 'sessionKeys'
    | 'accountUrl'
    | 'database'
    | 'sendMail'
    | 'invitations'
    | 'confirmations'
    | 'random'
  >,
  typed: string,
): Promise<Invitation & { email: string }> {
  const email = normaliseEmail(typed);
  if (email === null) throw new Refusal('email_invalid');
  if (await deps.database.accounts.findByEmail(email)) {
    throw new Refusal('email_taken');
  }
  const { url, until } = makeInvitationLink(deps, email);
  const confirmation = { purpose: 'verify', accountId: null, email } as const;
  const values = await openConfirmation(deps, confirmation, invitationMs);
  await deps.sendMail({ to: email, kind: 'invited', values, validMs: invitationMs });
  await deps.invitations.recordSent(email, { nowMs: deps.clock.now(), until });
  return { email, url, until };
}

/** Revokes all invitations of an address, including those made on the command line. @throws Refusal */
export async function revokeInvitation(
  { clock, invitations }: Pick<App, 'clock' | 'invitations'>,
  typed: string,
): Promise<string> {
  const email = normaliseEmail(typed);
  if (email === null) throw new Refusal('email_invalid');
  const nowMs = clock.now();
  await invitations.revoke(email, { nowMs, until: nowMs + invitationMs });
  return email;
}
