/** Characters below which a password is guessed (NIST SP 800-63B). */
export const minPasswordLength = 8;
/** For staff, whose accounts open all others (OWASP ASVS 2.1.1). */
export const minStaffPasswordLength = 12;
/** Characters beyond which hashing costs more than it protects. */
const maxLength = 1024;

/**
 * What is wrong with a new password, in a sentence for its owner; null when it is good.
 * @param isStaff Whether the account is one of staff.
 */
export function passwordProblem(password: string, email: string, isStaff: boolean): string | null {
  const least = isStaff ? minStaffPasswordLength : minPasswordLength;
  const { length } = [...password];
  if (length < least) return `Use at least ${least} characters.`;
  if (length > maxLength) return `Use at most ${maxLength} characters.`;
  if (new Set(password.toLowerCase()).size < 3) return 'Use more than two different characters.';
  const lower = password.trim().toLowerCase();
  if (lower === email.toLowerCase()) return 'Use something other than your e-mail address.';
  return null;
}
