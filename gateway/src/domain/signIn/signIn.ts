import { createHmac } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { equalInConstantTime, firstSecret, type VersionedSecret } from '../accounts/apiKey.ts';
import { dayMs } from '../time/utcDay.ts';

/** Maximum octets of an address (RFC 5321, section 4.5.3.1.3). */
const maxEmailLength = 254;

/** Characters hidden by mail programs: mail to an address with them reaches the address without them. */
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Normalises an email address for storage, comparison and mail, so that a mailbox has one spelling: trimmed,
 * compatibility forms unified (NFKC), lower-case, the domain in ASCII (RFC 5890). Null if it cannot be an address. Only
 * a mail can show whether the mailbox exists.
 */
export function normaliseEmail(text: string): string | null {
  const [, local, named] = /^([^@]+)@([^@]+)$/u.exec(text.trim().normalize('NFKC')) ?? [];
  if (local === undefined || named === undefined || unseen.test(text.trim())) return null;
  const domain = domainToASCII(named);
  const isDomain = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(domain);
  if (!isDomain || !/^[^\s@<>()[\]\\,;:"]{1,64}$/u.test(local)) return null;
  const email = `${local.toLowerCase()}@${domain}`;
  return Buffer.byteLength(email) <= maxEmailLength ? email : null;
}

/** Minimum characters of a password (NIST SP 800-63B). */
export const minPasswordLength = 8;
/** Minimum for staff, whose accounts can open all others. */
export const minStaffPasswordLength = 12;
/** Maximum characters: beyond that, hashing costs more than it protects. */
const maxPasswordLength = 1024;

/** Why a new password is rejected. */
export type PasswordProblem =
  { is: 'short'; min: number } | { is: 'long'; max: number } | { is: 'plain' | 'expected' };

/** Minimum characters of a part of a name to count as a word: shorter ones occur in too many passwords. */
const minWordLength = 4;

/**
 * The words of names, addresses and hosts that an attacker tries first: the text itself, its parts, and its parts
 * without anything between them. In lower case, the longest first.
 */
export function expectedWords(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => {
    const lower = text.toLowerCase();
    const parts = lower.split(/[^\p{L}\p{N}]+/u);
    return [lower, parts.join(''), ...parts];
  });
  return [...new Set(words)]
    .filter((word) => word.length >= minWordLength)
    .toSorted((a, b) => b.length - a.length);
}

/**
 * The problem with a new password; null if it is acceptable. A word that is expected here counts as one character
 * (ASVS 5.0, 6.2.11), so that `framegate2026` is as short as `x2026`.
 * @param isStaff Whether the account belongs to staff.
 * @param words Words of this installation, from `expectedWords`; those of the address are added.
 */
export function passwordProblem(
  password: string,
  { email, isStaff, words = [] }: { email: string; isStaff: boolean; words?: readonly string[] },
): PasswordProblem | null {
  const min = isStaff ? minStaffPasswordLength : minPasswordLength;
  const { length } = [...password];
  if (length < min) return { is: 'short', min };
  if (length > maxPasswordLength) return { is: 'long', max: maxPasswordLength };
  const lower = password.trim().toLowerCase();
  if (new Set(lower).size < 3) return { is: 'plain' };
  const rest = expectedWords([...words, email]).reduce(
    (left, word) => left.replaceAll(word, '*'),
    lower,
  );
  return [...rest].length < min ? { is: 'expected' } : null;
}

/** Digits of a mailed code; with five tries a guess succeeds once in twenty million. */
const codeDigits = 8;

/** A code from at least eight random bytes. */
export function formatCode(random: Uint8Array): string {
  const number = random.slice(0, 8).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return String(number % 10n ** BigInt(codeDigits)).padStart(codeDigits, '0');
}

/** Formats a code in two groups of four characters. */
export function spaceCode(code: string): string {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}

/** The stored hash of a code, bound to its confirmation and useless without the secret. */
export function hashCode(confirmationId: string, code: string, secret: string): string {
  return createHmac('sha256', secret).update(`code ${confirmationId} ${code}`).digest('hex');
}

/** Whether the typed text is the code, ignoring spaces and hyphens. */
export function isCode(
  typed: string,
  confirmationId: string,
  codeHash: string,
  secrets: readonly { secret: string }[],
): boolean {
  const code = typed.replace(/[\s-]/g, '');
  if (!/^\d{1,20}$/.test(code)) return false;
  return secrets.some(({ secret }) =>
    equalInConstantTime(hashCode(confirmationId, code, secret), codeHash),
  );
}

/** Idle time after which a session of the account site ends, in ms: a week. */
export const sessionIdleMs = 7 * dayMs;

/** Validity of an invitation, in ms: a week. */
export const invitationMs = 7 * dayMs;

const mac = (email: string, until: number, { secret }: VersionedSecret) =>
  createHmac('sha256', secret).update(`sign-up invitation ${until} ${email}`).digest('base64url');

/**
 * An invitation to sign up with one address, which it does not reveal. The link is not stored: an address has only one
 * account, so a reused invitation makes no second one.
 * @param untilMs Its expiry, in ms since the epoch.
 */
export function makeInvitation(email: string, untilMs: number, key: VersionedSecret): string {
  return `${untilMs}.${mac(email, untilMs, key)}`;
}

/**
 * Whether an invitation is for this address, and neither expired nor withdrawn.
 * @param withdrawnUntilMs Invitations that expire by then were withdrawn; null if none was.
 */
export function isInvited(
  invitation: string,
  email: string,
  nowMs: number,
  keys: readonly VersionedSecret[],
  withdrawnUntilMs: number | null = null,
): boolean {
  const [, time = '', given = ''] = /^(\d{1,16})\.([\w-]{43})$/.exec(invitation) ?? [];
  if (time === '' || Number(time) <= nowMs) return false;
  if (withdrawnUntilMs !== null && Number(time) <= withdrawnUntilMs) return false;
  return keys.some((key) => equalInConstantTime(given, mac(email, Number(time), key)));
}

/*
 * A browser that has signed in to an account keeps a mark: a random name, and our signature over the name and the
 * account's address. A mark grants no access. It distinguishes the owner's browser from a stranger's when failed
 * sign-ins are counted, so a stranger's failures do not lock the owner out.
 */

/** Marks per browser, for the accounts that signed in most recently. */
const maxMarks = 4;

const signatureOf = (email: string, name: string, secret: string) =>
  createHmac('sha256', secret).update(`browser ${email} ${name}`).digest('base64url');

/**
 * The account's name for this browser; null if it never signed in there.
 * @param marks The browser's marks, as returned by `addMark`.
 * @param secrets The first makes, all verify.
 */
export function nameOnBrowser(
  marks: string,
  email: string,
  secrets: readonly { secret: string }[],
): string | null {
  for (const mark of marks.split('.').slice(0, maxMarks)) {
    const [name = '', signature = ''] = mark.split('~');
    const isOurs = secrets.some(({ secret }) =>
      equalInConstantTime(signature, signatureOf(email, name, secret)),
    );
    if (isOurs) return name;
  }
  return null;
}

/** The browser's marks after an account has signed in, replacing that account's earlier mark. */
export function addMark(
  marks: string,
  email: string,
  name: string,
  secrets: readonly { secret: string }[],
): string {
  const others = marks
    .split('.')
    .filter((mark) => mark !== '' && nameOnBrowser(mark, email, secrets) === null);
  const mark = `${name}~${signatureOf(email, name, firstSecret(secrets).secret)}`;
  return [mark, ...others].slice(0, maxMarks).join('.');
}
