import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { asDuplicate } from '../../gateway/src/adapters/mongo/errors.ts';
import { accountIndexes } from '../../gateway/src/adapters/mongo/migrations/0025-accountIndexes.ts';
import { grantCredits } from '../../gateway/src/application/accounts/grantCredits.ts';
import { DuplicateValue } from '../../gateway/src/application/ports/database.ts';
import { collectLog } from '../support/mongod.ts';
import { plain } from '../support/plainCollection.ts';
import { connectAdmin, type AdminTest } from './connect.ts';
import { spend } from './spending.ts';

let admin: AdminTest;
beforeAll(async () => {
  admin = await connectAdmin();
  // As the release before has it.
  const partialFilterExpression = { reference: { $exists: true } };
  const index = { name: 'reference', key: { reference: 1 }, unique: true, partialFilterExpression };
  await admin.collections.ledger.createIndexes([index]);
});
afterAll(() => admin.close());

const grant = (accountId: string, reference: string) =>
  grantCredits(admin, {
    accountId,
    amountCredits: 500,
    kind: 'purchased',
    expiresAt: null,
    reason: null,
    reference,
  });

const context = () => ({
  collections: admin.collections,
  log: collectLog().log,
  applySchemas: async () => undefined,
  assertHeld: () => undefined,
});

/** The rule by which the database refuses to store a document. */
async function refusalOf(insert: Promise<unknown>): Promise<string | null> {
  const error = asDuplicate(await insert.catch((refused: unknown) => refused));
  return error instanceof DuplicateValue ? error.index : null;
}

test('a reference is noted with its account, in the transaction of its entry', async () => {
  const accountId = await admin.newAccount();
  await grant(accountId, 'order 1');
  const { references, ledger } = admin.collections;
  expect(await references.findOne({ _id: 'order 1' })).toEqual({ _id: 'order 1', accountId });
  const other = await admin.newAccount();
  await references.insertOne({ _id: 'order 2', accountId: other });
  await expect(grant(accountId, 'order 2')).rejects.toThrow(DuplicateValue);
  expect(await ledger.countDocuments({ accountId })).toBe(1);
});

test('an entry of the release before, which notes no references, is found and not made again', async () => {
  const accountId = await admin.newAccount();
  const first = await grant(accountId, 'order 3');
  await admin.collections.references.deleteOne({ _id: 'order 3' });
  expect(await grant(accountId, 'order 3')).toMatchObject({ id: first.id, replayed: true });
});

test('the migration notes the references of all entries, and once more changes nothing', async () => {
  const { references, ledger } = admin.collections;
  const accountId = await admin.newAccount();
  const entry = (await grant(accountId, 'order 4')).entry;
  const [stored] = await ledger.find({ _id: entry.id }).toArray();
  // More than one page.
  await plain(ledger).insertMany(
    Array.from({ length: 501 }, (_, index) => ({
      ...stored,
      _id: `copy ${index}`,
      reference: `copy ${index}`,
    })),
  );
  const named = await ledger.countDocuments({ reference: { $exists: true } });
  await references.deleteMany({});
  for (let times = 0; times < 2; times += 1) {
    await accountIndexes.run(context());
    expect(await references.countDocuments({})).toBe(named);
  }
  expect(await references.findOne({ _id: 'order 4' })).toMatchObject({ accountId });
  await ledger.deleteMany({ reference: /^copy / });
});

describe('without the index of the release before', () => {
  beforeAll(async () => {
    await admin.collections.ledger.dropIndex('reference');
  });

  test('a reference is used once over all accounts, also at the same moment', async () => {
    const accounts = [await admin.newAccount(), await admin.newAccount()];
    const done = await Promise.allSettled(accounts.map((id) => grant(id, 'order 5')));
    expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const { ledger } = admin.collections;
    expect(await ledger.countDocuments({ reference: 'order 5' })).toBe(1);
  });

  test('the same rules refuse a second charge, a second generation of a scope and a reference', async () => {
    const { ledger, generations } = admin.collections;
    const accountId = await admin.newAccount();
    await grant(accountId, 'order 6');
    const { id } = await spend(admin, accountId, 70);
    const replay = { scope: `${accountId} POST /v1/videos key` };
    await plain(generations).updateOne({ _id: id }, { $set: { replay } });
    const generation = await generations.findOne({ _id: id });
    const charge = await ledger.findOne({ generationId: id, kind: 'charge' });
    const given = await ledger.findOne({ reference: 'order 6' });
    expect(await refusalOf(plain(ledger).insertOne({ ...charge, _id: 'second' }))).toBe(
      'generationKind',
    );
    expect(await refusalOf(plain(ledger).insertOne({ ...given, _id: 'second' }))).toBe('reference');
    expect(await refusalOf(plain(generations).insertOne({ ...generation, _id: 'second' }))).toBe(
      'idempotencyScope',
    );
  });
});
