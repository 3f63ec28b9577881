import { passwordProblem } from '../../domain/password.ts';
import { byId, changeAccount } from '../admin/changeAccount.ts';
import { countAttempt, forgetAttempts } from './countAttempt.ts';
import { FormProblem, requireNone } from './formProblem.ts';
import type { SiteDeps } from './siteDeps.ts';

/** Replaces the password of whoever knows the old one, and ends all other sessions. @throws FormProblem */
export async function changePassword(
  deps: SiteDeps,
  form: { accountId: string; current: string; password: string; keptSessionId: string },
): Promise<void> {
  const account = await deps.database.accounts.find(form.accountId);
  if (!account) throw new FormProblem({}, 'There is no such account any more.');
  requireNone({ password: passwordProblem(form.password, account.email) });
  await countAttempt(deps, 'currentPassword', account.id);
  const known =
    account.passwordHash !== null &&
    (await deps.passwords.verify(account.passwordHash, form.current));
  if (!known) throw new FormProblem({ current: 'This is not your password.' });
  await forgetAttempts(deps, [['currentPassword', account.id]]);
  const passwordHash = await deps.passwords.hash(form.password);
  await changeAccount(deps.database, byId(deps.database, account.id), (before) => ({
    after: { ...before, passwordHash },
  }));
  await deps.sessions.removeOthers(account.id, form.keptSessionId);
}
