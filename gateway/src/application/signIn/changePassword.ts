import type { Account } from '../../domain/accounts/account.ts';
import { Refusal, refuseFields } from '../../domain/refusal.ts';
import { endExternalAccess, requireAccount } from '../accounts/accounts.ts';
import { changeAccountById } from '../accounts/changeAccount.ts';
import type { App } from '../app.ts';
import {
  countAttempt,
  forgetAttempts,
  type Origin,
  recordFailure,
  recordThrottled,
} from './attempts.ts';
import { findNewPasswordProblem } from './newPassword.ts';

/** Replaces a password, given the current one, and ends all other sessions. @throws Refusal */
export async function changePassword(
  deps: App,
  form: {
    accountId: string;
    current: string;
    password: string;
    keptSessionId: string;
    from: Origin;
  },
): Promise<void> {
  const account = await requireAccount(deps.database, form.accountId);
  const owner = { email: account.email, isStaff: account.staffRole !== null };
  refuseFields(await findNewPasswordProblem(deps, form.password, owner));
  await requireCurrentPassword(deps, account, form.current, form.from);
  const passwordHash = await deps.passwords.hash(form.password);
  await changeAccountById(deps.database, account.id, (before) => ({
    after: { ...before, passwordHash },
    ends: { by: 'change the password', keptSessionId: form.keptSessionId },
  }));
  await sendPasswordNotice(deps, account, form.from.address);
}

/** Checks the password of the signed-in account. @throws Refusal for the field `current`. */
export async function requireCurrentPassword(
  deps: App,
  account: Account,
  typed: string,
  from: Origin,
): Promise<void> {
  const { id, passwordHash } = account;
  const entryPoint = 'settings';
  await recordThrottled(deps, { entryPoint, from, find: () => Promise.resolve(account) }, () =>
    countAttempt(deps, 'currentPassword', id),
  );
  if (passwordHash === null) {
    throw new Refusal('password_not_set');
  }
  const isRight = await deps.passwords.verify(passwordHash, typed);
  if (!isRight) {
    await recordFailure(deps, { entryPoint, outcome: 'password', account, from });
    throw new Refusal('password_wrong', { param: 'current' });
  }
  await forgetAttempts(deps, [['currentPassword', id]]);
}

/** Ends the sessions of an account, including those of the staff console. @param keptId The session to keep. */
export async function endSessions(
  { database }: Pick<App, 'database'>,
  accountId: string,
  keptId: string | null,
): Promise<void> {
  await endExternalAccess(database, accountId, {
    by: 'sign out everywhere',
    keptSessionId: keptId ?? undefined,
  });
}

/** Notifies the owner by email of the changed password, with advice in case a stranger did it. */
export async function sendPasswordNotice(
  { sendMail, clock }: Pick<App, 'sendMail' | 'clock'>,
  { email }: Pick<Account, 'email'>,
  address: string,
): Promise<void> {
  const values = { at: clock.now(), address };
  await sendMail({ to: email, kind: 'passwordChanged', values });
}
