/** Characters below which a password is guessed (NIST SP 800-63B). */
const lengthMin = 8;
/** Characters beyond which hashing costs more than it protects. */
const lengthMax = 1024;

/** What is wrong with a new password, in a sentence for its owner; null when it is good. */
export function passwordProblem(password: string, email: string): string | null {
  const { length } = [...password];
  if (length < lengthMin) return `Use at least ${lengthMin} characters.`;
  if (length > lengthMax) return `Use at most ${lengthMax} characters.`;
  if (new Set(password.toLowerCase()).size < 3) return 'Use more than two different characters.';
  const lower = password.trim().toLowerCase();
  if (lower === email.toLowerCase()) return 'Use something other than your e-mail address.';
  return null;
}
