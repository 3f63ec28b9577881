import { dayMs, hourMs, minuteMs } from '@framegate/contract';
import type { Account } from '../../domain/accounts/account.ts';
import { Refusal } from '../../domain/refusal.ts';
import { normaliseEmail } from '../../domain/signIn/email.ts';
import { newToken, tokenHash } from '../../domain/signIn/token.ts';
import type { StaffRole } from '../../domain/staff/staffRights.ts';
import type { App } from '../app.ts';
import type { StaffSession } from '../ports/staff.ts';
import {
  countCode,
  forgetAttempts,
  type Origin,
  recordFailure,
  recordThrottled,
  TooManyAttemptsRefusal,
} from '../signIn/attempts.ts';
import { staffFactorPurpose, takeFactorCode } from '../signIn/factorCode.ts';
import { findByPassword, type SignInForm } from '../signIn/signIn.ts';
import { type PasskeyResponse, usePasskey } from './passkeys.ts';

/** A session ends after this idle time, in ms: half an hour. */
export const staffIdleMs = 30 * minuteMs;
/** Maximum length of a session, in ms: a working day. */
export const staffSessionMs = 8 * hourMs;

/** The account of a staff member. */
export type StaffAccount = Account & { staffRole: StaffRole };

/**
 * Signs in a staff member by password and second factor; each code and each response of a passkey works once.
 * Others, and staff who have not enrolled, get the same response as for a wrong password.
 * @throws Refusal
 */
export async function signInStaff(deps: App, form: SignInForm & FactorForm): Promise<StaffAccount> {
  requireGiven(deps, form);
  const email = normaliseEmail(form.email);
  // Before the password: a refused passkey must not reveal whether the password is right.
  if (form.passkey !== '') await usePasskey(deps, form, (owner) => owner.email === email);
  const account = await withPassword(deps, form);
  if (form.passkey === '') await requireStaffCode(deps, account, form, 'console_sign_in_wrong');
  if (!isStaff(account)) throw new Refusal('console_sign_in_wrong');
  deps.recordSignIn('console', 'done');
  return account;
}

/** A proof of a staff member in addition to the password: a code of the app, or a response of a passkey. */
export interface FactorForm extends PasskeyResponse {
  code: string;
}

/**
 * Requires a factor of the console from an identified staff member.
 * @throws Refusal
 */
export async function requireStaffFactor(
  deps: App,
  account: Account,
  form: FactorForm,
): Promise<void> {
  requireGiven(deps, form);
  if (form.passkey === '') await requireStaffCode(deps, account, form, 'factor_code_wrong');
  else await usePasskey(deps, form, (owner) => owner.id === account.id && isStaff(owner));
}

function requireGiven({ staffFactor }: App, { code, passkey }: FactorForm): void {
  const isGiven = passkey !== '' || (staffFactor === 'any' && code.trim() !== '');
  if (!isGiven) throw new Refusal(staffFactor === 'any' ? 'proof_missing' : 'passkey_missing');
}

/**
 * Requires a code of the app from an identified staff member.
 * @throws Refusal `code`, the same for anyone else.
 */
async function requireStaffCode(
  deps: App,
  account: Account,
  form: { code: string; from: Origin },
  code: 'console_sign_in_wrong' | 'factor_code_wrong',
): Promise<void> {
  const { from } = form;
  const find = () => Promise.resolve(account);
  const attempt = await recordThrottled(deps, { entryPoint: 'console', from, find }, () =>
    countCode(deps, 'staffCode', account, from),
  );
  const wasUsed = await useCode(deps, account.id, form.code);
  if (!isStaff(account) || !wasUsed) {
    await recordFailure(deps, { entryPoint: 'console', outcome: 'code', account, from });
    if (isStaff(account)) await recordWrongCode(deps, account);
    throw new Refusal(code);
  }
  await deps.attempts.clear(wrongCodesCounter(account));
  await forgetAttempts(deps, attempt);
}

async function useCode(deps: App, accountId: string, code: string): Promise<boolean> {
  const factor = await deps.staffFactors.find(accountId);
  if (!factor || factor.secret === null) return false;
  const { id, secret, lastStep } = factor;
  const sealed = { id, secret, lastStep, purpose: staffFactorPurpose } as const;
  return takeFactorCode({ ...deps, ...deps.staffFactors }, sealed, code);
}

async function withPassword(deps: App, form: SignInForm): Promise<Account> {
  try {
    return await findByPassword(deps, form, 'console');
  } catch (error) {
    if (!(error instanceof Refusal) || error instanceof TooManyAttemptsRefusal) throw error;
    throw new Refusal('console_sign_in_wrong');
  }
}

/** Whether this account may currently use the console. */
export function isStaff(account: Account): account is StaffAccount {
  return account.staffRole !== null && account.status === 'active';
}

/** Starts a session. @returns The value of its cookie, which is stored nowhere. */
export async function startStaffSession(
  { staffSessions, clock, random }: Pick<App, 'staffSessions' | 'clock' | 'random'>,
  accountId: string,
): Promise<string> {
  const cookie = newToken(random);
  const nowMs = clock.now();
  const expiresAt = nowMs + staffSessionMs;
  await staffSessions.insert({
    id: tokenHash(cookie),
    accountId,
    createdAt: nowMs,
    seenAt: nowMs,
    expiresAt,
  });
  return cookie;
}

/** The session of a cookie with its account; null if it has ended or the account no longer belongs to staff. */
export async function findStaff(
  { staffSessions }: Pick<App, 'staffSessions'>,
  cookie: string,
  isUse: boolean,
): Promise<{ session: StaffSession; account: StaffAccount } | null> {
  const visit = await staffSessions.visit(tokenHash(cookie), staffIdleMs, isUse);
  if (!visit) return null;
  const { session, account } = visit;
  return account && isStaff(account) ? { session, account } : null;
}

/** Ends the session of a cookie. */
export async function endStaffSession(
  { staffSessions }: Pick<App, 'staffSessions'>,
  cookie: string,
): Promise<void> {
  await staffSessions.remove(tokenHash(cookie));
}

/** Admins are mailed at each multiple of this number of consecutive wrong codes. */
const codesPerAlert = 30;
/** How long wrong codes count, in ms: 30 days. */
const wrongCodesMs = 30 * dayMs;
const maxAdmins = 20;

/** The counter's name for an account's consecutive wrong codes. */
export const wrongCodesCounter = ({ id }: Pick<Account, 'id'>) => `staffCodesInARow:${id}`;

/** Counts a wrong code that followed the right password, and emails admins after many in a row. */
export async function recordWrongCode(
  deps: Pick<App, 'attempts' | 'log' | 'staffQueries' | 'sendMail'>,
  account: Pick<Account, 'id' | 'email'>,
): Promise<void> {
  const { count } = await deps.attempts.count(wrongCodesCounter(account), wrongCodesMs);
  if (count % codesPerAlert !== 0) return;
  deps.log.warn({ accountId: account.id, count }, 'many consecutive wrong codes at the console');
  for (const to of await deps.staffQueries.listAdmins(maxAdmins)) {
    await deps.sendMail({ to, kind: 'consoleCodes', values: { email: account.email, count } });
  }
}
