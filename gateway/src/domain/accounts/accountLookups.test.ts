import { expect, test } from '@jest/globals';
import type { TeamInvitation } from '../teams/members.ts';
import type { Account } from './account.ts';
import { allLookupIdsOf, lookupChange, lookupIdsOf } from './accountLookups.ts';
import type { ApiKey } from './apiKey.ts';

const keyOf = (number: number): ApiKey =>
  ({
    id: `key_${number}`,
    hash: `hash-${number}`,
    prefix: 'fg_live_ab',
    lastFour: `000${number}`,
    hosts: [],
  }) as never;
const keys = [1, 2].map(keyOf);
const identities = [{ issuer: 'https://id.example.com', subject: 'a b', linkedAt: 0 }];
const account = {
  id: 'acct_1',
  email: 'a@example.com',
  externalId: 'shop 7',
  keys,
  identities,
  staffRole: null,
} as Account;

test('an account is found by its address, its external id, its keys and its identities', () => {
  expect(lookupIdsOf(account)).toEqual([
    'email a@example.com',
    'externalId shop 7',
    'keyHash hash-1',
    'keyId key_1',
    'keyHash hash-2',
    'keyId key_2',
    'identity https://id.example.com a b',
  ]);
  expect(lookupIdsOf({ email: 'a@example.com', externalId: null, keys: [] })).toEqual([
    'email a@example.com',
  ]);
});

test('values that several accounts may have are found with the id of each account, once', () => {
  const hosts = [{ rule: 'cdn.example', state: 'requested' } as const];
  const asking = keys.map((key) => ({ ...key, hosts }));
  const invitations = [{ email: 'b@example.com' }];
  const erasureRequest = { requestedAt: 1, dueAt: 3, remindAt: 2 };
  const creditRequest = { by: 'acct_1', askedAt: 4, message: '', state: 'open' } as const;
  const more = { keys: asking, invitations, erasureRequest, creditRequest };
  const staff = { ...account, ...more, staffRole: 'admin' } as const;
  expect(allLookupIdsOf('acct_1', staff)).toEqual([
    ...lookupIdsOf(staff),
    'keyLastFour 0001 acct_1',
    'keyPrefix fg_live_ab acct_1',
    'keyLastFour 0002 acct_1',
    'requestedHosts any acct_1',
    'invitedEmail b@example.com acct_1',
    'erasureRequest 000000000000002 acct_1',
    'creditRequest 000000000000004 acct_1',
    'staff admin acct_1',
  ]);
});

test.each<[string, Partial<Account>]>([
  ['credits', { lots: [] }],
  [
    'what a key has spent',
    { keys: keys.map((key) => ({ ...key, daySpent: { day: 1, credits: 1 } })) },
  ],
])('a change of %s changes no lookup', (_, change) => {
  expect(lookupChange(account, { ...account, ...change })).toBeNull();
});

test.each<[string, Partial<Account>, string[], string[]]>([
  ['the address', { email: 'b@example.com' }, ['email a@example.com'], ['email b@example.com']],
  ['the external id', { externalId: null }, ['externalId shop 7'], []],
  [
    'a key',
    { keys: [...keys.slice(1), keyOf(3)] },
    ['keyHash hash-1', 'keyId key_1', 'keyLastFour 0001 acct_1'],
    ['keyHash hash-3', 'keyId key_3', 'keyLastFour 0003 acct_1'],
  ],
  ['the identities', { identities: [] }, ['identity https://id.example.com a b'], []],
  ['the role in the staff', { staffRole: 'support' }, [], ['staff support acct_1']],
  [
    'an invitation',
    { invitations: [{ email: 'b@example.com' } as TeamInvitation] },
    [],
    ['invitedEmail b@example.com acct_1'],
  ],
  [
    'the hosts of a key',
    { keys: keys.map((key) => ({ ...key, hosts: [{ rule: 'a.example', state: 'requested' }] })) },
    [],
    ['requestedHosts any acct_1'],
  ],
  [
    'a request for credits',
    { creditRequest: { by: 'acct_1', askedAt: 4, message: '', state: 'open' } },
    [],
    ['creditRequest 000000000000004 acct_1'],
  ],
  [
    'an answered request for credits',
    { creditRequest: { by: 'acct_1', askedAt: 4, message: '', state: 'granted' } },
    [],
    [],
  ],
  ['the order of keys', { keys: keys.toReversed() }, [], []],
])('a change of %s changes its lookups alone', (_, change, gone, added) => {
  expect(lookupChange(account, { ...account, ...change })).toEqual({ gone, added });
});
