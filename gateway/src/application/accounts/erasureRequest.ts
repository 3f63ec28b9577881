import type { Account, ErasureRequest } from '../../domain/accounts/account.ts';
import {
  erasureDueAt,
  recordErasureRequest,
  withdrawRequest,
} from '../../domain/accounts/erasureRequest.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Language } from '../../domain/text/language.ts';
import type { App } from '../app.ts';
import type { Mail } from '../ports/mails.ts';
import { changeAccountById, changeWithMail } from './changeAccount.ts';

/**
 * Records that a person or an operator key requests the erasure of an account, and immediately emails its person how to
 * withdraw it. Call only after proof of the requester. A repeated request changes nothing.
 * @param asked.by The operator key; absent for the account's own person.
 * @param asked.language That of the email, unless the account's own person asks.
 * @throws Refusal for a staff member.
 */
export async function requestErasure(
  deps: Pick<App, 'database' | 'clock' | 'sendMail' | 'prepareMail'>,
  accountId: string,
  { by, language }: { by?: NonNullable<ErasureRequest['by']>; language?: Language } = {},
): Promise<void> {
  await changeWithMail(deps, (mailed) =>
    changeAccountById(deps.database, accountId, (account) => {
      if (account.staffRole !== null) throw new Refusal('erasure_of_staff');
      const after = recordErasureRequest(account, deps.clock.now(), by);
      return { after, mails: mailed(after === account ? null : requestMail(after, language)) };
    }),
  );
}

/** Withdraws the request to erase an account, whoever made it. Safe to repeat. @throws Refusal if it is too late. */
export async function keepAccount(
  { database, clock }: Pick<App, 'database' | 'clock'>,
  accountId: string,
): Promise<void> {
  await changeAccountById(database, accountId, (account) => {
    const after = withdrawRequest(account, clock.now());
    if (after === null) throw new Refusal('erasure_too_late');
    return { after };
  });
}

/** Withdraws a scheduled erasure for the operator. @returns False if there is none, or it is too late. */
export async function withdrawErasureRequest(
  { database, clock }: Pick<App, 'database' | 'clock'>,
  accountId: string,
): Promise<boolean> {
  const account = await database.accounts.find(accountId);
  if (account === null || erasureDueAt(account) === null) return false;
  try {
    await keepAccount({ database, clock }, accountId);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

function requestMail(account: Account, language: Language | undefined): Mail {
  return {
    to: account.email,
    language,
    kind: account.erasureRequest?.by ? 'erasureRequestedByUs' : 'erasureRequest',
    values: { at: erasureDueAt(account) ?? 0 },
  };
}
