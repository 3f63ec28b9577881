import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  connectMongo,
  type MongoConnection,
} from '../../gateway/src/adapters/mongo/connectMongo.ts';
import { changeAccount, targetById } from '../../gateway/src/application/accounts/changeAccount.ts';
import {
  createAccount,
  isAccountTaken,
} from '../../gateway/src/application/accounts/createAccount.ts';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { createKey, revokeKey } from '../../gateway/src/application/keys/keys.ts';
import { DuplicateValueError } from '../../gateway/src/application/ports/database.ts';
import { eraseAccount } from '../../gateway/src/application/staff/accountActions.ts';
import type { Account } from '../../gateway/src/domain/accounts/account.ts';
import { allLookupIdsOf } from '../../gateway/src/domain/accounts/accountLookups.ts';
import { keyLimits } from '../../gateway/src/domain/accounts/keyLimits.ts';
import { collectLog } from '../support/mongod.ts';
import { type AdminTest, connectAdmin } from './connect.ts';

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
  changeAccount(database, targetById(database, accountId), (account) => ({
    after: { ...account, ...fields },
  }));
const make = (email: string, more: object = {}, { database }: Process = admin) =>
  createAccount(
    { ...admin, database },
    { email, password: null, isVerified: true, staffRole: null, ...more },
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
    const erasureRequest = { requestedAt: 1, dueAt: 3, remindAt: 2 };
    await change(id, { email: 'lovelace@example.com', externalId: 'shop-2', erasureRequest });
    await revokeKey(admin, keyId);
    const account = await required(id);
    expect(account.keys).toHaveLength(2);
    expect(await stored(id)).toEqual(allLookupIdsOf(id, account).toSorted());
    const request = { ...erasureRequest, remindAt: null };
    await change(id, { identities: [], externalId: null, erasureRequest: request });
    expect((await verifyLedger(admin)).problems).toEqual([]);
    expect(await stored(id)).toContain(`erasureRequest 000000000000003 ${id}`);
    expect(await stored(id)).toEqual(allLookupIdsOf(id, await required(id)).toSorted());
    expect(await stored(id)).toHaveLength(10);
  });

  test('lose the keys that leave the account', async () => {
    const { id } = await make('many@example.com');
    for (let count = 0; count < keyLimits.revoked + 3; count += 1) {
      await revokeKey(admin, (await newKey(id)).keyId);
    }
    const account = await required(id);
    expect(account.keys.length).toBeLessThan(keyLimits.revoked + 3);
    expect(await stored(id)).toEqual(allLookupIdsOf(id, account).toSorted());
  });

  test('reveal nothing about a person after an erasure', async () => {
    const { id } = await make('gone@example.com', {
      externalId: 'gone-1',
      identities: [identity('gone')],
    });
    await newKey(id);
    await eraseAccount(admin, id);
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

/** The outcomes of both processes: the winner, and the refusal of the other. */
async function race(attempts: readonly Promise<unknown>[]): Promise<unknown[]> {
  const results = await Promise.allSettled(attempts);
  return results
    .map((each) => (each.status === 'rejected' ? (each.reason as unknown) : 'done'))
    .toSorted((a) => (a === 'done' ? -1 : 1));
}

describe('of two processes that claim a value simultaneously, one wins,', () => {
  const rounds = [1, 2, 3, 4, 5];

  test('by new accounts', async () => {
    for (const round of rounds) {
      const [, loser] = await race([
        make(`race${round}@example.com`),
        make(`race${round}@example.com`, {}, other),
      ]);
      expect(loser).toMatchObject({ code: 'email_taken' });
      const [, second] = await race([
        make(`one${round}@example.com`, { externalId: `race-${round}` }),
        make(`two${round}@example.com`, { externalId: `race-${round}` }, other),
      ]);
      expect(isAccountTaken(second)).toBe(true);
      expect(second).toMatchObject({ code: 'external_id_taken' });
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
      expect(loser).toBeInstanceOf(DuplicateValueError);
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
