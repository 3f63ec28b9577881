import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hourMs } from '@framegate/contract';
import { argon2Passwords } from '../../gateway/src/adapters/system/passwords.ts';
import {
  setAccountLimits,
  setAccountStatus,
  showAccount,
} from '../../gateway/src/application/accounts/accounts.ts';
import { createAccount } from '../../gateway/src/application/accounts/createAccount.ts';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import { approveHost, createKey, revokeKey } from '../../gateway/src/application/keys/keys.ts';
import { hashApiKey, isApiKey } from '../../gateway/src/domain/accounts/apiKey.ts';
import { type AdminTest, connectAdmin } from './connect.ts';

let admin: AdminTest;
beforeAll(async () => {
  admin = await connectAdmin();
});
afterAll(async () => {
  await admin.close();
});

const person = (email: string) => ({
  email,
  password: 'a long password',
  isVerified: true,
  staffRole: null,
});
const grantOf = (accountId: string, amountCredits: number) => ({
  accountId,
  amountCredits,
  kind: 'purchased' as const,
  expiresAt: null,
  reason: null,
});

describe('createAccount', () => {
  test('stores the normalised address and an argon2id hash, never the password', async () => {
    const passwords = argon2Passwords;
    const someone = { ...person(' Ada@Example.ORG '), staffRole: 'admin' as const };
    const { id } = await createAccount({ ...admin, passwords }, someone);
    const stored = await admin.database.accounts.find(id);
    expect(stored).toMatchObject({
      email: 'ada@example.org',
      isVerified: true,
      staffRole: 'admin',
    });
    expect(stored?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.verify(stored?.passwordHash ?? '', 'a long password')).toBe(true);
    expect(await passwords.verify(stored?.passwordHash ?? '', 'another password')).toBe(false);
  });

  test('makes one account for one address, in any spelling and for any number of concurrent calls', async () => {
    const asked = ['eve@example.org', 'EVE@example.org', ' eve@Example.org'].map((email) =>
      createAccount(admin, person(email)),
    );
    const results = await Promise.allSettled(asked);
    expect(results.map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
    ]);
  });

  test.each([
    '',
    'no address',
    '@example.org',
    'a@',
    'a@b@c.example',
    `${'a'.repeat(65)}@b.example`,
  ])('refuses the address "%s"', async (email) => {
    await expect(createAccount(admin, person(email))).rejects.toMatchObject({
      code: 'email_invalid',
    });
  });

  test('refuses a password that is too short', async () => {
    const command = { ...person('short@people.example'), password: '1234567' };
    await expect(createAccount(admin, command)).rejects.toMatchObject({
      code: 'password_too_short',
      values: { min: 8 },
    });
  });
});

describe('grantCredits', () => {
  test('all of many simultaneous grants arrive, each with its ledger entry', async () => {
    const accountId = await admin.newAccount();
    const amounts = [1, 2, 3, 4, 5, 6, 7, 8];
    await Promise.all(amounts.map((amount) => grantCredits(admin, grantOf(accountId, amount))));
    const account = await showAccount(admin, accountId);
    expect(account.available).toBe(36);
    expect(account.lots).toMatchObject([{ amount: 36, remaining: 36 }]);
    const entries = await admin.database.ledger.find(accountId);
    expect(entries.map(({ number }) => number)).toEqual(amounts);
    expect(entries.map(({ amount }) => amount).toSorted()).toEqual(amounts);
    expect(entries.every(({ kind }) => kind === 'grant')).toBe(true);
    expect((await verifyLedger(admin)).problems).toEqual([]);
  });

  test('lots are listed in the order of spending; an expired one is not available', async () => {
    const accountId = await admin.newAccount();
    const nowMs = admin.clock.now();
    await grantCredits(admin, grantOf(accountId, 5));
    await grantCredits(admin, { ...grantOf(accountId, 7), expiresAt: nowMs + hourMs });
    const later = { ...admin, clock: { ...admin.clock, now: () => nowMs + hourMs } };
    expect((await showAccount(admin, accountId)).lots.map(({ amount }) => amount)).toEqual([7, 5]);
    expect((await showAccount(admin, accountId)).available).toBe(12);
    expect((await showAccount(later, accountId)).available).toBe(5);
  });

  test('refuses invalid amounts, past dates and unknown accounts, and writes nothing', async () => {
    const accountId = await admin.newAccount();
    const past = { ...grantOf(accountId, 5), expiresAt: admin.clock.now() - 1 };
    await expect(grantCredits(admin, past)).rejects.toMatchObject({ code: 'expiry_past' });
    await expect(grantCredits(admin, grantOf(accountId, 0))).rejects.toMatchObject({
      code: 'amount_invalid',
    });
    await expect(grantCredits(admin, grantOf(accountId, 0.5))).rejects.toMatchObject({
      code: 'amount_invalid',
    });
    await expect(grantCredits(admin, grantOf('acct_x', 5))).rejects.toMatchObject({
      code: 'account_not_found',
    });
    expect(await admin.database.ledger.find(accountId)).toEqual([]);
  });
});

