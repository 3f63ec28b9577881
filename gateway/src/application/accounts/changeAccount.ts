import type { Account } from '../../domain/accounts/account.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { App } from '../app.ts';
import type { AccountDecision, Database } from '../ports/database.ts';
import type { Mail, QueuedMail } from '../ports/mails.ts';

/** The changed account, its ledger entry, and other writes of the same transaction. */
export type AccountChange = Pick<
  AccountDecision<unknown>,
  'after' | 'entry' | 'ends' | 'erases' | 'mails'
>;

/** How a change finds its account, and the code of the refusal if there is none. */
export interface AccountTarget {
  find: () => Promise<Account | null>;
  missing: 'account_not_found' | 'key_not_found';
}

/** How long a change is retried while other processes change the same account, in ms. */
const changeWithinMs = 10_000;

/**
 * Changes an account and appends the ledger entry in one transaction. `change` is called again with fresh data if
 * another process changed the account meanwhile. A change without a ledger entry may run on an account that already has
 * it, and must then give the same result.
 * @returns The written change.
 * @throws DatabaseUnavailableError if it is unknown whether the change was written.
 */
export async function changeAccount(
  database: Pick<Database, 'changeAccount'>,
  { find, missing }: AccountTarget,
  change: (account: Account) => AccountChange,
): Promise<AccountChange> {
  const current = await find();
  if (current === null) throw new Refusal(missing);
  const decide = (account: Account) => {
    const decision = change(account);
    return { ...decision, result: decision };
  };
  return database.changeAccount(current.id, decide, changeWithinMs);
}

/** Changes the account with this id as `changeAccount` does. @throws Refusal `account_not_found`. */
export const changeAccountById = (
  database: Pick<Database, 'changeAccount' | 'accounts'>,
  accountId: string,
  change: (account: Account) => AccountChange,
): Promise<AccountChange> => changeAccount(database, targetById(database, accountId), change);

/**
 * Makes a change of an account together with an email: queued in the change's transaction, or sent after it if there is
 * no queue. Each decision of the change calls `mailed`, with null for no email.
 */
export async function changeWithMail(
  { prepareMail, sendMail }: Pick<App, 'prepareMail' | 'sendMail'>,
  change: (queueMail: (mail: Mail | null) => QueuedMail[]) => Promise<unknown>,
): Promise<void> {
  const delivery: { later: Mail | null } = { later: null };
  await change((mail) => {
    delivery.later = prepareMail ? null : mail;
    return mail && prepareMail ? [prepareMail(mail)] : [];
  });
  if (delivery.later) await sendMail(delivery.later);
}

/** Makes `changeAccount` find an account by its id. */
export function targetById(database: Pick<Database, 'accounts'>, accountId: string): AccountTarget {
  return { find: () => database.accounts.find(accountId), missing: 'account_not_found' };
}

/**
 * Gives `changeAccount` an account that was just read or created. `targetById` reads with majority concern and may
 * miss an account that another process has only just created.
 */
export function targetOf(account: Account): AccountTarget {
  return { find: () => Promise.resolve(account), missing: 'account_not_found' };
}

/** Makes `changeAccount` find an account by the id of one of its keys. */
export function targetByKeyId(database: Database, keyId: string): AccountTarget {
  return { find: () => database.accounts.findByKeyId(keyId), missing: 'key_not_found' };
}
