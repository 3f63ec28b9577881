import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  connectMongo,
  type MongoConnection,
} from '../../gateway/src/adapters/mongo/connectMongo.ts';
import { sharedLookups as migration } from '../../gateway/src/adapters/mongo/migrations/0027-sharedLookups.ts';
import { DuplicateValue } from '../../gateway/src/application/ports/database.ts';
import {
  AccountTaken,
  byId,
  changeAccount,
} from '../../gateway/src/application/accounts/accounts.ts';
import { createKey, revokeKey } from '../../gateway/src/application/accounts/keys.ts';
import { keyRoom } from '../../gateway/src/domain/keyLimits.ts';
import { eraseAccount } from '../../gateway/src/application/staff/accountActions.ts';
import { createAccount } from '../../gateway/src/application/accounts/accounts.ts';
import type { Account } from '../../gateway/src/domain/account.ts';
import { allLookupIdsOf } from '../../gateway/src/domain/accountLookups.ts';
import { collectLog } from '../support/mongod.ts';
import { connectAdmin, type AdminTest } from './connect.ts';

let admin: AdminTest;
/** Another process on the same database. */
let other: MongoConnection;
beforeAll(async () => {
  admin = await connectAdmin();
  const self = { id: 'other', role: 'api' } as const;
  other = await connectMongo({ uri: admin.uri, log: collectLog().log, self });
});
afterAll(async () => {
  await other.close();
  await admin.close();
});

type Process = Pick<MongoConnection, 'database'>;

/** The ids of the stored lookups of an account. */
async function stored(accountId: string): Promise<string[]> {
  const found = await admin.collections.accountLookups.find({ accountId }).toArray();
  return found.map(({ _id }) => _id).toSorted();
}

const required = async (accountId: string): Promise<Account> => {
  const account = await admin.database.accounts.find(accountId);
  if (!account) throw new Error(`there is no ${accountId}`);
  return account;
};
const change = (accountId: string, fields: Partial<Account>, { database }: Process = admin) =>
  changeAccount(database, byId(database, accountId), (account) => ({
    after: { ...account, ...fields },
  }));
const make = (email: string, more: object = {}, { database }: Process = admin) =>
  createAccount(
    { ...admin, database },
    { email, password: null, verified: true, staffRole: null, ...more },
  );
const newKey = (accountId: string) =>
  createKey(admin, { accountId, name: 'a key', hosts: [], models: [] });
const identity = (subject: string) => ({ issuer: 'https://id.example.com', subject, linkedAt: 0 });

describe('the lookups of an account', () => {
  test('are written with it and follow its changes', async () => {
    const { id } = await make('ada@example.com', {
      externalId: 'shop-1',
      identities: [identity('ada')],
    });
    const { keyId } = await newKey(id);
    await newKey(id);
    await change(id, { email: 'lovelace@example.com', externalId: 'shop-2' });
    await revokeKey(admin, keyId);
    const account = await required(id);
    expect(account.keys).toHaveLength(2);
    expect(await stored(id)).toEqual(allLookupIdsOf(id, account).toSorted());
    await change(id, { identities: [], externalId: null });
    expect(await stored(id)).toEqual(allLookupIdsOf(id, await required(id)).toSorted());
    expect(await stored(id)).toHaveLength(9);
  });

  test('lose the keys that leave the account', async () => {
    const { id } = await make('many@example.com');
    for (let count = 0; count < keyRoom.revoked + 3; count += 1) {
      await revokeKey(admin, (await newKey(id)).keyId);
    }
    const account = await required(id);
    expect(account.keys.length).toBeLessThan(keyRoom.revoked + 3);
    expect(await stored(id)).toEqual(allLookupIdsOf(id, account).toSorted());
  });

  test('tell nothing of a person after an erasure', async () => {
    const { id } = await make('gone@example.com', {
      externalId: 'gone-1',
      identities: [identity('gone')],
    });
    await newKey(id);
    const eraseTraces = async () => undefined;
    await eraseAccount({ work: admin, writes: { eraseTraces } }, id);
    expect((await stored(id)).map((each) => each.split(' ')[0])).toEqual([
      'email',
      'keyHash',
      'keyId',
      'keyLastFour',
      'keyPrefix',
    ]);
    expect((await stored(id)).join()).not.toContain('gone');
    // The values are free for others.
    await make('gone@example.com', { externalId: 'gone-1', identities: [identity('gone')] });
  });
});

/** The outcomes of both processes at once: who won, and why the other was refused. */
async function race(attempts: readonly Promise<unknown>[]): Promise<unknown[]> {
  const results = await Promise.allSettled(attempts);
  return results
    .map((each) => (each.status === 'rejected' ? (each.reason as unknown) : 'done'))
    .toSorted((a) => (a === 'done' ? -1 : 1));
}

