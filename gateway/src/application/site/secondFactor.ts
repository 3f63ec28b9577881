import type { Account } from '../../domain/accounts/account.ts';
import { firstSecret } from '../../domain/accounts/apiKey.ts';
import {
  accountIdOf,
  hashRecoveryCode,
  isProof,
  makeProof,
  proofMs,
} from '../../domain/signIn/secondFactor.ts';
import { nameOnBrowser } from '../../domain/signIn/signIn.ts';
import { takeFactorCode } from '../factorCode.ts';
import {
  countAttempt,
  forgetAttempts,
  noteFailure,
  noteThrottled,
  type CountedAttempt,
  type Origin,
} from './attempts.ts';
import type { CustomerFactor, EntryPoint } from '../ports/site.ts';
import { ifNotYou, timeInWords } from './writeMail.ts';
import { text } from '../../texts/text.ts';
import type { App } from '../app.ts';
import { fieldRefused, Refusal } from '../../domain/refusal.ts';

export const factorPurpose = 'customer second factor';

/** The result of a correct password or a link: a signed-in account, or a proof for entering its code. */
export type PasswordTyped = { account: Account } | { proof: string };

/** The next step after an account's password was entered, or set by a mailed code. */
export async function afterPassword(
  { customerFactors, clock, secrets }: Pick<App, 'customerFactors' | 'clock' | 'secrets'>,
  account: Account,
): Promise<PasswordTyped> {
  if ((await customerFactors.find(account.id)) === null) return { account };
  return { proof: makeProof(account, 'site', clock.now() + proofMs, firstSecret(secrets)) };
}

/**
 * Signs in with the code requested after the password.
 * @param form.proof From `afterPassword`.
 * @returns Null if the proof has expired: the password must be entered again.
 * @throws Refusal for the field `code`, or after too many codes.
 */
export async function signInWithCode(
  deps: App,
  form: { proof: string; code: string; from: Origin },
): Promise<Account | null> {
  const accountId = accountIdOf(form.proof);
  const account = accountId === null ? null : await deps.database.accounts.find(accountId);
  if (!account?.verified || !isProof(form.proof, account, 'site', deps.clock.now(), deps.secrets)) {
    return null;
  }
  // It may have been turned off meanwhile.
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
  const counted = await noteThrottled(deps, { entryPoint, from, find }, () =>
    countCode(deps, account, from),
  );
  const factor = await deps.customerFactors.find(account.id);
  if (factor && (await useCode(deps, { account, factor, from }, code))) {
    await deps.attempts.clear(inARow(account));
    await forgetAttempts(deps, counted);
    return;
  }
  await noteFailure(deps, { entryPoint, outcome: 'code', account, from });
  await warnOfWrongCodes(deps, account);
  throw fieldRefused('code', new Refusal('factor_code_wrong'));
}

/**
 * Counts a code. Browsers that the account has never seen share one count, whatever their address: otherwise six digits
 * could be guessed from many addresses.
 */
async function countCode(
  deps: App,
  { id, email }: Account,
  { marks, address }: Origin,
): Promise<CountedAttempt> {
  await countAttempt(deps, 'siteCodeAddress', address);
  const browser = nameOnBrowser(marks, email, deps.secrets);
  const counted: CountedAttempt[number] =
    browser === null ? ['siteCode', id] : ['siteCodeBrowser', browser];
  await countAttempt(deps, ...counted);
  return [counted];
}

async function useCode(
  deps: App,
  { account, factor, from }: { account: Account; factor: CustomerFactor; from: Origin },
  typed: string,
): Promise<boolean> {
  const { customerFactors } = deps;
  const sealed = { ...factor, purpose: factorPurpose } as const;
  if (await takeFactorCode({ ...deps, ...customerFactors }, sealed, typed)) return true;
  const hash = hashRecoveryCode(account.id, typed);
  const left = hash === null ? null : await customerFactors.useRecoveryCode(account.id, hash);
  if (left === null) return false;
  await sendFactorNotice(deps, account, {
    subject: text('mails.recoveryUsedSubject'),
    what: text('mails.recoveryUsed', { ...actionOrigin(deps, from), left }),
  });
  return true;
}

const inARow = ({ id }: Pick<Account, 'id'>) => `siteCodesInARow:${id}`;
/** The owner is mailed at each multiple of this number of consecutive wrong codes. */
const alertAfter = 10;
/** How long wrong codes count, in ms: 30 days. */
const rowMs = 30 * 24 * 3600 * 1000;

/** Wrong codes follow the right password, so many of them mean that someone else knows it. */
async function warnOfWrongCodes(deps: App, account: Account): Promise<void> {
  const { count } = await deps.attempts.count(inARow(account), rowMs);
  if (count % alertAfter !== 0) return;
  await sendFactorNotice(deps, account, {
    subject: text('mails.wrongCodesSubject'),
    what: text('mails.wrongCodes', { brand: deps.brand.name, count }),
  });
}

/** Time and origin of an action, and this site's name, for a mail. */
export function actionOrigin(
  { brand, clock }: Pick<App, 'brand' | 'clock'>,
  { address }: Pick<Origin, 'address'>,
) {
  return { brand: brand.name, at: timeInWords(clock.now()), address };
}

/** Notifies the owner by mail of a change of the second factor, with advice in case a stranger made it. */
export async function sendFactorNotice(
  { sendMail, accountUrl }: Pick<App, 'sendMail' | 'accountUrl'>,
  { email }: Pick<Account, 'email'>,
  { subject, what }: { subject: string; what: string },
): Promise<void> {
  const link = `${accountUrl}/forgotten-password`;
  await sendMail({
    to: email,
    link,
    subject,
    parts: [what, ...ifNotYou(accountUrl)],
  });
}
