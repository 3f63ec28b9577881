import { createHmac } from 'node:crypto';
import type { Account } from '../../domain/accounts/account.ts';
import { firstSecret } from '../../domain/accounts/apiKey.ts';
import { Refusal } from '../../domain/refusal.ts';
import {
  formatRecoveryCode,
  hashRecoveryCode,
  recoveryCodeBytes,
  recoveryCodeCount,
} from '../../domain/signIn/secondFactor.ts';
import { liveKeysOf } from '../../domain/teams/formerMembers.ts';
import { endExternalAccess, requireAccount } from '../accounts/accounts.ts';
import type { App } from '../app.ts';
import { isForRealPersons } from '../keys/realPersonKeys.ts';
import { seal } from '../secretBox.ts';
import type { Origin } from './attempts.ts';
import { requireCurrentPassword } from './changePassword.ts';
import { customerFactorPurpose } from './factorCode.ts';
import { actionOrigin, requireCode } from './secondFactor.ts';

/** Data of the page that turns on the second factor. */
export interface FactorSetUp {
  /** A random value returned by the page's form, from which the secret is derived again. */
  setup: string;
  /** The secret in base32, for apps without a camera. */
  secret: string;
  /** The `otpauth:` URL, for the QR code. */
  setupUrl: string;
}

/**
 * A secret for an app, stored only when the factor is turned on. It is derived from the form's random value, the
 * account and our own secret, so the page can be shown again with the same QR code.
 * @param setup The value returned by a form; a new one if empty.
 */
export function setUpFactor(
  { totp, sessionKeys, random }: Pick<App, 'totp' | 'sessionKeys' | 'random'>,
  { id, email }: Account,
  setup = '',
): FactorSetUp {
  const value = /^[\w-]{22}$/.test(setup)
    ? setup
    : Buffer.from(random.bytes(16)).toString('base64url');
  const bytes = createHmac('sha256', firstSecret(sessionKeys).secret)
    .update(`second factor ${id} ${value}`)
    .digest()
    .subarray(0, 20);
  const secret = totp.encode(bytes);
  return { setup: value, secret, setupUrl: totp.setupUrl(secret, email) };
}

/** A form about the second factor of the signed-in account. */
export interface FactorSettingsForm {
  account: Account;
  /** The current password. */
  current: string;
  /** A code of the app. */
  code: string;
  from: Origin;
}

/**
 * Turns on the second factor, given the password and a code of the app. Signs out all other browsers and notifies the
 * owner by email.
 * @returns The recovery codes, which only this call returns: only their hashes are stored.
 * @throws Refusal
 */
export async function startFactor(
  deps: App,
  {
    account,
    current,
    code,
    from,
    ...form
  }: FactorSettingsForm & { setup: string; keptSessionId: string },
): Promise<string[]> {
  const { customerFactors, totp, clock, sessionKeys } = deps;
  const { id } = account;
  const alreadyEnabledRefusal = () => new Refusal('factor_on_already');
  if (await customerFactors.find(id)) throw alreadyEnabledRefusal();
  await requireCurrentPassword(deps, account, current, from);
  const { secret } = setUpFactor(deps, account, form.setup);
  const nowMs = clock.now();
  const step = totp.check(secret, code, nowMs, 0);
  if (step === null) {
    throw new Refusal('factor_setup_code_wrong');
  }
  const { codes, hashes } = makeRecoveryCodes(deps, id);
  const wasInserted = await customerFactors.insert({
    id,
    secret: seal(secret, id, sessionKeys, customerFactorPurpose),
    lastStep: step,
    recoveryHashes: hashes,
    enabledAt: nowMs,
  });
  if (!wasInserted) throw alreadyEnabledRefusal();
  const { keptSessionId } = form;
  await endExternalAccess(deps.database, id, { by: 'begin the second factor', keptSessionId });
  await deps.sendMail({ to: account.email, kind: 'factorOn', values: actionOrigin(deps, from) });
  return codes;
}

function makeRecoveryCodes({ random }: Pick<App, 'random'>, accountId: string) {
  const codes = Array.from({ length: recoveryCodeCount }, () =>
    formatRecoveryCode(random.bytes(recoveryCodeBytes)),
  );
  return { codes, hashes: codes.map((code) => hashRecoveryCode(accountId, code) ?? '') };
}

async function requireBoth(deps: App, { account, current, code, from }: FactorSettingsForm) {
  await requireCurrentPassword(deps, account, current, from);
  await requireCode(deps, account, { code, entryPoint: 'settings', from });
}

/**
 * Replaces the recovery codes.
 * @returns The new ones, which only this call returns.
 * @throws Refusal
 */
export async function renewRecoveryCodes(deps: App, form: FactorSettingsForm): Promise<string[]> {
  await requireBoth(deps, form);
  const { codes, hashes } = makeRecoveryCodes(deps, form.account.id);
  await deps.customerFactors.replaceRecoveryCodes(form.account.id, hashes);
  const values = actionOrigin(deps, form.from);
  await deps.sendMail({ to: form.account.email, kind: 'newCodes', values });
  return codes;
}

/**
 * Turns off the second factor, given the password and a code.
 * @throws Refusal also while the person has a key, in any account, that needs the factor.
 */
export async function endFactor(deps: App, form: FactorSettingsForm): Promise<void> {
  const { account, from } = form;
  if (deps.realPersonNeedsSecondFactor) {
    const nowMs = deps.clock.now();
    const keysInNeed = (await findAccountsWithKeys(deps, account))
      .flatMap((place) => liveKeysOf(place, account.id, nowMs))
      .filter((key) => isForRealPersons(deps, key));
    if (keysInNeed.length > 0) {
      const keys = keysInNeed.map(({ name }) => name).join(', ');
      throw new Refusal('factor_in_use', { values: { keys } });
    }
  }
  await requireBoth(deps, form);
  await endExternalAccess(deps.database, account.id, { by: 'end the second factor' });
  await deps.sendMail({ to: account.email, kind: 'factorOff', values: actionOrigin(deps, from) });
}

/** A person's own account, and those that they are a member of. */
async function findAccountsWithKeys({ database }: Pick<App, 'database'>, person: Account) {
  const teams = await Promise.all((person.teams ?? []).map((id) => database.accounts.find(id)));
  const own = teams.filter((team) => team?.members?.some(({ id }) => id === person.id));
  return [person, ...own.filter((team) => team !== null)];
}

/**
 * Removes the second factor of a customer who lost the app and the recovery codes, after staff have verified the
 * requester. Notifies the owner by email.
 * @throws Refusal if there is none.
 */
export async function removeFactor(deps: App, accountId: string): Promise<string> {
  const account = await requireAccount(deps.database, accountId);
  if (!(await deps.customerFactors.find(accountId))) {
    throw new Refusal('factor_off_already');
  }
  await endExternalAccess(deps.database, accountId, { by: 'end the second factor' });
  const { language = 'en' } = await deps.notices.find(accountId);
  await deps.sendMail({ to: account.email, language, kind: 'factorRemoved', values: {} });
  return 'Two-factor authentication was removed. The customer was notified by email.';
}
