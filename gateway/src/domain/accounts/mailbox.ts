import { createHmac } from 'node:crypto';

/** Providers at which dots in the local part mean nothing; all names of one provider give the same mailbox. */
const withoutDots: Readonly<Record<string, string>> = {
  'gmail.com': 'gmail.com',
  'googlemail.com': 'gmail.com',
};

/**
 * One spelling of a mailbox, for comparing and never for mail: without a `+tag` (RFC 5233), which most providers
 * deliver to the mailbox without it, and without dots where they mean nothing.
 * @param email A normalized address.
 */
export function canonicalMailbox(email: string): string {
  const at = email.lastIndexOf('@');
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  const untagged = local.replace(/(?!^)\+.*$/s, '');
  const same = withoutDots[domain];
  return same === undefined ? `${untagged}@${domain}` : `${untagged.replaceAll('.', '')}@${same}`;
}

/** A mailbox as one team knows it. Without the secret it tells no address, and no other team's members. */
export function mailboxMark(teamId: string, email: string, { secret }: { secret: string }): string {
  const mac = createHmac('sha256', secret).update(`member ${teamId} ${canonicalMailbox(email)}`);
  return mac.digest('base64url');
}

/** The ledger's reference of the credits that a mailbox gets once. Without the secret it tells no address. */
export function welcomeReference(email: string, { secret }: { secret: string }): string {
  const mac = createHmac('sha256', secret).update(`welcome credits ${canonicalMailbox(email)}`);
  return `sign-up ${mac.digest('base64url')}`;
}
