import type { Account } from '../../domain/accounts/account.ts';
import { Refusal } from '../../domain/refusal.ts';
import { normaliseEmail } from '../../domain/signIn/email.ts';
import type { App } from '../app.ts';
import type { EntryPoint } from '../ports/site.ts';
import {
  countForAccount,
  forgetAttempts,
  type Origin,
  recordFailure,
  recordThrottled,
} from './attempts.ts';
import { askByMail } from './mailedCodes.ts';
import { continueAfterPassword, type PasswordTyped } from './secondFactor.ts';

/** Credentials and origin of a sign-in. */
export interface SignInForm {
  email: string;
  password: string;
  from: Origin;
}

/** Verified against if there is no account, so that response times do not reveal that. */
let decoy: Promise<string> | null = null;

/**
 * Signs in to the account site. For an unverified address a code is mailed instead: until its owner has typed it, the
 * account may be a stranger's.
 * @returns The account, the confirmation to answer first, or the proof for entering a code.
 * @throws Refusal, the same whether address or password is wrong.
 */
export async function signIn(
  deps: App,
  form: SignInForm,
): Promise<PasswordTyped | { confirmationId: string }> {
  const account = await findByPassword(deps, form, 'site');
  if (account.isVerified) {
    const next = await continueAfterPassword(deps, account);
    if ('account' in next) deps.recordSignIn('site', 'done');
    return next;
  }
  const { id: accountId, email } = account;
  const confirmation = { purpose: 'verify', accountId, email, from: form.from } as const;
  return { confirmationId: await askByMail(deps, confirmation) };
}

/** Finds the account of an address and a password. @throws Refusal, the same whichever is wrong. */
export async function findByPassword(
  deps: App,
  form: SignInForm,
  entryPoint: EntryPoint,
): Promise<Account> {
  const email = normaliseEmail(form.email) ?? '';
  const { from } = form;
  const find = () => deps.database.accounts.findByEmail(email);
  const attempt = await recordThrottled(deps, { entryPoint, from, find }, () =>
    countForAccount(deps, 'signIn', email, from),
  );
  const account = await find();
  decoy ??= deps.passwords.hash('no account has this password');
  const hash = account?.passwordHash ?? (await decoy);
  const matches = await deps.passwords.verify(hash, form.password);
  if (!account || account.passwordHash === null || !matches) {
    await recordFailure(deps, { entryPoint, outcome: 'password', account, from });
    throw new Refusal('sign_in_wrong');
  }
  await forgetAttempts(deps, attempt);
  return account;
}
