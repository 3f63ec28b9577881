import {
  connectMongo,
  type MongoConnection,
} from '../../gateway/src/adapters/mongo/connectMongo.ts';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import type { AdminTest } from '../admin/connect.ts';
import { collectLog } from '../support/mongod.ts';
import { accountOf } from '../support/workWorld.ts';

/** Connects another process to a database. */
export function connectProcess(uri: string, id: string): Promise<MongoConnection> {
  return connectMongo({
    uri,
    log: collectLog().log,
    self: { id, role: 'api' },
  });
}

/** An account with 1,000 granted credits. @returns Its id. */
export async function newAccount(admin: AdminTest): Promise<string> {
  const accountId = admin.random.newId('acct');
  await admin.database.accounts.insert({ ...accountOf(accountId, 0), lots: [] });
  const grant = { accountId, amountCredits: 1_000, kind: 'purchased' as const };
  await grantCredits(admin, { ...grant, expiresAt: null, reason: null });
  return accountId;
}
