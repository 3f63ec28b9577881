import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAccount } from '../../gateway/src/application/accounts/accounts.ts';
import { grantCredits } from '../../gateway/src/application/accounts/grantCredits.ts';
import { verifyLedger } from '../../gateway/src/application/accounts/verifyLedger.ts';
import type { Lot } from '../../gateway/src/domain/credits.ts';
import type { Generation } from '../../gateway/src/domain/generation.ts';
import { connectAdmin, type AdminTest } from './connect.ts';
import { end, spend } from './spending.ts';

type Filter = Record<string, unknown>;
type Update = Record<string, unknown>;

let admin: AdminTest;
beforeAll(async () => {
  admin = await connectAdmin();
});
afterAll(async () => {
  await admin.close();
});

/** A healthy set of data: two lots, an unfinished, a completed and a failed generation. */
interface Seed {
  accountId: string;
  otherId: string;
  lotId: string;
  open: Generation;
  done: Generation;
  failed: Generation;
}
let seed: Seed;

async function grant(accountId: string, amountCredits: number, kind: Lot['kind']): Promise<string> {
  const grant = { accountId, amountCredits, kind, expiresAt: null, reason: null };
  return (await grantCredits(admin, grant)).id;
}

beforeEach(async () => {
  const { accounts, generations, ledger } = admin.collections;
  for (const collection of [accounts, generations, ledger]) await collection.deleteMany({});
  const people = ['first@people.example', 'second@people.example'].map((email) => ({
    email,
    password: 'a long password',
    verified: true,
    staffRole: null,
  }));
  const ids: string[] = [];
  for (const person of people) ids.push((await createAccount(admin, person)).id);
  const [accountId = '', otherId = ''] = ids;
  const lotId = await grant(accountId, 100, 'promotional');
  await grant(accountId, 500, 'purchased');
  await grant(otherId, 50, 'purchased');
  const done = await spend(admin, accountId, 70);
  await end(admin, done, 'completed');
  const failed = await spend(admin, accountId, 60);
  await end(admin, failed, 'failed');
  const open = await spend(admin, accountId, 90);
  await end(admin, await spend(admin, otherId, 50), 'completed');
  seed = { accountId, otherId, lotId, open, done, failed };
});

