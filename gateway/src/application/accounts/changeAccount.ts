import type { Account } from '../../domain/account.ts';
import type { LedgerEntry } from '../../domain/credits.ts';
import type { Database } from '../ports/database.ts';
import { PlainRefusal } from '../plainRefusal.ts';

/** The account after a change, and the ledger entry that belongs to it. */
export interface AccountChange {
  after: Account;
  entry?: LedgerEntry;
}

/** For how long a change is tried while other processes change the same account, in ms. */
const withinMs = 10_000;

/**
 * Changes an account, with its ledger entry, in one transaction. `change` is called again when another
 * process has changed the account meanwhile, and then decides anew; without an entry it may be called
 * for an account that has its change already, and must give the same result.
 * @param find Reads the account; null when there is none.
 * @param missing The message then.
 * @returns What was written.
 * @throws DatabaseUnavailable when it is unknown whether the change was written.
 */
export async function changeAccount(
  database: Database,
  { find, missing }: { find: () => Promise<Account | null>; missing: string },
  change: (account: Account) => AccountChange,
): Promise<AccountChange> {
  const found = await find();
  if (found === null) throw new PlainRefusal(missing);
  const decide = (account: Account) => {
    const changed = change(account);
    return { ...changed, result: changed };
  };
  return database.changeAccount(found.id, decide, withinMs);
}

/** How `changeAccount` finds an account by its own id. */
export function byId(database: Database, accountId: string) {
  return {
    find: () => database.accounts.find(accountId),
    missing: `There is no account ${accountId}.`,
  };
}

/** How `changeAccount` finds an account by the id of one of its keys. */
export function byKeyId(database: Database, keyId: string) {
  return {
    find: () => database.accounts.findByKeyId(keyId),
    missing: `There is no key ${keyId}.`,
  };
}
