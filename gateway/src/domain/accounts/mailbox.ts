import { createHmac } from 'node:crypto';

/** Domains whose mailboxes ignore dots in the local part, with the main domain of the provider. */
const withoutDots: Readonly<Record<string, string>> = {
  'gmail.com': 'gmail.com',
  'googlemail.com': 'gmail.com',
};

/**
 * The canonical spelling of a mailbox, for comparisons and never for sending email: without a `+tag` (RFC 5233), which
 * most providers ignore, and without dots where they are ignored.
 * @param email A normalized address.
 */
export function canonicalMailbox(email: string): string {
  const at = email.lastIndexOf('@');
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  const untagged = local.replace(/(?!^)\+.*$/s, '');
  const same = withoutDots[domain];
  return same === undefined ? `${untagged}@${domain}` : `${untagged.replaceAll('.', '')}@${same}`;
}

/**
 * A team's fingerprint of a mailbox. Without the secret it reveals neither the address nor membership of other teams.
 */
export function mailboxMark(teamId: string, email: string, { secret }: { secret: string }): string {
  const mac = createHmac('sha256', secret).update(`member ${teamId} ${canonicalMailbox(email)}`);
  return mac.digest('base64url');
}

/** The ledger reference for credits that a mailbox gets once. Without the secret it reveals no address. */
export function welcomeReference(email: string, { secret }: { secret: string }): string {
  const mac = createHmac('sha256', secret).update(`welcome credits ${canonicalMailbox(email)}`);
  return `sign-up ${mac.digest('base64url')}`;
}
