import { expect, test } from '@jest/globals';
import type { Account, ApiKey } from './account.ts';
import { lookupChange, lookupIdsOf } from './accountLookups.ts';

const keys = ['hash-1', 'hash-2'].map((hash) => ({ hash }) as ApiKey);
const identities = [{ issuer: 'https://id.example.com', subject: 'a b', linkedAt: 0 }];
const account = { email: 'a@example.com', externalId: 'shop 7', keys, identities } as Account;

test('an account is found by its address, its external id, the hashes of its keys and its identities', () => {
  expect(lookupIdsOf(account)).toEqual([
    'email a@example.com',
    'externalId shop 7',
    'keyHash hash-1',
    'keyHash hash-2',
    'identity https://id.example.com a b',
  ]);
  expect(lookupIdsOf({ email: 'a@example.com', externalId: null, keys: [] })).toEqual([
    'email a@example.com',
  ]);
});

test.each<[string, Partial<Account>]>([
  ['credits', { lots: [] }],
  [
    'what a key has spent',
    { keys: keys.map((key) => ({ ...key, spent: { day: 1, credits: 1 } })) },
  ],
])('a change of %s changes no lookup', (_, change) => {
  expect(lookupChange(account, { ...account, ...change })).toBeNull();
});

test.each<[string, Partial<Account>, string[], string[]]>([
  ['the address', { email: 'b@example.com' }, ['email a@example.com'], ['email b@example.com']],
  ['the external id', { externalId: null }, ['externalId shop 7'], []],
  [
    'a key',
    { keys: [...keys.slice(1), { hash: 'hash-3' } as ApiKey] },
    ['keyHash hash-1'],
    ['keyHash hash-3'],
  ],
  ['the identities', { identities: [] }, ['identity https://id.example.com a b'], []],
  ['the order of keys', { keys: keys.toReversed() }, [], []],
])('a change of %s changes its lookups alone', (_, change, gone, added) => {
  expect(lookupChange(account, { ...account, ...change })).toEqual({ gone, added });
});
