import type { Schema } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  connectMongo,
  type MongoConnection,
} from '../../gateway/src/adapters/mongo/connectMongo.ts';
import { schemas } from '../../gateway/src/adapters/mongo/models/all.ts';
import { createTestDatabase } from '../support/database.ts';
import { collectLog } from '../support/mongod.ts';

const database = createTestDatabase();
let mongo: MongoConnection;

beforeAll(async () => {
  const self = { id: 'schemas', role: 'command' } as const;
  mongo = await connectMongo({ uri: database.uri, log: collectLog().log, self });
  await mongo.migrate();
});
afterAll(async () => {
  await mongo.close();
  await database.drop();
});

const names = Object.keys(schemas) as (keyof typeof schemas)[];

describe('a migrated database and the schemas', () => {
  test.each(names)('have the same indexes of %s', async (name) => {
    const stored = await mongo.collections[name].indexes();
    const wanted = (schemas[name] as Schema).indexes();
    const own = stored.filter((each) => each.name !== '_id_');
    const named = wanted.map(([key, options]) => ({ key, ...options }));
    expect(own.map((each) => without(each, 'v')).toSorted(byName)).toEqual(
      named.map((each) => without(each, 'background')).toSorted(byName),
    );
  });

  test('have the same validators, and refuse what does not fit', async () => {
    const found = await mongo.db.listCollections().toArray();
    const actions = new Map(
      found.map(({ name, ...each }) => [
        name,
        (each as { options?: { validationAction?: string } }).options?.validationAction,
      ]),
    );
    for (const schema of Object.values(schemas)) {
      expect([schema.get('collection'), actions.get(String(schema.get('collection')))]).toEqual([
        schema.get('collection'),
        'error',
      ]);
    }
  });
});

const without = (each: object, name: string) =>
  Object.fromEntries(Object.entries(each).filter(([key]) => key !== name));

const byName = (a: object, b: object) =>
  String((a as { name?: string }).name) < String((b as { name?: string }).name) ? -1 : 1;

const account = {
  _id: 'acct_1',
  version: 1,
  email: 'a@example.com',
  passwordHash: null,
  verified: true,
  staffRole: null,
  status: 'active',
  limits: {},
  keys: [],
  lots: [
    {
      id: 'lot_1',
      kind: 'purchased',
      amount: 5,
      remaining: 5,
      expiresAt: null,
      createdAt: new Date(0),
    },
  ],
  ledgerEntries: 1,
  inFlightCredits: 0,
  running: 0,
  waiting: 0,
  createBucket: null,
  createdAt: new Date(0),
  nextExpiryAt: null,
} as const;
const [lot] = account.lots;

test.each([
  ['a lot of -5', { lots: [{ ...lot, remaining: -5 }] }],
  ['a misspelt field of a lot', { lots: [{ ...lot, remianing: 5 }] }],
  ['a lot of a kind that there is not', { lots: [{ ...lot, kind: 'gift' }] }],
  ['ms for a date', { createdAt: 0 }],
  ['a negative count', { waiting: -1 }],
])('the database refuses an account with %s', async (_, fields) => {
  const wrong = mongo.collections.accounts.insertOne({ ...account, ...fields } as never);
  await expect(wrong).rejects.toThrow('Document failed validation');
});

test('the database takes an account that fits, and one with a field of the next release', async () => {
  await mongo.collections.accounts.insertOne({ ...account, locale: 'en' } as never);
  await mongo.collections.accounts.deleteOne({ _id: 'acct_1' });
});
