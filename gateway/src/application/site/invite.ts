import { firstSecret, type VersionedSecret } from '../../domain/apiKey.ts';
import { invitationMs, makeInvitation, normaliseEmail } from '../../domain/signIn.ts';
import type { Clock } from '../ports/system.ts';
import { PlainRefusal } from '../plainRefusal.ts';
import type { SiteDeps } from './siteDeps.ts';

/** The page on which the owner of an address signs up, and until when it works, in ms since the epoch. */
export interface Invitation {
  url: string;
  until: number;
}

/** Makes an invitation for an address. */
export function invite(
  deps: { clock: Pick<Clock, 'now'>; secrets: readonly VersionedSecret[]; accountUrl: string },
  email: string,
): Invitation {
  const until = deps.clock.now() + invitationMs;
  const invitation = makeInvitation(email, until, firstSecret(deps.secrets));
  return { url: `${deps.accountUrl}/sign-up?invitation=${invitation}`, until };
}

/** Makes an invitation and mails it. @throws PlainRefusal where it would be of no use. */
export async function inviteByMail(
  deps: Pick<SiteDeps, 'clock' | 'secrets' | 'accountUrl' | 'database' | 'sendMail'>,
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
    subject: 'You are invited to Framegate',
    text: `You are invited to open a Framegate account with this address.

Open this page within a week:

${url}

If you do not want an account, ignore this mail.
`,
    link: `${deps.accountUrl}/sign-up`,
  });
  return { email, url, until };
}
