import { createHmac } from 'node:crypto';
import { hourMs } from '@framegate/contract';
import { firstSecret } from '../../domain/accounts/apiKey.ts';
import { Refusal, refuseFields } from '../../domain/refusal.ts';
import { newToken, tokenHash } from '../../domain/signIn/token.ts';
import { endExternalAccess, requireAccount } from '../accounts/accounts.ts';
import { changeAccountById } from '../accounts/changeAccount.ts';
import type { App } from '../app.ts';
import { seal } from '../secretBox.ts';
import {
  countAttempt,
  forgetAttempts,
  recordFailure,
  recordThrottled,
} from '../signIn/attempts.ts';
import { sendPasswordNotice } from '../signIn/changePassword.ts';
import { staffFactorPurpose } from '../signIn/factorCode.ts';
import { findNewPasswordProblem } from '../signIn/newPassword.ts';
import { addPasskey } from './passkeys.ts';
import type { FactorForm } from './signInStaff.ts';

/** Validity of an enrolment link, in ms: an hour. */
export const enrolmentLinkMs = hourMs;

/**
 * Creates the token of an enrolment link, which replaces an earlier one. The token is in the fragment of the link's
 * address and works once within an hour; only its hash is stored.
 * @param member.token A token to reuse: 256 unguessable bits.
 * @throws Refusal `account_not_found`, `account_not_staff`.
 */
export async function openEnrolment(
  {
    database,
    clock,
    random,
    staffFactors,
  }: Pick<App, 'database' | 'clock' | 'random' | 'staffFactors'>,
  member: { accountId: string; setsPassword: boolean; token?: string },
): Promise<string> {
  const { accountId, setsPassword } = member;
  const account = await requireAccount(database, accountId);
  if (account.staffRole === null) throw new Refusal('account_not_staff');
  const token = member.token ?? newToken(random);
  const linkUntil = clock.now() + enrolmentLinkMs;
  await staffFactors.openLink(accountId, { linkHash: tokenHash(token), linkUntil, setsPassword });
  return token;
}

/** Data of the page behind a link. */
export interface OpenEnrolment {
  /** The account's. */
  id: string;
  email: string;
  setsPassword: boolean;
  /** The new secret in base32, for apps without a camera. */
  secret: string;
  /** The `otpauth:` URL, for the QR code. */
  setupUrl: string;
}

/** The enrolment behind a link; null for a used, expired or invalid link. */
export async function findEnrolment(deps: App, token: string): Promise<OpenEnrolment | null> {
  const factor = await deps.staffFactors.findByLink(tokenHash(token));
  const account = factor && (await deps.database.accounts.find(factor.id));
  if (!account || account.staffRole === null) return null;
  const secret = deps.totp.encode(secretOf(deps, token));
  return {
    id: account.id,
    email: account.email,
    setsPassword: factor.setsPassword,
    secret,
    setupUrl: deps.totp.setupUrl(secret, account.email),
  };
}

/** The secret, derived from the link's token and our own secret, so each load of the page shows the same. */
function secretOf({ sessionKeys }: App, token: string): Uint8Array {
  return createHmac('sha256', firstSecret(sessionKeys).secret)
    .update(`enrol ${token}`)
    .digest()
    .subarray(0, 20);
}

/**
 * Enrols a holder of the link who knows the password, with a valid code of the app or with a new passkey. It replaces
 * every earlier factor, consumes the link and ends all sessions of the account.
 * @returns The account's id.
 * @throws Refusal
 */
export async function enrol(
  deps: App,
  form: FactorForm & { token: string; password: string; name: string },
): Promise<string> {
  const enrolment = await findEnrolment(deps, form.token);
  if (!enrolment) throw new Refusal('enrolment_expired');
  const { id: accountId, email, secret, setsPassword } = enrolment;
  const { from } = form;
  const at = { entryPoint: 'enrolment' as const, from };
  const find = () => deps.database.accounts.find(accountId);
  await recordThrottled(deps, { ...at, find }, async () => {
    await countAttempt(deps, 'signInAddress', from.address);
    await countAttempt(deps, 'staffCode', accountId);
  });
  const fail = async (outcome: 'password' | 'code', refusal: Refusal) => {
    await recordFailure(deps, { ...at, outcome, account: await find() });
    throw refusal;
  };
  if (setsPassword) {
    const member = { email, isStaff: true };
    refuseFields(await findNewPasswordProblem(deps, form.password, member));
  } else if (!(await isPassword(deps, accountId, form.password))) {
    await fail('password', new Refusal('password_wrong', { param: 'password' }));
  }
  const linkHash = tokenHash(form.token);
  const useUp = async (sealed: string | null, step: number) => {
    if (!(await deps.staffFactors.enrol(linkHash, sealed, step))) {
      throw new Refusal('enrolment_expired');
    }
  };
  let keptPasskeyId: string | undefined;
  if (form.passkey === '') {
    if (deps.staffFactor === 'passkey') throw new Refusal('passkey_missing');
    const step = deps.totp.check(secret, form.code, deps.clock.now(), 0);
    if (step === null) return fail('code', new Refusal('factor_setup_code_wrong'));
    await deps.passkeys.removeOthers(accountId, null);
    await useUp(seal(secret, accountId, deps.sessionKeys, staffFactorPurpose), step);
  } else {
    const { id } = await addPasskey(deps, enrolment, form);
    keptPasskeyId = id;
    // Before the link is used up: after a crash between the two, it replaces them again.
    await deps.passkeys.removeOthers(accountId, id);
    try {
      await useUp(null, 0);
    } catch (error) {
      await deps.passkeys.remove(id);
      throw error;
    }
  }
  const { database } = deps;
  if (setsPassword) {
    const passwordHash = await deps.passwords.hash(form.password);
    await changeAccountById(database, accountId, (account) => ({
      after: { ...account, passwordHash },
      ends: { by: 'change the password' },
    }));
    await sendPasswordNotice(deps, { email }, from.address);
  } else {
    await endExternalAccess(database, accountId, { by: 'enrol staff', keptPasskeyId });
  }
  await forgetAttempts(deps, [['staffCode', accountId]]);
  return accountId;
}

async function isPassword(deps: App, accountId: string, password: string): Promise<boolean> {
  const account = await deps.database.accounts.find(accountId);
  const hash = account?.passwordHash ?? null;
  return hash !== null && (await deps.passwords.verify(hash, password));
}
