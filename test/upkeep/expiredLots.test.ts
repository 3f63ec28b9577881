import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createUpkeepStore } from '../../gateway/src/adapters/mongo/upkeepStore.ts';
import { addresses } from '../../gateway/src/adapters/mongo/migrations/0006-addresses.ts';
import { nextExpiry } from '../../gateway/src/adapters/mongo/migrations/0007-nextExpiry.ts';
import type { Lot } from '../../gateway/src/domain/credits.ts';
import { createTestDatabase } from '../support/database.ts';
import { collectLog } from '../support/mongod.ts';
import { profile } from '../support/profile.ts';
import { accountOf } from '../support/workWorld.ts';
import { day, openUpkeepProcess, type UpkeepProcess } from './upkeepWorld.ts';

const database = createTestDatabase();
const shard = { index: 0, count: 1 };
let process: UpkeepProcess;
let now: number;
beforeAll(async () => {
  process = await openUpkeepProcess(database.uri);
  now = process.deps.clock.now();
});
afterAll(async () => {
  await process.mongo.close();
  await database.drop();
});

const lot = (expiresAt: number | null, remaining: number): Lot => ({
  id: `lot_${expiresAt} ${remaining}`,
  kind: 'subscription',
  amount: 10,
  remaining,
  expiresAt,
  createdAt: 0,
});
const insert = (id: string, lots: Lot[]) =>
  process.deps.database.accounts.insert({ ...accountOf(id, now), lots });

async function expired(store = createUpkeepStore(process.mongo.collections, process.deps.clock)) {
  const found: string[] = [];
  for await (const page of store.accountsWithExpiredLots(shard, now)) found.push(...page);
  return found.toSorted();
}

const none = { applySchemas: async () => undefined, assertHeld: () => undefined };

test('accounts are found by the first expiry of lots with credits, and spent lots cost nothing', async () => {
  const store = createUpkeepStore(process.mongo.collections, process.deps.clock);
  for (let index = 0; index < 50; index += 1) {
    const spent = Array.from({ length: 12 }, (_, month) => lot(now - month * day - 1, 0));
    await insert(`acct_${index}`, [...spent, lot(now + day, 10), lot(null, 10)]);
  }
  const read = await profile(process.mongo.db, ['accounts'], () => expired(store));
  expect(read.map(({ plan, keys, documents }) => [plan, keys, documents])).toEqual([
    ['IXSCAN { nextExpiryAt: 1 }', 0, 0],
  ]);
  await insert('acct_due', [lot(now - 1, 10), lot(now - 2, 0)]);
  expect(await expired(store)).toEqual(['acct_due']);
});

test('lots of early releases are found by the migration', async () => {
  const { accounts } = process.mongo.collections;
  await accounts.updateMany({}, { $unset: { nextExpiryAt: true } });
  expect(await expired()).toEqual([]);
  await accounts.createIndexes([{ name: 'lotExpiry', key: { 'lots.expiresAt': 1 } }]);
  const context = { ...process.mongo, ...none, log: collectLog().log };
  await nextExpiry.run(context);
  expect(await accounts.findOne({ _id: 'acct_due' })).toMatchObject({
    nextExpiryAt: new Date(now - 1),
  });
  expect(await accounts.findOne({ _id: 'acct_0' })).toMatchObject({
    nextExpiryAt: new Date(now + day),
  });
});

test('addresses get the one form of their mailbox, and another account of it is named', async () => {
  const { accounts } = process.mongo.collections;
  await accounts.createIndexes([{ name: 'email', key: { email: 1 }, unique: true }]);
  const emails = [
    'ada@b\u00fccher.example',
    'farm@example.org',
    'fa\u0001rm@example.org',
    'farm@\uff45xample.org',
  ];
  for (const [index, email] of emails.entries()) {
    await process.deps.database.accounts.insert({ ...accountOf(`acct_m${index}`, now), email });
  }
  const warned: string[] = [];
  const warn = (fields: object) => void warned.push((fields as { accountId: string }).accountId);
  const log = { ...collectLog().log, warn };
  await addresses.run({ ...process.mongo, ...none, log });
  const stored = await accounts
    .find({ _id: { $regex: '^acct_m' } }, { sort: { _id: 1 } })
    .toArray();
  expect(stored.map(({ email }) => email)).toEqual([
    'ada@xn--bcher-kva.example',
    ...emails.slice(1),
  ]);
  expect(warned.toSorted()).toEqual(['acct_m2', 'acct_m3']);
});
