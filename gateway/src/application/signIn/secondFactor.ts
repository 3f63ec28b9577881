import { dayMs } from '@framegate/contract';
import type { Account } from '../../domain/accounts/account.ts';
import { firstSecret } from '../../domain/accounts/apiKey.ts';
import { Refusal } from '../../domain/refusal.ts';
import {
  accountIdOf,
  hashRecoveryCode,
  isProof,
  makeProof,
  proofMs,
} from '../../domain/signIn/secondFactor.ts';
import type { App } from '../app.ts';
import type { CustomerFactor, EntryPoint } from '../ports/site.ts';
import {
  countAttempt,
  countCode,
  forgetAttempts,
  type Origin,
  recordFailure,
  recordThrottled,
} from './attempts.ts';
import { customerFactorPurpose, takeFactorCode } from './factorCode.ts';

/** The result of a correct password or a link: a signed-in account, or a proof for entering its code. */
export type PasswordTyped = { account: Account } | { proof: string };

/** The next step after an account's password was typed, or set by a mailed code. */
export async function continueAfterPassword(
  { customerFactors, clock, sessionKeys }: Pick<App, 'customerFactors' | 'clock' | 'sessionKeys'>,
  account: Account,
): Promise<PasswordTyped> {
  if ((await customerFactors.find(account.id)) === null) return { account };
  return { proof: makeProof(account, 'site', clock.now() + proofMs, firstSecret(sessionKeys)) };
}

/**
 * Signs in with the code requested after the password.
 * @param form.proof From `continueAfterPassword`.
 * @returns Null if the proof has expired: the password must be typed again.
 * @throws Refusal for the field `code`, or after too many codes.
 */
export async function signInWithCode(
  deps: App,
  form: { proof: string; code: string; from: Origin },
): Promise<Account | null> {
  const accountId = accountIdOf(form.proof);
  const account = accountId === null ? null : await deps.database.accounts.find(accountId);
  if (
    !account?.isVerified ||
    !isProof(form.proof, account, 'site', deps.clock.now(), deps.sessionKeys)
  ) {
    return null;
  }
  // It may have been turned off in the meantime.
  if (await deps.customerFactors.find(account.id)) {
    await requireCode(deps, account, { ...form, entryPoint: 'site' });
  }
  deps.recordSignIn('site', 'done');
  return account;
}

/**
 * Requires a code of the account's app or a recovery code, each valid once. Call only after the password.
 * @throws Refusal for the field `code`, or after too many codes.
 */
export async function requireCode(
  deps: App,
  account: Account,
  { code, entryPoint, from }: { code: string; entryPoint: EntryPoint; from: Origin },
): Promise<void> {
  const find = () => Promise.resolve(account);
  const attempt = await recordThrottled(deps, { entryPoint, from, find }, async () => {
    await countAttempt(deps, 'siteCodeAddress', from.address);
    return countCode(deps, 'siteCode', account, from);
  });
  const factor = await deps.customerFactors.find(account.id);
  if (factor && (await useCode(deps, { account, factor, from }, code))) {
    await deps.attempts.clear(inARow(account));
    await forgetAttempts(deps, attempt);
    return;
  }
  await recordFailure(deps, { entryPoint, outcome: 'code', account, from });
  await warnOfWrongCodes(deps, account);
  throw new Refusal('factor_code_wrong');
}

async function useCode(
  deps: App,
  { account, factor, from }: { account: Account; factor: CustomerFactor; from: Origin },
  typed: string,
): Promise<boolean> {
  const { customerFactors } = deps;
  const sealed = { ...factor, purpose: customerFactorPurpose } as const;
  if (await takeFactorCode({ ...deps, ...customerFactors }, sealed, typed)) return true;
  const hash = hashRecoveryCode(account.id, typed);
  const codesLeft = hash === null ? null : await customerFactors.useRecoveryCode(account.id, hash);
  if (codesLeft === null) return false;
  const values = { ...actionOrigin(deps, from), left: codesLeft };
  await deps.sendMail({ to: account.email, kind: 'recoveryUsed', values });
  return true;
}

const inARow = ({ id }: Pick<Account, 'id'>) => `siteCodesInARow:${id}`;
/** The owner is mailed at each multiple of this number of consecutive wrong codes. */
const codesPerAlert = 10;
/** How long wrong codes count, in ms: 30 days. */
const wrongCodesMs = 30 * dayMs;

/** Wrong codes follow the right password, so many of them mean that someone else knows it. */
async function warnOfWrongCodes(deps: App, account: Account): Promise<void> {
  const { count } = await deps.attempts.count(inARow(account), wrongCodesMs);
  if (count % codesPerAlert !== 0) return;
  await deps.sendMail({ to: account.email, kind: 'wrongCodes', values: { count } });
}

/** When and from where an action came, for an email. */
export const actionOrigin = (
  { clock }: Pick<App, 'clock'>,
  { address }: Pick<Origin, 'address'>,
) => ({
  at: clock.now(),
  address,
});