/** What is found wrong, with names for the ids of the seed. */
async function findings(): Promise<string[]> {
  const { problems } = await verifyLedger(admin);
  const names = {
    ACCOUNT: seed.accountId,
    LOT: seed.lotId,
    OPEN: seed.open.id,
    DONE: seed.done.id,
    FAILED: seed.failed.id,
  };
  return problems.map(({ invariant, document, problem }) => {
    const line = Object.entries(names).reduce(
      (text, [name, id]) => text.replaceAll(id, name),
      `${invariant} ${document}: ${problem}`,
    );
    return line.replaceAll(/lot_[0-9a-z]{26}/g, 'lot_…').replaceAll(/ACCOUNT\.0*(\d)/g, '$1');
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

/** Each damage breaks the stored data in one place; the report has to name it. */
const damages: [string, (seed: Seed) => Promise<unknown>, string[]][] = [
  [
    'credits appear in a lot',
    ({ lotId }) => changeAccount({ 'lots.id': lotId }, { $inc: { 'lots.$.remaining': 5 } }),
    [
      'I1 accounts/ACCOUNT: holds 445 credits, its ledger adds up to 440',
      'I1 accounts/ACCOUNT: lot LOT holds 5, its ledger adds up to 0',
    ],
  ],
  [
    'credits move between lots',
    async ({ lotId, accountId }) => {
      await changeAccount({ 'lots.id': lotId }, { $inc: { 'lots.$.remaining': 5 } });
      const purchased = { _id: accountId, lots: { $elemMatch: { kind: 'purchased' } } };
      await changeAccount(purchased, { $inc: { 'lots.$.remaining': -5 } });
    },
    [
      'I1 accounts/ACCOUNT: lot LOT holds 5, its ledger adds up to 0',
      'I1 accounts/ACCOUNT: lot lot_… holds 435, its ledger adds up to 440',
    ],
  ],
  [
    'a lot is below zero',
    ({ lotId }) => changeAccount({ 'lots.id': lotId }, { $inc: { 'lots.$.remaining': -1 } }),
    [
      'I1 accounts/ACCOUNT: holds 439 credits, its ledger adds up to 440',
      'I9 accounts/ACCOUNT: lot LOT holds -1',
      'I1 accounts/ACCOUNT: lot LOT holds -1, its ledger adds up to 0',
    ],
  ],
  [
    'a lot is gone with its credits',
    ({ accountId }) =>
      changeAccount({ _id: accountId }, { $pull: { lots: { kind: 'purchased' } } }),
    [
      'I1 accounts/ACCOUNT: holds 0 credits, its ledger adds up to 440',
      'I1 accounts/ACCOUNT: has no lot lot_…, its ledger adds up to 440',
    ],
  ],
  [
    'a charge is gone from the ledger',
    ({ done }) => admin.collections.ledger.deleteOne({ generationId: done.id }),
    [
      'I2 generations/DONE: has 0 charges, one is right',
      'I1 ledger/4: has number 4, 3 would be next',
      'I1 accounts/ACCOUNT: holds 440 credits, its ledger adds up to 510',
      'I1 accounts/ACCOUNT: lot LOT holds 0, its ledger adds up to 70',
    ],
  ],
  [
    'the ledger lacks its last entry',
    ({ open }) => admin.collections.ledger.deleteOne({ generationId: open.id }),
    [
      'I2 generations/OPEN: has 0 charges, one is right',
      "I1 accounts/ACCOUNT: counts 6 ledger entries, the last one's number is 5",
      'I1 accounts/ACCOUNT: holds 440 credits, its ledger adds up to 530',
      'I1 accounts/ACCOUNT: lot LOT holds 0, its ledger adds up to 30',
      'I1 accounts/ACCOUNT: lot lot_… holds 440, its ledger adds up to 500',
    ],
  ],
  [
    'more was charged than there was',
    ({ done }) =>
      changeEntry(
        { generationId: done.id },
        { $inc: { amount: -600, 'movements.0.amount': -600 } },
      ),
    [
      'I2 ledger/3: charges 670, the generation costs 70',
      'I9 ledger/3: takes lot LOT to -570',
      'I9 ledger/3: takes the balance to -70',
      'I9 ledger/4: takes lot LOT to -600',
      'I9 ledger/4: takes the balance to -130',
      'I9 ledger/5: takes lot LOT to -570',
      'I9 ledger/5: takes the balance to -70',
      'I9 ledger/6: takes lot LOT to -600',
      'I9 ledger/6: takes the balance to -160',
      'I1 accounts/ACCOUNT: holds 440 credits, its ledger adds up to -160',
      'I1 accounts/ACCOUNT: lot LOT holds 0, its ledger adds up to -600',
    ],
  ],
  [
    'a charge is not what the generation costs',
    ({ done }) => changeGeneration(done, { costCredits: 71 }),
    ['I2 ledger/3: charges 70, the generation costs 71'],
  ],
  [
    'a generation names other payers',
    ({ done }) => changeGeneration(done, { 'charge.0.lotId': 'lot_x' }),
    ['I2 generations/DONE: names other lots as its payers than its charge does'],
  ],
  [
    'a generation is charged to another account',
    ({ done }) => changeGeneration(done, { accountId: 'acct_x' }),
    ['I2 ledger/3: is of account ACCOUNT, its generation of another'],
  ],
  [
    'a completed generation was refunded',
    ({ failed }) => changeGeneration(failed, { status: 'completed' }),
    ['I2 generations/FAILED: is completed and has 1 refunds'],
  ],
  [
    'a failed generation was not refunded',
    ({ done }) => changeGeneration(done, { status: 'failed' }),
    ['I2 generations/DONE: is failed and has 0 refunds'],
  ],
  [
    'a refund is too large',
    ({ failed }) =>
      changeEntry({ generationId: failed.id, kind: 'refund' }, { $inc: { amount: 1 } }),
    [
      'I2 ledger/5: refunds 61, the generation costs 60',
      'I1 ledger/5: says 61, its movements add up to 60',
      'I1 accounts/ACCOUNT: holds 440 credits, its ledger adds up to 441',
    ],
  ],
  [
    'a refund gives another kind of credits',
    ({ failed }) =>
      changeEntry(
        { generationId: failed.id, kind: 'refund' },
        { $set: { 'movements.0.kind': 'subscription' } },
      ),
    ['I2 ledger/5: gives back other kinds of credits than the charge took'],
  ],
  [
    'a generation is gone',
    ({ done }) => admin.collections.generations.deleteOne({ _id: done.id }),
    ['I4 ledger/3: is a charge of generation DONE, which does not exist'],
  ],
  [
    'a charge names no generation',
    ({ done }) => changeEntry({ generationId: done.id }, { $unset: { generationId: 1 } }),
    [
      'I2 generations/DONE: has 0 charges, one is right',
      'I4 ledger/3: is a charge of no generation',
    ],
  ],
  [
    'an account is gone',
    ({ accountId }) => admin.collections.accounts.deleteOne({ _id: accountId }),
    [
      ...[1, 2, 3, 4, 5, 6].map(
        (number) => `I1 ledger/${number}: is of account ACCOUNT, which does not exist`,
      ),
      'I4 accounts/ACCOUNT: does not exist, but 1 unfinished generations are of it',
    ],
  ],
  [
    'the counts are wrong',
    ({ accountId }) =>
      changeAccount({ _id: accountId }, { $inc: { running: 1, inFlightCredits: -90 } }),
    [
      'I4 accounts/ACCOUNT: counts 2 unfinished generations, there are 1',
      'I1 accounts/ACCOUNT: has 0 credits in flight, its unfinished generations cost 90',
    ],
  ],
  [
    'an entry goes the wrong way',
    ({ accountId }) => changeEntry({ accountId, number: 2 }, { $set: { kind: 'expiry' } }),
    ['I1 ledger/2: is of kind expiry and of 500 credits'],
  ],
];

async function changeAccount(filter: Filter, update: Update): Promise<void> {
  const { matchedCount } = await admin.collections.accounts.updateOne(filter, update);
  expect(matchedCount).toBe(1);
}

async function changeEntry(filter: Filter, update: Update): Promise<void> {
  const { matchedCount } = await admin.collections.ledger.updateOne(filter, update);
  expect(matchedCount).toBe(1);
}

async function changeGeneration({ id }: Generation, fields: Update): Promise<void> {
  const { generations } = admin.collections;
  expect((await generations.updateOne({ _id: id }, { $set: fields })).matchedCount).toBe(1);
}

describe('names what is wrong and where', () => {
  test.each(damages)('%s', async (_name, damage, expected) => {
    await damage(seed);
    expect(await findings()).toEqual(expected);
  });
});

test('one account alone is checked without the others', async () => {
  const [mine, other] = [seed.accountId, seed.otherId];
  const clean = await verifyLedger(admin, mine);
  expect(clean).toEqual({ accounts: 1, generations: 3, problems: [], problemsOmitted: 0 });
  await changeEntry({ accountId: mine, number: 2 }, { $inc: { amount: 1 } });
  await changeGeneration(seed.done, { costCredits: 71 });
  const wrong = (await verifyLedger(admin)).problems;
  expect(wrong).not.toEqual([]);
  expect((await verifyLedger(admin, mine)).problems).toEqual(wrong);
  expect((await verifyLedger(admin, other)).problems).toEqual([]);
  await expect(verifyLedger(admin, 'acct_none')).rejects.toThrow('There is no account acct_none');
});
