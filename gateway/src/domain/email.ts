/** Octets of an address at most (RFC 5321, section 4.5.3.1.3). */
const maxEmailLength = 254;

/**
 * The form in which an e-mail address is stored and compared: trimmed, lower-case, Unicode-normalised;
 * null when it cannot be an address. Whether it exists is found out by a mail.
 */
export function normaliseEmail(text: string): string | null {
  const email = text.trim().normalize('NFC').toLowerCase();
  const wellFormed = /^[^\s@<>()[\]\\,;:"]{1,64}@[^\s@<>()[\]\\,;:"]+$/.test(email);
  return wellFormed && Buffer.byteLength(email) <= maxEmailLength ? email : null;
}
