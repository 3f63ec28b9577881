import type { Account } from '../../domain/accounts/account.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { App } from '../app.ts';
import type { CustomerFactor } from '../ports/site.ts';
import { countAttempt, type Origin, recordFailure } from './attempts.ts';
import { requireCurrentPassword } from './changePassword.ts';
import { askByMail, checkMailedCode } from './mailedCodes.ts';
import { requireCode } from './secondFactor.ts';

/*
 * Whatever gives new access (a key, an identity, a team membership, another address) outlives its session. So it
 * requires its person each time, however young the session is.
 */

/** The fields that a person must enter for new access. */
export interface RequiredProof {
  /** The password; a person without one enters a mailed code instead. */
  by: 'password' | 'mailed code';
  /** Whether a code of the second factor is also required. */
  needsFactor: boolean;
}

/** The typed fields. */
export interface ProofTyped {
  password: string;
  mailedCode: string;
  /** A code of the app, or a recovery code. */
  code: string;
  /** The code that was mailed for this session, by the id of its confirmation; null if none was. */
  confirmationId: string | null;
  /** Keeps the id of a confirmation that was mailed. */
  keepConfirmation: (id: string | null) => void;
  /** The form was sent before and gives nothing new, so that codes, which work once, are not asked for again. */
  isSentAgain?: boolean;
  from: Origin;
}

/** Finds the fields that a person must enter for new access. */
export async function findRequiredProof(
  { customerFactors }: Pick<App, 'customerFactors'>,
  account: Pick<Account, 'id' | 'passwordHash'>,
): Promise<RequiredProof> {
  return proofWith(account, await customerFactors.find(account.id));
}

/** Like `findRequiredProof`, with a second factor that is already known; null for none. */
export const proofWith = (
  { passwordHash }: Pick<Account, 'passwordHash'>,
  factor: CustomerFactor | null,
): RequiredProof => ({
  by: passwordHash === null ? 'mailed code' : 'password',
  needsFactor: factor !== null,
});

/**
 * Requires the signed-in person, whatever the age of the session: the password, or a code mailed to a person without
 * one, and the second factor where there is one. An empty mailed code sends another.
 * @throws Refusal for the field `current` or `code`.
 */
export async function requireProof(deps: App, account: Account, typed: ProofTyped): Promise<void> {
  const required = await findRequiredProof(deps, account);
  if (required.by === 'password') {
    await requireCurrentPassword(deps, account, typed.password, typed.from);
  } else if (typed.isSentAgain !== true) {
    await requireMailedCode(deps, account, typed);
  }
  if (typed.isSentAgain === true) return;
  if (required.needsFactor) {
    const { code, from } = typed;
    await requireCode(deps, account, { code, entryPoint: 'settings', from });
  }
  // A mailed code proves once; wrong codes of the app leave it usable.
  if (required.by === 'mailed code' && typed.confirmationId !== null) {
    await deps.confirmations.markUsed(typed.confirmationId);
    typed.keepConfirmation(null);
  }
}

async function requireMailedCode(
  deps: App,
  account: Account,
  { mailedCode, confirmationId, keepConfirmation, from }: ProofTyped,
): Promise<void> {
  const { id: accountId, email } = account;
  if (mailedCode.trim() === '' || confirmationId === null) {
    keepConfirmation(await askByMail(deps, { purpose: 'prove', accountId, email, from }));
    throw new Refusal('proof_emailed', { values: { email } });
  }
  await countAttempt(deps, 'codeAddress', from.address);
  const required = { id: confirmationId, purpose: 'prove', accountId, email } as const;
  const attemptsLeft = await checkMailedCode(deps, required, mailedCode);
  if (attemptsLeft === null) return;
  await recordFailure(deps, { entryPoint: 'settings', outcome: 'code', account, from });
  throw attemptsLeft > 0
    ? new Refusal('code_wrong', { values: { left: attemptsLeft }, param: 'current' })
    : new Refusal('proof_code_expired');
}
