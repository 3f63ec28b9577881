import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  connectMongo,
  type MongoConnection,
} from '../../gateway/src/adapters/mongo/connectMongo.ts';
import { createStaffQueries } from '../../gateway/src/adapters/mongo/staff/staffQueries.ts';
import { changeAccount, targetById } from '../../gateway/src/application/accounts/changeAccount.ts';
import { createAccount } from '../../gateway/src/application/accounts/createAccount.ts';
import { createKey, revokeKey } from '../../gateway/src/application/keys/keys.ts';
import type { Account } from '../../gateway/src/domain/accounts/account.ts';
import { allLookupIdsOf } from '../../gateway/src/domain/accounts/accountLookups.ts';
import { hashApiKey } from '../../gateway/src/domain/accounts/apiKey.ts';
import { collectLog } from '../support/mongod.ts';
import { profile } from '../support/profile.ts';
import { type AdminTest, connectAdmin } from './connect.ts';

let admin: AdminTest;
/** A process that has read nothing yet. */
let fresh: MongoConnection;
const connect = (id: string) =>
  connectMongo({ uri: admin.uri, log: collectLog().log, self: { id, role: 'api' } });
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
    isVerified: true,
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
      await accounts.findByKeyId(keyId),
    ];
    return [...found.map((each) => each?.id ?? null), await accounts.findIdByEmail(email)];
  };
  return { id, keyId, hash, email, reads };
}

/** The results of each staff search in a process, by the name of the search. */
async function searches(process: MongoConnection, account: Account) {
  const { models, collections, lookups, clock, database } = process;
  const queries = createStaffQueries(models, collections, lookups, clock);
  const [{ id: keyId, prefix, lastFour } = { id: '', prefix: '', lastFour: '' }] = account.keys;
  const found = {
    email: await queries.findAccountsFrom('email', account.email.slice(0, -5), 50),
    keyId: await queries.findAccountsFrom('keyId', keyId.slice(0, -5), 50),
    keyPrefix: await queries.findAccountsFrom('keyPrefix', prefix, 50),
    keyLastFour: await queries.findByLastFour(lastFour, 50),
  };
  const ids = Object.entries(found).map(([name, accounts]) => [name, accounts.map(({ id }) => id)]);
  const hosts = await queries.listHostRequests(50);
  return {
    ...(Object.fromEntries(ids) as Record<keyof typeof found, string[]>),
    requestedHosts: hosts.map(({ accountId }) => accountId),
    creditRequest: (await queries.listCreditRequests(50)).map((each) => each.id),
    staff: await queries.listAdmins(50),
    invitedEmail: await database.accounts.findInviting('guest@example.com'),
  };
}

/** An account that each search finds, and no other. */
async function makeAdmin() {
  const { id, email } = await makePerson();
  const invitations = [
    { id: 'hash', email: 'guest@example.com', role: 'member', sentAt: 1, until: 2 } as const,
  ];
  await changeAccount(admin.database, targetById(admin.database, id), (account) => ({
    after: {
      ...account,
      staffRole: 'admin',
      invitations,
      creditRequest: { by: id, askedAt: 1, message: '', state: 'open' as const },
      keys: account.keys.map((key) => ({
        ...key,
        prefix: 'fg_live_Unique',
        lastFour: 'uNiq',
        hosts: [{ rule: 'cdn.example', state: 'requested' as const }],
      })),
    },
  }));
  const account = await admin.database.accounts.find(id);
  if (!account) throw new Error('there is no account');
  const all = {
    email: [id],
    keyId: [id],
    keyPrefix: [id],
    keyLastFour: [id],
    requestedHosts: [id],
    creditRequest: [id],
    staff: [email],
    invitedEmail: [id],
  };
  return { account, all };
}

const lookupsOf = async (accountId: string) => {
  const found = await admin.collections.accountLookups.find({ accountId }).toArray();
  return found.map(({ _id }) => _id).toSorted();
};
const six = (id: string | null) => Array.from({ length: 6 }, () => id);

test('an account is found by each of its values, and by no other', async () => {
  const [one, two] = [await makePerson(), await makePerson()];
  for (const process of [fresh, admin, fresh]) {
    expect(await one.reads(process)).toEqual(six(one.id));
    expect(await two.reads(process)).toEqual(six(two.id));
  }
});

test('a lookup whose account lacks the value admits no one', async () => {
  const { id, reads } = await makePerson();
  const { accounts, accountLookups } = admin.collections;
  // Only this process knows the key.
  expect(await reads(fresh)).toEqual(six(id));
  const without = { email: `${id}@example.com`, externalId: null, identities: [], keys: [] };
  await accounts.updateOne({ _id: id }, { $set: without });
  for (const process of [fresh, admin]) expect(await reads(process)).toEqual(six(null));
  const other = await admin.newAccount();
  await accountLookups.updateMany({ accountId: id }, { $set: { accountId: other } });
  for (const process of [fresh, admin]) expect(await reads(process)).toEqual(six(null));
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
  await changeAccount(admin.database, targetById(admin.database, id), (account) => ({
    after: { ...account, keys: [] },
  }));
  expect(await accounts.findByKeyHash([hash])).toBeNull();
  const account = await admin.database.accounts.find(id);
  expect(await lookupsOf(id)).toEqual(account && allLookupIdsOf(id, account).toSorted());
});

test('simultaneous keys share their reads', async () => {
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

test('searches find an account by each of its values, without a scan', async () => {
  const { account, all } = await makeAdmin();
  expect(await lookupsOf(account.id)).toEqual(allLookupIdsOf(account.id, account).toSorted());
  const statements = await profile(admin.db, ['accounts', 'accountLookups'], async () => {
    expect(await searches(fresh, account)).toEqual(all);
  });
  expect(statements.length).toBeGreaterThan(0);
  expect(statements.filter(({ plan }) => plan.includes('COLLSCAN'))).toEqual([]);
});
