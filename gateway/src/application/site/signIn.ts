import type { Account } from '../../domain/account.ts';
import { normaliseEmail } from '../../domain/email.ts';
import { countAttempt, forgetAttempts } from './countAttempt.ts';
import { FormProblem } from './formProblem.ts';
import type { SiteDeps } from './siteDeps.ts';

/** Verified against where there is no account, so that the time of an answer tells nothing. */
let nobody: Promise<string> | null = null;

/** Finds the account of an address and a password. @throws FormProblem, the same whichever is wrong. */
export async function signIn(
  deps: SiteDeps,
  form: { email: string; password: string; address: string },
): Promise<Account> {
  const email = normaliseEmail(form.email) ?? '';
  await countAttempt(deps, 'signInAddress', form.address);
  await countAttempt(deps, 'signInAccount', email);
  const account = await deps.database.accounts.findByEmail(email);
  nobody ??= deps.passwords.hash('nobody has this password');
  const hash = account?.passwordHash ?? (await nobody);
  const matches = await deps.passwords.verify(hash, form.password);
  if (!account || account.passwordHash === null || !matches) {
    throw new FormProblem({}, 'The e-mail address or the password is wrong.');
  }
  await forgetAttempts(deps, 'signInAccount', email);
  return account;
}
