import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  connectMongo,
  type MongoConnection,
} from '../../gateway/src/adapters/mongo/connectMongo.ts';
import {
  byId,
  changeAccount,
  createAccount,
} from '../../gateway/src/application/accounts/accounts.ts';
import { createKey, revokeKey } from '../../gateway/src/application/accounts/keys.ts';
import { hashApiKey } from '../../gateway/src/domain/apiKey.ts';
import { lookupIdsOf } from '../../gateway/src/domain/accountLookups.ts';
import { collectLog } from '../support/mongod.ts';
import { profile } from '../support/profile.ts';
import { until } from '../support/until.ts';
import { connectAdmin, type AdminTest } from './connect.ts';

let admin: AdminTest;
/** A process that has read nothing yet. */
let fresh: MongoConnection;
const connect = (id: string, readsOnly = false) =>
  connectMongo({ uri: admin.uri, log: collectLog().log, self: { id, role: 'api' }, readsOnly });
beforeAll(async () => {
  admin = await connectAdmin();
  fresh = await connect('fresh');
});
afterAll(async () => {
  await fresh.close();
  await admin.close();
});

let people = 0;
/** An account with a value of each kind, and the reads that find it. */
async function makePerson() {
  const name = `person-${(people += 1)}`;
  const identity = { issuer: 'https://id.example.com', subject: name, linkedAt: 0 };
  const email = `${name}@example.com`;
  const { id } = await createAccount(admin, {
    email,
    password: null,
    verified: true,
    staffRole: null,
    externalId: name,
    identities: [identity],
  });
  const { apiKey, keyId } = await createKey(admin, {
    accountId: id,
    name: 'a key',
    hosts: [],
    models: [],
  });
  const hash = hashApiKey(apiKey, admin.pepper);
  const reads = async ({ database: { accounts } }: Pick<MongoConnection, 'database'>) => {
    const found = [
      await accounts.findByEmail(email),
      await accounts.findByExternalId(name),
      await accounts.findByIdentity(identity.issuer, identity.subject),
      await accounts.findByKeyHash(['another hash', hash]),
    ];
    return [...found.map((each) => each?.id ?? null), await accounts.findIdByEmail(email)];
  };
  return { id, keyId, hash, email, reads };
}

const { stringify } = JSON;
const lookupsOf = async (accountId: string) => {
  const found = await admin.collections.accountLookups.find({ accountId }).toArray();
  return found.map(({ _id }) => _id).toSorted();
};
const five = (id: string | null) => Array.from({ length: 5 }, () => id);

describe('an account without lookups, as the release before makes it,', () => {
  test('is found by every value, and has its lookups then', async () => {
    const { id, reads } = await makePerson();
    const wanted = await lookupsOf(id);
    expect(wanted).toHaveLength(4);
    await admin.collections.accountLookups.deleteMany({ accountId: id });
    expect(await reads(fresh)).toEqual(five(id));
    await until(async () => stringify(await lookupsOf(id)) === stringify(wanted));
    expect(await reads(fresh)).toEqual(five(id));
  });

  test('is found by a command that may not write, which writes nothing', async () => {
    const { id, reads } = await makePerson();
    await admin.collections.accountLookups.deleteMany({ accountId: id });
    const reader = await connect('reader', true);
    expect(await reads(reader)).toEqual(five(id));
    await reader.close();
    expect(await lookupsOf(id)).toEqual([]);
  });
});

describe('a lookup of an account that does not have the value', () => {
  test('finds the account that has it, and is corrected', async () => {
    const { id, reads } = await makePerson();
    const wrong = await admin.newAccount();
    const wanted = await lookupsOf(id);
    const { accountLookups } = admin.collections;
    await accountLookups.updateMany({ accountId: id }, { $set: { accountId: wrong } });
    expect(await reads(fresh)).toEqual(five(id));
    await until(async () => stringify(await lookupsOf(id)) === stringify(wanted));
  });

  test('lets nobody in', async () => {
    const { id, reads } = await makePerson();
    const { accounts, accountLookups } = admin.collections;
    const wanted = await lookupsOf(id);
    // The process knows the key, and the others do not.
    expect(await reads(fresh)).toEqual(five(id));
    const without = { email: `${id}@example.com`, externalId: null, identities: [], keys: [] };
    await accounts.updateOne({ _id: id }, { $set: without });
    expect(await lookupsOf(id)).toEqual(wanted);
    for (const process of [fresh, admin]) expect(await reads(process)).toEqual(five(null));
    const other = await admin.newAccount();
    await accountLookups.updateMany({ accountId: id }, { $set: { accountId: other } });
    for (const process of [fresh, admin]) expect(await reads(process)).toEqual(five(null));
  });
});

test('a key whose account is known costs one read of the account, which sees a revocation at once', async () => {
  const { id, keyId, hash } = await makePerson();
  const { accounts } = fresh.database;
  expect((await accounts.findByKeyHash([hash]))?.id).toBe(id);
  const statements = await profile(admin.db, ['accounts', 'accountLookups'], async () => {
    expect((await accounts.findByKeyHash([hash]))?.keys[0]?.revokedAt).toBeNull();
  });
  expect(statements.map(({ collection, command }) => [collection, command['filter']])).toEqual([
    ['accounts', { _id: { $in: [id] } }],
  ]);
  await revokeKey(admin, keyId);
  expect((await accounts.findByKeyHash([hash]))?.keys[0]?.revokedAt).not.toBeNull();
  await changeAccount(admin.database, byId(admin.database, id), (account) => ({
    after: { ...account, keys: [] },
  }));
  expect(await accounts.findByKeyHash([hash])).toBeNull();
  const account = await admin.database.accounts.find(id);
  expect(await lookupsOf(id)).toEqual(account && lookupIdsOf(account).toSorted());
});

test('keys of one moment share their reads', async () => {
  const made: Awaited<ReturnType<typeof makePerson>>[] = [];
  for (let count = 0; count < 5; count += 1) made.push(await makePerson());
  const other = await connect('other');
  const find = () =>
    Promise.all(made.map(({ hash }) => other.database.accounts.findByKeyHash([hash])));
  const statements = await profile(admin.db, ['accounts', 'accountLookups'], async () => {
    expect((await find()).map((found) => found?.id)).toEqual(made.map(({ id }) => id));
  });
  expect(statements.map(({ collection }) => collection)).toEqual(['accountLookups', 'accounts']);
  await other.close();
});
