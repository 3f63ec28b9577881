import type { Account } from '../../domain/account.ts';
import type { LedgerEntry } from '../../domain/ledger.ts';
import type { Database } from '../ports/database.ts';
import { StaleWrite } from '../ports/storeErrors.ts';
import { AdminProblem } from './adminProblem.ts';

/** The account after a change, and the ledger entry that belongs to it. */
export interface AccountChange {
  after: Account;
  entry?: LedgerEntry;
}

/** Writes of a running gateway that may come between our reading and writing one account. */
const triesAtMost = 100;

/**
 * Reads an account, changes it and writes it back with its ledger entry in one transaction; decides
 * again when somebody else has changed it meanwhile. `change` may be called for an account that has
 * its change already, and must come to the same then, unless it gives an entry.
 * @param find Reads the account; null when there is none.
 * @param missing The message then.
 * @returns What was written.
 */
export async function changeAccount(
  database: Database,
  { find, missing }: { find: () => Promise<Account | null>; missing: string },
  change: (account: Account) => AccountChange,
): Promise<AccountChange> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await find();
    if (before === null) throw new AdminProblem(missing);
    const changed = change(before);
    try {
      await database.transaction(async (stores) => {
        await stores.accounts.update(before, changed.after);
        if (changed.entry) await stores.ledger.append(changed.entry);
      });
      return changed;
    } catch (error) {
      if (!(error instanceof StaleWrite)) throw error;
      if (await isWritten(database, changed.entry)) return changed;
      if (attempt === triesAtMost) throw error;
    }
  }
}

/**
 * Whether it was ourselves who changed the account: after a commit of unknown result the driver may play
 * a transaction again that was done. Changes without an entry come to the same when they are made twice.
 */
async function isWritten(database: Database, entry: LedgerEntry | undefined): Promise<boolean> {
  if (!entry) return false;
  const [stored] = await database.ledger.newest(entry.accountId, entry.number + 1, 1);
  return stored?.number === entry.number && stored.requestId === entry.requestId;
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
