import { expect } from '@jest/globals';
import type { Document } from 'mongodb';
import { createAccount } from '../../gateway/src/application/accounts/createAccount.ts';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import type { Lot } from '../../gateway/src/domain/credits/credits.ts';
import type { Generation } from '../../gateway/src/domain/generations/generation.ts';
import { plain } from '../support/plainCollection.ts';
import type { AdminTest } from './connect.ts';
import { emptyBooks } from './emptyBooks.ts';
import { end, spend } from './spending.ts';

type Filter = Record<string, unknown>;
type Update = Record<string, unknown>;

/** A healthy set of data: two lots, an unfinished, a completed and a failed generation. */
export interface Seed {
  admin: AdminTest;
  accountId: string;
  otherId: string;
  lotId: string;
  open: Generation;
  done: Generation;
  failed: Generation;
}

/** A seed with the documents that it wrote. */
interface Written {
  seed: Seed;
  at: number;
  documents: Map<string, Document[]>;
}

const written = new WeakMap<AdminTest, Written>();
/** Time until its unfinished generation is near its deadline, in ms. */
const goodForMs = 20_000;

/** Empties the database and stores the seed, whose documents are made once. */
export async function seedLedger(admin: AdminTest): Promise<Seed> {
  const known = written.get(admin);
  if (!known || admin.clock.now() - known.at > goodForMs) {
    const at = admin.clock.now();
    const seed = await makeSeed(admin);
    written.set(admin, { seed, at, documents: await documentsOf(admin) });
    return seed;
  }
  await emptyBooks(admin);
  for (const [name, documents] of known.documents) {
    const collection = admin.db.collection(name);
    await collection.deleteMany({});
    await collection.insertMany(documents);
  }
  return known.seed;
}

/** All documents of the collections that have any, except those of the schema and of processes. */
async function documentsOf({ db }: AdminTest): Promise<Written['documents']> {
  const documents: Written['documents'] = new Map();
  for (const collection of await db.collections()) {
    if (/^(migrations$|processes$|leases$|system\.)/.test(collection.collectionName)) continue;
    const found = await collection.find().toArray();
    if (found.length > 0) documents.set(collection.collectionName, found);
  }
  return documents;
}

async function makeSeed(admin: AdminTest): Promise<Seed> {
  const grant = async (accountId: string, amountCredits: number, kind: Lot['kind']) => {
    const lot = { accountId, amountCredits, kind, expiresAt: null, reason: null };
    return (await grantCredits(admin, lot)).id;
  };
  await emptyBooks(admin);
  const people = ['first@people.example', 'second@people.example'].map((email) => ({
    email,
    password: 'a long password',
    isVerified: true,
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
  return { admin, accountId, otherId, lotId, open, done, failed };
}

/** Changes the stored account that matches. */
export async function changeAccount(
  { collections }: AdminTest,
  filter: Filter,
  update: Update,
): Promise<void> {
  const { matchedCount } = await plain(collections.accounts).updateOne(filter, update);
  expect(matchedCount).toBe(1);
}

/** Changes the stored ledger entry that matches. */
export async function changeEntry(
  { collections }: AdminTest,
  filter: Filter,
  update: Update,
): Promise<void> {
  const { matchedCount } = await plain(collections.ledger).updateOne(filter, update);
  expect(matchedCount).toBe(1);
}

/** Changes fields of a stored generation. */
export async function changeGeneration(
  { collections }: AdminTest,
  { id }: Generation,
  fields: Update,
): Promise<void> {
  expect(
    (await plain(collections.generations).updateOne({ _id: id }, { $set: fields })).matchedCount,
  ).toBe(1);
}
