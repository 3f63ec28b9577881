import { minuteMs } from '@framegate/contract';
import type { Account } from '../../domain/accounts/account.ts';
import { endKey, firstSecret } from '../../domain/accounts/apiKey.ts';
import { Refusal, refuseFields } from '../../domain/refusal.ts';
import { formatCode, hashCode, isCode, spaceCode } from '../../domain/signIn/mailedCode.ts';
import { recover } from '../../domain/signIn/recovery.ts';
import { targetById } from '../accounts/changeAccount.ts';
import { createAccount } from '../accounts/createAccount.ts';
import type { App } from '../app.ts';
import { changeVerified } from '../credits/welcomeCredits.ts';
import type { MailContent } from '../ports/mails.ts';
import type { Confirmation } from '../ports/site.ts';
import { hasExternalAccess } from './access.ts';
import { countAttempt, countForAccount, type Origin, recordFailure } from './attempts.ts';
import { sendPasswordNotice } from './changePassword.ts';
import { findNewPasswordProblem } from './newPassword.ts';

/** Validity of a mailed code, in ms: ten minutes (ASVS 5.0, 6.5.5). */
export const mailedCodeMs = 10 * minuteMs;
/** Number of wrong codes that ends a confirmation. */
const maxAttempts = 5;

/**
 * Sends an email whose code proves access to the mailbox. Its link only names the confirmation: the secret is the code,
 * which is typed, so no URL kept by a browser or log contains it.
 * @param confirmation.accountId Null if the account does not exist; then `instead` is mailed, or nothing. The writes
 * are the same in every case, so timing does not reveal which it was.
 * @returns The confirmation's id, in every case.
 */
export async function askByMail(
  deps: App,
  confirmation: Pick<Confirmation, 'purpose' | 'accountId' | 'email'> & {
    instead?: MailContent;
    from: Origin;
  },
): Promise<string> {
  const { purpose, accountId, email } = confirmation;
  if (purpose === 'prove') await countAttempt(deps, 'proofMail', email);
  else await countForAccount(deps, 'mail', email, confirmation.from);
  const values = await openConfirmation(deps, { purpose, accountId, email }, mailedCodeMs);
  const mail = { to: email, kind: purpose, values, validMs: mailedCodeMs };
  if (accountId !== null) await deps.sendMail(mail);
  else if (!confirmation.instead) await deps.sendMail({ ...mail, isDecoy: true });
  else await deps.sendMail({ to: email, ...confirmation.instead });
  return values.confirmationId;
}

/**
 * Stores a confirmation answered by a code that only an email contains.
 * @param confirmation.accountId Null for an address without an account: the right code creates one.
 * @returns The id of the confirmation, and the code in readable form.
 */
export async function openConfirmation(
  deps: Pick<App, 'random' | 'confirmations' | 'sessionKeys' | 'clock'>,
  confirmation: Pick<Confirmation, 'purpose' | 'accountId' | 'email'>,
  validMs: number,
): Promise<{ confirmationId: string; code: string }> {
  const id = deps.random.newId('cfm');
  const code = formatCode(deps.random.bytes(8));
  await deps.confirmations.insert({
    ...confirmation,
    id,
    codeHash: hashCode(id, code, firstSecret(deps.sessionKeys).secret),
    attemptsLeft: maxAttempts,
    expiresAt: deps.clock.now() + validMs,
    usedAt: null,
  });
  return { confirmationId: id, code: spaceCode(code) };
}

/** Purposes whose codes are typed on the page that asked for them. */
const inlinePurposes = ['prove', 'new email', 'old email'] as const;
type InlinePurpose = (typeof inlinePurposes)[number];
const isInlinePurpose = (purpose: Confirmation['purpose']): purpose is InlinePurpose =>
  (inlinePurposes as readonly string[]).includes(purpose);

/** A confirmation that is answered on a page of its own. */
type PageConfirmation = Confirmation & { purpose: Exclude<Confirmation['purpose'], InlinePurpose> };

/** Finds a confirmation that can still be answered on its page; null for any other id. */
export async function findConfirmation(deps: App, id: string): Promise<PageConfirmation | null> {
  const confirmation = await deps.confirmations.find(id);
  if (!confirmation || confirmation.usedAt !== null || confirmation.attemptsLeft === 0) return null;
  const { purpose } = confirmation;
  if (isInlinePurpose(purpose)) return null;
  if (confirmation.expiresAt <= deps.clock.now()) return null;
  return (await isRevoked(deps, confirmation)) ? null : { ...confirmation, purpose };
}

/** Whether an invitation's code is no longer accepted, because it was revoked or sign-up has closed. */
async function isRevoked(
  { signUp, invitations }: App,
  { purpose, accountId, email, expiresAt }: Confirmation,
): Promise<boolean> {
  if (purpose !== 'verify' || signUp === 'open') return false;
  const { revokedUntil = null } = (await invitations.find(email)) ?? {};
  if (accountId !== null) return false;
  return signUp === 'closed' || (revokedUntil !== null && expiresAt <= revokedUntil);
}

/** The form that a mailed code is entered in. */
export interface MailboxForm {
  confirmationId: string;
  code: string;
  /** The new password. */
  password: string;
  /** Whether all API keys are revoked. */
  revokesKeys: boolean;
  from: Origin;
}

