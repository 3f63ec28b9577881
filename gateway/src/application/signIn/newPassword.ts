import { Refusal } from '../../domain/refusal.ts';
import { type PasswordProblem, passwordProblem } from '../../domain/signIn/password.ts';
import type { Passwords } from '../ports/system.ts';

/** The problem with a new password; null if it is acceptable. */
export async function findNewPasswordProblem(
  { passwords }: { passwords: Pick<Passwords, 'isKnown' | 'words'> },
  password: string,
  owner: { email: string; isStaff: boolean },
): Promise<Refusal | null> {
  const problem = passwordProblem(password, { ...owner, words: passwords.words });
  if (problem !== null) return passwordRefusal(problem);
  return (await passwords.isKnown(password)) ? new Refusal('password_known') : null;
}

function passwordRefusal(problem: PasswordProblem): Refusal {
  if (problem.kind === 'short') return new Refusal('password_too_short', { values: problem });
  if (problem.kind === 'long') return new Refusal('password_too_long', { values: problem });
  return new Refusal(`password_${problem.kind}`);
}
