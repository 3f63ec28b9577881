import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { plain } from '../support/plainCollection.ts';
import { profile } from '../support/profile.ts';
import { type AdminTest, connectAdmin } from './connect.ts';
import { damages } from './ledgerDamages.ts';
import { changeEntry, changeGeneration, type Seed, seedLedger } from './seedLedger.ts';
import { end, spend } from './spending.ts';
import { stateDamages } from './stateDamages.ts';

let admin: AdminTest;
let seed: Seed;
beforeAll(async () => {
  admin = await connectAdmin();
});
afterAll(async () => {
  await admin.close();
});
beforeEach(async () => {
  seed = await seedLedger(admin);
});

/** Findings, with names for the ids of the seed. */
async function findings(): Promise<string[]> {
  const { problems } = await verifyLedger(admin);
  const names = {
    ACCOUNT: seed.accountId,
    LOT: seed.lotId,
    OPEN: seed.open.id,
    DONE: seed.done.id,
    FAILED: seed.failed.id,
    OTHER: seed.otherId,
  };
  return problems.map(({ invariant, document, problem }) => {
    const line = Object.entries(names).reduce(
      (text, [name, id]) => text.replaceAll(id, name),
      `${invariant} ${document}: ${problem}`,
    );
    return line
      .replaceAll(/(lot|pln|key)_[0-9a-z]{26}/g, '$1_…')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(/ACCOUNT\.0*(\d)/g, '$1')
      .replaceAll(/OTHER\.0*(\d)/g, 'OTHER.$1');
  });
}

test('finds nothing in healthy data', async () => {
  expect(await verifyLedger(admin)).toEqual({
    accounts: 2,
    generations: 4,
    problems: [],
    problemsOmitted: 0,
  });
});

test('is clean at any moment while credits move', async () => {
  const seen: string[][] = [];
  const stop = new AbortController();
  const mover = (async () => {
    while (!stop.signal.aborted) await end(admin, await spend(admin, seed.accountId, 3), 'failed');
  })();
  const moved = async () => (await admin.database.ledger.find(seed.accountId)).length > 8;
  do seen.push(await findings());
  while (seen.length < 10 || !(await moved()));
  stop.abort();
  await mover;
  expect(seen.flat()).toEqual([]);
});

describe('names each problem and its place', () => {
  test.each([...damages, ...stateDamages])('%s', async (_name, damage, expected) => {
    await damage(seed);
    expect(await findings()).toEqual(expected);
  });
});

test('one account alone is checked without the others', async () => {
  const [mine, other] = [seed.accountId, seed.otherId];
  const clean = await verifyLedger(admin, mine);
  expect(clean).toEqual({ accounts: 1, generations: 3, problems: [], problemsOmitted: 0 });
  await changeEntry(admin, { accountId: mine, number: 2 }, { $inc: { amount: 1 } });
  await changeGeneration(admin, seed.done, { costCredits: 71 });
  const wrong = (await verifyLedger(admin)).problems;
  expect(wrong).not.toEqual([]);
  expect((await verifyLedger(admin, mine)).problems).toEqual(wrong);
  expect((await verifyLedger(admin, other)).problems).toEqual([]);
  await expect(verifyLedger(admin, 'acct_none')).rejects.toMatchObject({
    code: 'account_not_found',
  });
});

test('one account alone is checked without reading the ledger and generations of others', async () => {
  const { collections, db } = admin;
  // Sorted by generation, the account's own come first: a plan that follows them seems to find them soonest.
  for (const [accountId, count] of [
    ['acct_0', 150],
    ['acct_1', 500],
  ] as const) {
    const ids = Array.from({ length: count }, (_, number) => `${accountId}.${number}`);
    await plain(collections.ledger).insertMany(
      ids.map((_id) => ({ _id, accountId, kind: 'charge', generationId: _id, movements: [] })),
    );
    await plain(collections.generations).insertMany(
      ids.map((_id) => ({ _id, accountId, createdAt: new Date(0) })),
    );
  }
  const read = await profile(db, ['ledger', 'generations'], () =>
    verifyLedger(admin, 'acct_0').catch(() => undefined),
  );
  expect(Math.max(...read.map(({ keys }) => keys))).toBeLessThanOrEqual(151);
  expect(read.length).toBeGreaterThanOrEqual(2);
});