describe('keys', () => {
  const command = {
    name: ' Shop ',
    hosts: ['CDN.example', '*.files.example'],
    models: ['beta-3.0'],
  };

  test('a key is found by its hash, with approved hosts and its models, and is stored nowhere', async () => {
    const accountId = await admin.newAccount();
    const { keyId, apiKey } = await createKey(admin, { ...command, accountId });
    expect(isApiKey(apiKey)).toBe(true);
    const found = await admin.database.accounts.findByKeyHash([hashApiKey(apiKey, admin.pepper)]);
    expect(found?.keys).toEqual([
      expect.objectContaining({
        id: keyId,
        name: 'Shop',
        pepperVersion: 'p1',
        prefix: expect.stringMatching(/^fg_live_[0-9A-Za-z]{6}$/),
        lastFour: apiKey.slice(-4),
        models: ['beta-3.0'],
        hosts: [
          { rule: 'cdn.example', state: 'approved' },
          { rule: '*.files.example', state: 'approved' },
        ],
        revokedAt: null,
      }),
    ]);
    expect(JSON.stringify(found)).not.toContain(apiKey.slice(8));
  });

  test.each([
    [{ models: ['alpha-9'] }, 'model_not_found'],
    [{ hosts: ['localhost'] }, 'host_invalid'],
    [{ hosts: ['https://cdn.example'] }, 'host_invalid'],
    [{ name: ' ' }, 'key_name_missing'],
    [{ name: 'n'.repeat(65) }, 'key_name_too_long'],
    [{ accountId: 'acct_x' }, 'account_not_found'],
  ])('refuses %j', async (change, code) => {
    const accountId = await admin.newAccount();
    const asked = createKey(admin, { ...command, accountId, ...change });
    await expect(asked).rejects.toMatchObject({ code });
    expect((await admin.database.accounts.find(accountId))?.keys).toEqual([]);
  });

  test('a key that is revoked twice keeps the time of the first', async () => {
    const accountId = await admin.newAccount();
    const { keyId } = await createKey(admin, { ...command, accountId });
    const first = await revokeKey(admin, keyId);
    const later = { ...admin, clock: { ...admin.clock, now: () => first + 1000 } };
    expect(await revokeKey(later, keyId)).toBe(first);
    await expect(revokeKey(admin, 'key_x')).rejects.toMatchObject({ code: 'key_not_found' });
  });

  test('an approved host replaces the request for it', async () => {
    const accountId = await admin.newAccount();
    const { keyId } = await createKey(admin, { ...command, accountId, hosts: ['a.example'] });
    expect(await approveHost(admin, { keyId, host: 'B.example' })).toBe('b.example');
    await approveHost(admin, { keyId, host: 'b.example' });
    const [key] = (await admin.database.accounts.find(accountId))?.keys ?? [];
    expect(key?.hosts).toEqual([
      { rule: 'a.example', state: 'approved' },
      { rule: 'b.example', state: 'approved' },
    ]);
    await expect(approveHost(admin, { keyId, host: '*.com' })).rejects.toMatchObject({
      code: 'host_invalid',
    });
  });
});

test('limits of an account add up, and the others stay the default', async () => {
  const accountId = await admin.newAccount();
  await setAccountLimits(admin, { accountId, limits: { running: 3 } });
  const limits = await setAccountLimits(admin, { accountId, limits: { waiting: 0 } });
  expect(limits).toEqual({ ...admin.defaultLimits, running: 3, waiting: 0 });
  expect((await showAccount(admin, accountId)).limits).toEqual(limits);
});

test('an account is suspended and resumed', async () => {
  const accountId = await admin.newAccount();
  await setAccountStatus(admin, { accountId, status: 'suspended' });
  expect((await showAccount(admin, accountId)).status).toBe('suspended');
  await setAccountStatus(admin, { accountId, status: 'active' });
  expect((await showAccount(admin, accountId)).status).toBe('active');
  const unknown = setAccountStatus(admin, { accountId: 'acct_x', status: 'active' });
  await expect(unknown).rejects.toMatchObject({ code: 'account_not_found' });
});
