import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dayMs } from '@framegate/contract';
import { createUpkeepStore } from '../../gateway/src/adapters/mongo/generations/upkeepStore.ts';
import type { Lot } from '../../gateway/src/domain/credits/credits.ts';
import { takeTestDatabase } from '../support/database.ts';
import { profile } from '../support/profile.ts';
import { accountOf } from '../support/workWorld.ts';
import { openUpkeepProcess, type UpkeepProcess } from './upkeepWorld.ts';

const database = takeTestDatabase();
const shard = { index: 0, count: 1 };
let process: UpkeepProcess;
let nowMs: number;
beforeAll(async () => {
  process = await openUpkeepProcess(database.uri);
  nowMs = process.deps.clock.now();
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
  process.deps.database.accounts.insert({ ...accountOf(id, nowMs), lots });

async function expired(store = createUpkeepStore(process.mongo.collections, process.deps.clock)) {
  const found: string[] = [];
  for await (const page of store.listAccountsWithExpiredLots(shard, nowMs)) found.push(...page);
  return found.toSorted();
}

test('accounts are found by the first expiry of lots with credits, and spent lots cost nothing', async () => {
  const store = createUpkeepStore(process.mongo.collections, process.deps.clock);
  for (let index = 0; index < 50; index += 1) {
    const spent = Array.from({ length: 12 }, (_, month) => lot(nowMs - month * dayMs - 1, 0));
    await insert(`acct_${index}`, [...spent, lot(nowMs + dayMs, 10), lot(null, 10)]);
  }
  const read = await profile(process.mongo.db, ['accounts'], () => expired(store));
  expect(read.map(({ plan, keys, documents }) => [plan, keys, documents])).toEqual([
    ['IXSCAN { nextExpiryAt: 1 }', 0, 0],
  ]);
  await insert('acct_due', [lot(nowMs - 1, 10), lot(nowMs - 2, 0)]);
  expect(await expired(store)).toEqual(['acct_due']);
});
