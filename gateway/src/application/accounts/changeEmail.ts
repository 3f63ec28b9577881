import type { Account } from '../../domain/accounts/account.ts';
import { Refusal, refuseFields } from '../../domain/refusal.ts';
import { normaliseEmail } from '../../domain/signIn/email.ts';
import type { Language } from '../../domain/text/language.ts';
import type { App } from '../app.ts';
import { DuplicateValueError } from '../ports/database.ts';
import type { Mail } from '../ports/mails.ts';
import { countAttempt, type Origin, recordFailure } from '../signIn/attempts.ts';
import { askByMail, checkMailedCode } from '../signIn/mailedCodes.ts';
import { changeAccountById, changeWithMail } from './changeAccount.ts';

/** A change of an account's address that waits for the codes from both mailboxes. */
export interface EmailChange {
  email: string;
  /** Ids of the confirmations that were mailed. */
  newConfirmationId: string;
  oldConfirmationId: string;
}

/** Refuses addresses that others manage: those of staff, and of customers whose address the operator's product sets. */
function requireOwnEmail({ staffRole, externalId }: Account): void {
  if (staffRole !== null || externalId !== null) throw new Refusal('email_protected');
}

/**
 * Emails one code to the new address and one to the current; nothing changes yet. Call only after `requireProof`. An
 * address that has an account gets an email without a code, so that the page does not reveal the account.
 * @throws Refusal for the field `email`.
 */
export async function askForEmailChange(
  deps: App,
  account: Account,
  { typed, from }: { typed: string; from: Origin },
): Promise<EmailChange> {
  requireOwnEmail(account);
  const email = normaliseEmail(typed);
  if (email === null) throw new Refusal('email_invalid');
  if (email === account.email) throw new Refusal('email_same');
  const isTaken = (await deps.database.accounts.findIdByEmail(email)) !== null;
  const newConfirmationId = await askByMail(deps, {
    purpose: 'new email',
    accountId: isTaken ? null : account.id,
    email,
    instead: { kind: 'emailTaken', values: {} },
    from,
  });
  const old = { purpose: 'old email', accountId: account.id, email: account.email } as const;
  return { email, newConfirmationId, oldConfirmationId: await askByMail(deps, { ...old, from }) };
}

/**
 * Changes the address, given the codes from both mailboxes. Ends links and codes mailed to the former address, and all
 * other sessions; the former address gets a notice.
 * @throws Refusal for the fields `newCode` and `oldCode`.
 */
export async function confirmEmailChange(
  deps: App,
  account: Account,
  form: {
    change: EmailChange;
    newCode: string;
    oldCode: string;
    keptSessionId: string | undefined;
    from: Origin;
  },
): Promise<void> {
  requireOwnEmail(account);
  const { change, from } = form;
  const { id: accountId } = account;
  refuseFields(missingCodeProblem('newCode', form), missingCodeProblem('oldCode', form));
  await countAttempt(deps, 'codeAddress', from.address);
  const newResponse = { id: change.newConfirmationId, purpose: 'new email', accountId } as const;
  const oldResponse = { id: change.oldConfirmationId, purpose: 'old email', accountId } as const;
  const attemptsLeft = {
    newCode: await checkMailedCode(deps, { ...newResponse, email: change.email }, form.newCode),
    oldCode: await checkMailedCode(deps, { ...oldResponse, email: account.email }, form.oldCode),
  };
  if (attemptsLeft.newCode !== null || attemptsLeft.oldCode !== null) {
    await recordFailure(deps, { entryPoint: 'settings', outcome: 'code', account, from });
  }
  refuseFields(
    wrongCodeProblem('newCode', attemptsLeft),
    wrongCodeProblem('oldCode', attemptsLeft),
  );
  const notice = emailNotice(deps, account.email);
  try {
    // The confirmations are removed with it, so each pair of codes works once.
    await changeWithMail(deps, (mailed) =>
      changeAccountById(deps.database, accountId, (before) => {
        if (before.email !== account.email) throw new Refusal('email_code_expired');
        return {
          after: { ...before, email: change.email },
          ends: { by: 'change the email', keptSessionId: form.keptSessionId },
          mails: mailed(notice),
        };
      }),
    );
  } catch (error) {
    if (!(error instanceof DuplicateValueError)) throw error;
    throw new Refusal('email_code_expired');
  }
}

type CodeField = 'newCode' | 'oldCode';

const missingCodeProblem = (param: CodeField, form: Record<CodeField, string>) =>
  form[param].trim() === '' ? new Refusal('code_missing', { param }) : null;

function wrongCodeProblem(
  param: CodeField,
  { [param]: left }: Record<CodeField, number | null>,
): Refusal | null {
  if (left === null) return null;
  return left > 0
    ? new Refusal('code_wrong', { values: { left }, param })
    : new Refusal('email_code_expired', { param });
}

/** Tells a former address, by default in the language of the page, that the account has another one. */
export const emailNotice = (
  { clock }: Pick<App, 'clock'>,
  to: string,
  language?: Language,
): Mail => ({ to, language, kind: 'emailChanged', values: { at: clock.now() } });