/**
 * Checks a code that a signed-in person typed on the page that asked for it, and uses one attempt.
 * @param question The purpose of the code; a code mailed for another purpose is wrong.
 * @returns Null for the right code, else how often it can be tried again. The caller marks it as used.
 */
export async function checkMailedCode(
  deps: Pick<App, 'confirmations' | 'sessionKeys'>,
  question: Pick<Confirmation, 'id' | 'purpose' | 'accountId' | 'email'>,
  code: string,
): Promise<number | null> {
  const { id, purpose, accountId, email } = question;
  const confirmation = await deps.confirmations.takeTry(id);
  const isSame =
    confirmation?.purpose === purpose &&
    confirmation.accountId === accountId &&
    confirmation.email === email;
  if (isSame && isCode(code, id, confirmation.codeHash, deps.sessionKeys)) return null;
  return confirmation?.attemptsLeft ?? 0;
}

const codeExpiredRefusal = () => new Refusal('code_expired');

/**
 * Accepts the code from an email: verifies the address, sets the password and ends all sessions, including those
 * started by another person. The access of others is held until the account's person has chosen (`recover`). The first
 * verification also revokes every earlier API key and grants the operator's sign-up credits, once.
 * @throws Refusal
 */
export async function confirmMailbox(
  deps: App,
  response: MailboxForm,
): Promise<{ account: Account; purpose: PageConfirmation['purpose'] }> {
  const confirmation = await findConfirmation(deps, response.confirmationId);
  if (!confirmation) throw codeExpiredRefusal();
  refuseFields(
    response.code.trim() === '' ? new Refusal('code_missing', { param: 'code' }) : null,
    await findNewPasswordProblem(deps, response.password, {
      email: confirmation.email,
      isStaff: false,
    }),
  );
  await countAttempt(deps, 'codeAddress', response.from.address);
  const { accountId } = await takeMailedCode(deps, response);
  // Only for holders of the code: strangers must not learn that an account belongs to staff.
  const isStaff = (await deps.database.accounts.find(accountId))?.staffRole !== null;
  const owner = { email: confirmation.email, isStaff };
  refuseFields(await findNewPasswordProblem(deps, response.password, owner));
  const passwordHash = await deps.passwords.hash(response.password);
  const nowMs = deps.clock.now();
  const isReset = confirmation.purpose === 'reset';
  const hasMore = isReset && (await hasExternalAccess(deps, accountId));
  const { after } = await changeVerified(
    deps,
    { ...targetById(deps.database, accountId), email: confirmation.email },
    (account) => {
      // A code from last week's email must not reset the password.
      if (confirmation.purpose === 'verify' && account.isVerified) throw codeExpiredRefusal();
      // Nor a code that was mailed before the account got another address.
      if (account.email !== confirmation.email) throw codeExpiredRefusal();
      const revokes = response.revokesKeys || !account.isVerified;
      const keys = revokes ? account.keys.map((key) => endKey(key, nowMs)) : account.keys;
      const openedAccount = { ...account, passwordHash, keys };
      const recovered = isReset ? recover(openedAccount, nowMs, hasMore) : openedAccount;
      return { after: recovered, ends: { by: 'reset the password' } };
    },
  );
  if (confirmation.purpose === 'verify') await recordLanguage(deps, accountId);
  if (isReset) await sendPasswordNotice(deps, after, response.from.address);
  await deps.confirmations.markUsed(confirmation.id);
  return { account: after, purpose: confirmation.purpose };
}

async function takeMailedCode(
  deps: App,
  { confirmationId, code, from }: MailboxForm,
): Promise<Confirmation & { accountId: string }> {
  const confirmation = await deps.confirmations.takeTry(confirmationId);
  if (!confirmation) throw codeExpiredRefusal();
  const { purpose, accountId, codeHash, attemptsLeft } = confirmation;
  const mayOpen = accountId !== null || purpose === 'verify';
  if (mayOpen && isCode(code, confirmationId, codeHash, deps.sessionKeys)) {
    return {
      ...confirmation,
      accountId: accountId ?? (await openAccount(deps, confirmation.email)).id,
    };
  }
  // The same read without an account, so that timing does not reveal whether there is one.
  const account = await deps.database.accounts.find(accountId ?? 'acct_none');
  await recordFailure(deps, { entryPoint: 'mail', outcome: 'code', account, from });
  if (attemptsLeft === 0) throw codeExpiredRefusal();
  throw new Refusal('code_wrong', { values: { left: attemptsLeft }, param: 'code' });
}

/**
 * The account of an address, new or existing, with the same work in both cases, so that timing does not reveal which.
 */
export async function openAccount(deps: App, email: string): Promise<Account> {
  try {
    await createAccount(deps, { email, password: null, isVerified: false, staffRole: null });
  } catch (error) {
    // The address already has an account.
    if (!(error instanceof Refusal)) throw error;
  }
  const account = await deps.database.accounts.findByEmail(email);
  if (!account) throw new Error('the account of a sign-up has gone');
  return account;
}

/** Records the language that the owner of a new account is using; accounts without a language get English. */
export async function recordLanguage(
  { notices, currentLanguage }: Pick<App, 'notices' | 'currentLanguage'>,
  accountId: string,
): Promise<void> {
  const spoken = currentLanguage();
  if (spoken !== 'en') await notices.setLanguage(accountId, spoken);
}