describe('of two processes that claim a value at once, one wins,', () => {
  const rounds = [1, 2, 3, 4, 5];

  test('by new accounts', async () => {
    for (const round of rounds) {
      const [, loser] = await race([
        make(`race${round}@example.com`),
        make(`race${round}@example.com`, {}, other),
      ]);
      expect(loser).toMatchObject({ by: 'email' });
      const [, second] = await race([
        make(`one${round}@example.com`, { externalId: `race-${round}` }),
        make(`two${round}@example.com`, { externalId: `race-${round}` }, other),
      ]);
      expect(second).toBeInstanceOf(AccountTaken);
      expect(second).toMatchObject({ by: 'external id' });
    }
  });

  test.each<[string, string, (value: string) => Partial<Account>]>([
    ['email', 'email', (value) => ({ email: `${value}@example.com` })],
    ['external id', 'externalId', (value) => ({ externalId: value })],
    ['identity', 'identity', (value) => ({ identities: [identity(value)] })],
  ])('by changes of the %s', async (_, index, fields) => {
    const [one, two] = [await admin.newAccount(), await admin.newAccount()];
    for (const round of rounds) {
      const value = `value-${index}-${round}`;
      const [won, loser] = await race([
        change(one, fields(value)),
        change(two, fields(value), other),
      ]);
      expect(won).toBe('done');
      expect(loser).toBeInstanceOf(DuplicateValue);
      expect(loser).toMatchObject({ index });
    }
    for (const id of [one, two]) {
      expect(await stored(id)).toEqual(allLookupIdsOf(id, await required(id)).toSorted());
    }
  });

  test('by keys', async () => {
    const [one, two] = [await admin.newAccount(), await admin.newAccount()];
    await newKey(one);
    await newKey(two);
    const [key] = (await required(one)).keys;
    if (!key) throw new Error('there is no key');
    for (const round of rounds) {
      const keysOf = (name: string) => ({
        keys: [{ ...key, id: `key_${name}${round}`, hash: `hash-${round}` }],
      });
      const [won, loser] = await race([
        change(one, keysOf('one')),
        change(two, keysOf('two'), other),
      ]);
      expect([won, loser]).toEqual(['done', expect.objectContaining({ index: 'keyHash' })]);
    }
  });
});

test('a lookup whose account no longer has the value is taken over', async () => {
  const [former, next] = [await admin.newAccount(), await admin.newAccount()];
  await change(former, { externalId: 'moved' });
  // As the release before does.
  await admin.collections.accounts.updateOne({ _id: former }, { $set: { externalId: null } });
  await change(next, { externalId: 'moved' });
  await expect(change(former, { externalId: 'moved' })).rejects.toMatchObject({
    index: 'externalId',
  });
  expect(await stored(next)).toContain('externalId moved');
  expect(await stored(former)).not.toContain('externalId moved');
});

test('an account that gets back a value of its own keeps its lookup', async () => {
  const accountId = await admin.newAccount();
  await change(accountId, { externalId: 'back' });
  await admin.collections.accounts.updateOne({ _id: accountId }, { $set: { externalId: null } });
  await change(accountId, { externalId: 'back' });
  expect(await stored(accountId)).toContain('externalId back');
});

test('the migration gives all accounts their lookups, and changes nothing when it is run again', async () => {
  const { accounts, accountLookups } = admin.collections;
  const everything = async () => accountLookups.find({}, { sort: { _id: 1 } }).toArray();
  // More than a page, as a release before wrote them.
  const template = await accounts.findOne({ email: 'lovelace@example.com' });
  if (!template) throw new Error('there is no account');
  await accounts.insertMany(
    Array.from({ length: 600 }, (_, index) => {
      const number = String(index).padStart(4, '0');
      return {
        ...template,
        _id: `acct_old${number}`,
        email: `old${number}@example.com`,
        externalId: null,
        keys: [],
      };
    }),
  );
  const wanted = (await accounts.find().toArray())
    .flatMap((account) =>
      allLookupIdsOf(account._id, account).map((_id) => ({ _id, accountId: account._id })),
    )
    .toSorted((a, b) => (a._id < b._id ? -1 : 1));
  await accountLookups.deleteMany({});
  const context = { ...admin, log: collectLog().log, applySchemas: async () => undefined };
  let steps = 0;
  const cutOff = () => {
    steps += 1;
    if (steps === 2) throw new Error('cut off');
  };
  await expect(migration.run({ ...context, assertHeld: cutOff })).rejects.toThrow('cut off');
  const half = (await everything()).length;
  expect(half).toBeGreaterThan(0);
  expect(half).toBeLessThan(wanted.length);
  for (let run = 0; run < 2; run += 1) {
    await migration.run({ ...context, assertHeld: () => undefined });
    expect(await everything()).toEqual(wanted);
  }
});
