import { passwordProblem } from '../domain/password.ts';
import type { Passwords } from './ports/passwords.ts';

/** What is wrong with a new password, in a sentence for its owner; null when it is good. */
export async function newPasswordProblem(
  { passwords }: { passwords: Pick<Passwords, 'isKnown'> },
  password: string,
  { email, isStaff }: { email: string; isStaff: boolean },
): Promise<string | null> {
  const problem = passwordProblem(password, email, isStaff);
  if (problem !== null) return problem;
  if (!(await passwords.isKnown(password))) return null;
  return 'Many people have this password, so it is tried first. Use another one.';
}
