/** Minimum characters of a password (NIST SP 800-63B). */
export const minPasswordLength = 8;
/** Minimum for staff, whose accounts can open all others. */
export const minStaffPasswordLength = 12;
/** Maximum characters: beyond that, hashing costs more than it protects. */
const maxPasswordLength = 1024;

/** Why a new password is rejected. */
export type PasswordProblem =
  { kind: 'short'; min: number } | { kind: 'long'; max: number } | { kind: 'plain' | 'guessable' };

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
  if (length < min) return { kind: 'short', min };
  if (length > maxPasswordLength) return { kind: 'long', max: maxPasswordLength };
  const lower = password.trim().toLowerCase();
  if (new Set(lower).size < 3) return { kind: 'plain' };
  const rest = expectedWords([...words, email]).reduce(
    (remaining, word) => remaining.replaceAll(word, '*'),
    lower,
  );
  return [...rest].length < min ? { kind: 'guessable' } : null;
}
