import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLookupRepair } from '../../gateway/src/adapters/mongo/lookupRepair.ts';
import { createUpkeep } from '../../gateway/src/application/upkeep/lanes.ts';
import { allLookupIdsOf } from '../../gateway/src/domain/accountLookups.ts';
import { createTestDatabase } from '../support/database.ts';
import { profile } from '../support/profile.ts';
import { openUpkeepProcess, type UpkeepProcess } from './upkeepWorld.ts';

const database = createTestDatabase();
let process: UpkeepProcess;
const ids: string[] = [];
const never = new AbortController().signal;
beforeAll(async () => {
  process = await openUpkeepProcess(database.uri);
  // Of accounts and of lookups more than a page.
  for (let index = 0; index < 210; index += 1) {
    ids.push(
      await process.addAccount({ email: `a${index}@example.com`, externalId: `id-${index}` }),
    );
  }
});
afterAll(async () => {
  await process.close();
  await database.drop();
});

const stored = () =>
  process.mongo.collections.accountLookups.find({}, { sort: { _id: 1 } }).toArray();
async function wanted() {
  const accounts = await process.mongo.collections.accounts.find().toArray();
  return accounts
    .flatMap((account) =>
      allLookupIdsOf(account._id, account).map((_id) => ({ _id, accountId: account._id })),
    )
    .toSorted((a, b) => (a._id < b._id ? -1 : 1));
}
const newRepair = () => createLookupRepair(process.mongo.collections, process.mongo.runTransaction);

/** Rounds of one pass over everything. */
async function pass(repair = newRepair()) {
  const sum = { restored: 0, removed: 0 };
  // Two pages of accounts, three of lookups, and an empty one after each.
  for (let round = 0; round < 7; round += 1) {
    const { restored, removed } = await repair(never);
    sum.restored += restored;
    sum.removed += removed;
  }
  return sum;
}

test('lookups that are right stay as they are', async () => {
  expect(await pass()).toEqual({ restored: 0, removed: 0 });
  expect(await stored()).toEqual(await wanted());
});

test('those that the release before has left are repaired, and then upkeep rests', async () => {
  const { accounts, accountLookups } = process.mongo.collections;
  const [one = '', two = '', three = ''] = ids;
  const last = ids.at(-1) ?? '';
  await accountLookups.deleteMany({ accountId: { $in: [one, last] } });
  // An address that has moved to another account.
  const moved = await accounts.findOne({ _id: two }, { projection: { email: 1 } });
  await accounts.updateOne({ _id: two }, { $set: { email: 'other@example.com' } });
  await accounts.updateOne({ _id: three }, { $set: { email: moved?.email ?? '' } });
  await accountLookups.insertOne({ _id: 'email zoe@example.com', accountId: three });
  await accountLookups.insertOne({ _id: 'keyHash 00', accountId: 'acct_none' });
  const repair = newRepair();
  // Of four accounts, and two that are left over besides the former address of the third one.
  expect(await pass(repair)).toEqual({ restored: 6, removed: 3 });
  expect(await stored()).toEqual(await wanted());
  await accountLookups.deleteMany({ accountId: one });
  const rest = await profile(process.mongo.db, ['accounts', 'accountLookups'], () => repair(never));
  expect(rest).toEqual([]);
  expect(await pass()).toEqual({ restored: 2, removed: 0 });
});

test('an account that cannot be repaired does not hold up the others', async () => {
  const { collections, runTransaction } = process.mongo;
  const [one = '', two = ''] = ids.toSorted();
  await collections.accountLookups.deleteMany({ accountId: { $in: [one, two] } });
  let transactions = 0;
  const repair = createLookupRepair(collections, (statements) => {
    transactions += 1;
    return transactions === 1 ? Promise.reject(new Error('broken')) : runTransaction(statements);
  });
  await expect(repair(never)).rejects.toThrow('1 accounts');
  expect(await collections.accountLookups.countDocuments({ accountId: two })).toBe(2);
  await pass(repair);
  expect(await pass()).toEqual({ restored: 2, removed: 0 });
});

test('a round that is told to stop continues where it was', async () => {
  const { collections, runTransaction } = process.mongo;
  const [one = '', two = ''] = ids.toSorted();
  await collections.accountLookups.deleteMany({ accountId: { $in: [one, two] } });
  const stop = new AbortController();
  const repair = createLookupRepair(collections, async (statements) => {
    await runTransaction(statements);
    stop.abort();
  });
  expect(await repair(stop.signal)).toEqual({ restored: 2, removed: 0 });
  expect(await collections.accountLookups.countDocuments({ accountId: two })).toBe(0);
  expect(await repair(never)).toEqual({ restored: 2, removed: 0 });
});

test('a round of the lane heals them, and says so once', async () => {
  const [one = ''] = ids;
  const upkeep = createUpkeep(process.deps, undefined, newRepair());
  const before = process.lines.length;
  await process.mongo.collections.accountLookups.deleteMany({ accountId: one });
  for (let round = 0; round < 2; round += 1) {
    await upkeep.round('heal', { index: 0, count: 1 }, never);
  }
  expect(process.lines.slice(before)).toEqual(['lookups of accounts were repaired']);
  expect(await stored()).toEqual(await wanted());
});
