import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import type { Schema } from 'mongoose';
import {
  connectMongo,
  type MongoConnection,
} from '../../gateway/src/adapters/mongo/connectMongo.ts';
import { migrations } from '../../gateway/src/adapters/mongo/migrations/all.ts';
import { schemas } from '../../gateway/src/adapters/mongo/models/all.ts';
import { applySchemas, indexesOf } from '../../gateway/src/adapters/mongo/models/applySchemas.ts';
import { validatorOf } from '../../gateway/src/adapters/mongo/models/validators.ts';
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
const collections = Object.values(schemas).map((schema) => String(schema.get('collection')));
/** Agenda's own. */
const others = ['agendaJobs'];

/** The collections of the database with their options. */
async function storedOptions() {
  const found = await mongo.db.listCollections().toArray();
  return Object.fromEntries(
    found.map(({ name, ...each }) => [name, (each as { options?: object }).options]),
  );
}

test('the schemas change only with a migration that applies them', () => {
  const described = Object.values(schemas).map((each) => {
    const schema = each as Schema;
    return [schema.get('collection'), indexesOf(schema), validatorOf(schema)];
  });
  const digest = createHash('sha256').update(JSON.stringify(described)).digest('hex').slice(0, 16);
  expect({ migration: migrations.at(-1)?.version, digest }).toEqual({
    migration: 1,
    digest: 'd30c4abd5ecb1c63',
  });
});

describe('a migrated database and the schemas', () => {
  test('have the same collections', async () => {
    const stored = Object.keys(await storedOptions());
    expect(stored.toSorted()).toEqual([...collections, ...others].toSorted());
  });

  test.each(names)('have the same indexes of %s', async (name) => {
    const stored = await mongo.collections[name].indexes();
    const own = stored
      .filter((each) => each.name !== '_id_')
      .map((each) => Object.fromEntries(Object.entries(each).filter(([key]) => key !== 'v')));
    expect(own.toSorted(byName)).toEqual(indexesOf(schemas[name] as Schema).toSorted(byName));
  });

  test.each([
    ['generations', 12],
    ['accounts', 5],
  ] as const)('have few indexes of %s: each create pays for them', async (name, max) => {
    expect((await mongo.collections[name].indexes()).length).toBeLessThanOrEqual(max);
  });

  test.each(names)('have the same validator of %s', async (name) => {
    const schema = schemas[name] as Schema;
    expect((await storedOptions())[String(schema.get('collection'))]).toEqual({
      validator: validatorOf(schema),
      validationLevel: 'moderate',
      validationAction: 'error',
    });
  });

  test('stay as they are when nothing has changed, and follow the setting when it has', async () => {
    const client = new MongoClient(database.uri, { monitorCommands: true });
    const commands: string[] = [];
    client.on('commandStarted', ({ commandName }) => commands.push(commandName));
    const apply = (action: 'warn' | 'error') =>
      applySchemas(client.db(database.name), action, () => undefined);
    try {
      await apply('error');
      expect(commands).not.toContain('collMod');
      await apply('warn');
      const actions = Object.entries(await storedOptions())
        .filter(([name]) => !others.includes(name))
        .map(([, options]) => (options as { validationAction?: string }).validationAction);
      expect(new Set(actions)).toEqual(new Set(['warn']));
    } finally {
      await apply('error');
      await client.close();
    }
  });
});

const byName = (a: object, b: object) =>
  String((a as { name?: string }).name) < String((b as { name?: string }).name) ? -1 : 1;

const account = {
  _id: 'acct_1',
  version: 1,
  email: 'a@example.com',
  passwordHash: null,
  isVerified: true,
  externalId: null,
  group: null,
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
  ledgerHash: null,
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
