import type { Account } from '../../domain/account.ts';
import type { Database } from '../ports/database.ts';
import { byId, changeAccount } from './changeAccount.ts';

/**
 * Suspends an account or lets it work again. What runs already goes on to its end; a suspended one
 * creates nothing new.
 */
export async function setAccountStatus(
  { database }: { database: Database },
  { accountId, status }: { accountId: string; status: Account['status'] },
): Promise<void> {
  await changeAccount(database, byId(database, accountId), (account) => ({
    after: { ...account, status },
  }));
}
