import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { asDuplicate } from '../../gateway/src/adapters/mongo/errors.ts';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import { DuplicateValueError } from '../../gateway/src/application/ports/database.ts';
import { plain } from '../support/plainCollection.ts';
import { type AdminTest, connectAdmin } from './connect.ts';
import { spend } from './spending.ts';

let admin: AdminTest;
beforeAll(async () => {
  admin = await connectAdmin();
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

/** The rule by which the database refuses to store a document. */
async function refusalOf(insert: Promise<unknown>): Promise<string | null> {
  const error = asDuplicate(await insert.catch((refused: unknown) => refused));
  return error instanceof DuplicateValueError ? error.index : null;
}

test('a reference is recorded with its account, in the transaction of its entry', async () => {
  const accountId = await admin.newAccount();
  await grant(accountId, 'order 1');
  const { references, ledger } = admin.collections;
  expect(await references.findOne({ _id: 'order 1' })).toEqual({ _id: 'order 1', accountId });
  const other = await admin.newAccount();
  await references.insertOne({ _id: 'order 2', accountId: other });
  await expect(grant(accountId, 'order 2')).rejects.toThrow(DuplicateValueError);
  expect(await ledger.countDocuments({ accountId })).toBe(1);
});

test('a reference is used once across all accounts, even by concurrent requests', async () => {
  const accounts = [await admin.newAccount(), await admin.newAccount()];
  const done = await Promise.allSettled(accounts.map((id) => grant(id, 'order 5')));
  expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const { ledger } = admin.collections;
  expect(await ledger.countDocuments({ reference: 'order 5' })).toBe(1);
});

test('unique indexes refuse a second charge, a second generation of a scope and a reference', async () => {
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
    'accountGenerationKind',
  );
  expect(await refusalOf(plain(ledger).insertOne({ ...given, _id: 'second' }))).toBe(
    'accountReference',
  );
  expect(await refusalOf(plain(generations).insertOne({ ...generation, _id: 'second' }))).toBe(
    'accountScope',
  );
});
