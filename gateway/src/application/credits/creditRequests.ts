import type { Account, CreditRequest } from '../../domain/accounts/account.ts';
import {
  answerCreditRequest,
  openCreditRequest,
  requestCredits,
} from '../../domain/accounts/creditRequest.ts';
import { changeAccountById } from '../accounts/changeAccount.ts';
import type { App } from '../app.ts';

/**
 * Records that an account asks for credits, for staff. It changes nothing while the account may not ask, or where the
 * operator has a page that sells credits.
 * @returns The account afterwards.
 */
export async function askForCredits(
  { database, clock, outsideLinks }: Pick<App, 'database' | 'clock' | 'outsideLinks'>,
  account: Account,
  request: Pick<CreditRequest, 'by' | 'missing' | 'message'>,
): Promise<Account> {
  if (outsideLinks.credits !== null) return account;
  const { after } = await changeAccountById(database, account.id, (current) => ({
    after: requestCredits(current, request, clock.now()),
  }));
  return after;
}

/** Closes the open request of an account without credits. @returns False if there is none. */
export async function declineCredits(
  { database }: Pick<App, 'database'>,
  accountId: string,
): Promise<boolean> {
  let isOpen = false;
  await changeAccountById(database, accountId, (account) => {
    isOpen = openCreditRequest(account) !== null;
    return { after: answerCreditRequest(account, 'declined') };
  });
  return isOpen;
}
