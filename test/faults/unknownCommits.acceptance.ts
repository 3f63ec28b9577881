import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createAccountChanges } from '../../gateway/src/adapters/mongo/accounts/accountChanges.ts';
import type { MongoConnection } from '../../gateway/src/adapters/mongo/connectMongo.ts';
import { createGroupCommit } from '../../gateway/src/adapters/mongo/groupCommit.ts';
import {
  CommitUnknownError,
  createRunTransaction,
  type RunTransaction,
} from '../../gateway/src/adapters/mongo/transactions.ts';
import { createRandom } from '../../gateway/src/adapters/system/random.ts';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import {
  grantCredits,
  UnknownOutcomeError,
} from '../../gateway/src/application/credits/grantCredits.ts';
import { type AdminTest, connectAdmin } from '../admin/connect.ts';
import { spend } from '../admin/spending.ts';
import { connectProcess, newAccount } from './accountWorld.ts';
import { faultyUri, openFailPoint } from './failPoint.ts';

let admin: AdminTest;
let failPoint: Awaited<ReturnType<typeof openFailPoint>>;
/** A second process on the same database, whose commands can be made to fail. */
let faulty: MongoConnection;

beforeAll(async () => {
  admin = await connectAdmin();
  failPoint = await openFailPoint(admin.uri);
  faulty = await connectProcess(faultyUri(admin.uri), 'faulty');
});
afterEach(() => failPoint.off());
afterAll(async () => {
  await failPoint.close();
  await faulty.close();
  await admin.close();
});

describe('a commit whose result does not arrive', () => {
  const grantTo = (database: typeof faulty.database, accountId: string) =>
    grantCredits(
      { database, clock: admin.clock, random: createRandom(admin.clock) },
      { accountId, amountCredits: 500, kind: 'purchased', expiresAt: null, reason: null },
    );
  const balanceOf = async (accountId: string) =>
    (await admin.database.accounts.find(accountId))?.lots.map(({ remaining }) => remaining);

  test('is looked up in the ledger, and the change is made once', async () => {
    const accountId = await newAccount(admin);
    // Written here, without timely confirmation from the other members.
    const writeConcernError = { code: 64, errmsg: 'waiting for replication timed out' };
    const fault = { failCommands: ['commitTransaction'], writeConcernError };
    await failPoint.set(fault, 'always');
    await grantTo(faulty.database, accountId);
    await failPoint.off();
    expect(await balanceOf(accountId)).toEqual([1_500]);
    expect((await verifyLedger(admin)).problems).toEqual([]);
  });

  test('is reported as unknown if it was not written', async () => {
    const accountId = await newAccount(admin);
    await failPoint.set({ failCommands: ['commitTransaction'], closeConnection: true }, 'always');
    // The test's own limit is below the two minutes for which the driver would try.
    await expect(grantTo(faulty.database, accountId)).rejects.toThrow(UnknownOutcomeError);
    expect(await balanceOf(accountId)).toEqual([1_000]);
    // A commit in progress can be written from now on.
    await failPoint.off();
  });

  test.each([
    [
      'a grant',
      (accountId: string, database: AdminTest['database']) => grantTo(database, accountId),
    ],
    [
      'a charge',
      (accountId: string, database: AdminTest['database']) =>
        spend({ ...admin, database }, accountId, 10),
    ],
  ])('and that was written: %s is not made twice', async (_what, change) => {
    const accountId = await newAccount(admin);
    const plain = createRunTransaction(faulty.client, async () => undefined);
    // As after a change of primary: written, but the retried commit does not know it.
    let isFirst = true;
    const forgetful: RunTransaction = async (statements) => {
      await plain(statements);
      if (!isFirst) return;
      isFirst = false;
      throw new CommitUnknownError(false);
    };
    const find = (id: string) => admin.database.accounts.find(id);
    const changeAccount = createAccountChanges({
      read: find,
      findNewest: find,
      commit: createGroupCommit(faulty.collections, forgetful),
    });
    const entriesBefore = (await admin.database.ledger.find(accountId)).length;
    await change(accountId, { ...admin.database, changeAccount });
    expect(await admin.database.ledger.find(accountId)).toHaveLength(entriesBefore + 1);
    expect((await verifyLedger(admin)).problems).toEqual([]);
  });
});
