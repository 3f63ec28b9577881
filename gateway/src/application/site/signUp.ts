import { normaliseEmail } from '../../domain/email.ts';
import { passwordProblem } from '../../domain/password.ts';
import { AdminProblem } from '../admin/adminProblem.ts';
import { createAccount } from '../admin/createAccount.ts';
import { askByMail } from './askByMail.ts';
import { countAttempt } from './countAttempt.ts';
import { requireNone } from './formProblem.ts';
import type { SiteDeps } from './siteDeps.ts';

/**
 * Makes an account whose address is yet to be verified, and mails it a code. Whether there was an
 * account with this address already is told in the mail only.
 * @returns the question to answer with the mail's code.
 * @throws FormProblem
 */
export async function signUp(
  deps: SiteDeps,
  form: { email: string; password: string; address: string },
): Promise<string> {
  const email = normaliseEmail(form.email);
  requireNone({
    email: email === null ? 'Enter an e-mail address such as name@company.com.' : null,
    password: passwordProblem(form.password, form.email),
  });
  await countAttempt(deps, 'signUpAddress', form.address);
  const owner = { email: email ?? '', address: form.address };
  const accountId = await newAccount(deps, owner.email, form.password);
  return askByMail(deps, { purpose: 'verify', ...owner, accountId, instead: alreadyThere(deps) });
}

/** The new account, or null when the address has a verified one. */
async function newAccount(deps: SiteDeps, email: string, password: string): Promise<string | null> {
  const known = await deps.database.accounts.findByEmail(email);
  if (known) {
    // As much work as for a new one, so that the time tells nothing.
    await deps.passwords.hash(password);
    return null;
  }
  const command = { email, password, verified: false, staffRole: null };
  try {
    return (await createAccount(deps, command)).id;
  } catch (error) {
    // Taken in the meantime.
    if (error instanceof AdminProblem) return null;
    throw error;
  }
}

function alreadyThere({ accountUrl }: SiteDeps) {
  return {
    subject: 'You have a Framegate account',
    text: `Somebody, hopefully you, wanted to open a Framegate account with this
address. There is one already.

Sign in at ${accountUrl}/sign-in
If you do not know the password any more:
${accountUrl}/forgotten-password

If it was not you, ignore this mail: nothing has changed.
`,
  };
}
