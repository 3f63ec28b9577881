import { domainToASCII } from 'node:url';

/** Maximum octets of an address (RFC 5321, section 4.5.3.1.3). */
const maxEmailLength = 254;

/** Characters hidden by email programs: email to an address with them reaches the address without them. */
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Normalises an email address for storage, comparison and email, so that a mailbox has one spelling: trimmed,
 * compatibility forms unified (NFKC), lower-case, the domain in ASCII (RFC 5890). Null if it cannot be an address. Only
 * an email can show whether the mailbox exists.
 */
export function normaliseEmail(text: string): string | null {
  const [, local, domainPart] = /^([^@]+)@([^@]+)$/u.exec(text.trim().normalize('NFKC')) ?? [];
  if (local === undefined || domainPart === undefined || unseen.test(text.trim())) return null;
  const domain = domainToASCII(domainPart);
  const isDomain = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(domain);
  if (!isDomain || !/^[^\s@<>()[\]\\,;:"]{1,64}$/u.test(local)) return null;
  const email = `${local.toLowerCase()}@${domain}`;
  return Buffer.byteLength(email) <= maxEmailLength ? email : null;
}
