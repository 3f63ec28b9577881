import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mendAccount } from '../../gateway/src/application/credits/audit/mendAccount.ts';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { Refusal } from '../../gateway/src/domain/refusal.ts';
import { type AdminTest, connectAdmin } from './connect.ts';
import { damages } from './ledgerDamages.ts';
import { type Seed, seedLedger } from './seedLedger.ts';
import { stateDamages } from './stateDamages.ts';

let admin: AdminTest;
let seed: Seed;
beforeAll(async () => {
  admin = await connectAdmin();
});
afterAll(async () => {
  await admin.close();
});
beforeEach(async () => {
  seed = await seedLedger(admin);
});

const everything = async () => {
  const { accounts, ledger, generations } = admin.collections;
  return [
    await accounts.find({}).sort({ _id: 1 }).toArray(),
    await ledger.find({}).sort({ _id: 1 }).toArray(),
    await generations.find({}).sort({ _id: 1 }).toArray(),
  ];
};
const problems = async () => (await verifyLedger(admin)).problems;

test('a healthy account stays as it is', async () => {
  const before = await everything();
  expect(await mendAccount(admin, seed.accountId, false)).toEqual({ changes: [], problems: [] });
  expect(await everything()).toEqual(before);
  await expect(mendAccount(admin, 'acct_none', false)).rejects.toMatchObject({
    code: 'account_not_found',
  });
});

const all = [...damages, ...stateDamages];
const named = (names: readonly string[]) => {
  const found = all.filter(([name]) => names.includes(name));
  if (found.length !== names.length) throw new Error('a damage has another name');
  return found;
};

describe('mends what the ledger determines', () => {
  test.each(
    named([
      'credits appear in a lot',
      'a lot is gone with its credits',
      'the counts are wrong',
      'a lot expires that does not',
      'nobody finds an account when its credits expire',
      'a spent lot is there twice',
      'a plan has fewer months than were granted',
      'a key has no count',
    ]),
  )('%s', async (_name, damage) => {
    await damage(seed);
    const [first] = await problems();
    const accountId = first?.document.replace('accounts/', '') ?? '';
    const before = await everything();
    const shown = await mendAccount(admin, accountId, true);
    expect(await everything()).toEqual(before);
    const done = await mendAccount(admin, accountId, false);
    expect(done).toEqual({ changes: shown.changes, problems: [] });
    expect(done.changes).not.toEqual([]);
    expect(await problems()).toEqual([]);
    expect((await everything())[1]).toEqual(before[1]);
  });
});

describe('changes nothing that the ledger does not determine', () => {
  test.each(
    named([
      'a charge is gone from the ledger',
      'the ledger lacks its last entry',
      'an account has another hash',
      'an entry has another hash',
      'a completed generation was refunded',
      'an account is of an earlier version',
    ]),
  )('%s', async (_name, damage) => {
    await damage(seed);
    const before = await everything();
    const outcome = await mendAccount(admin, seed.accountId, false).catch((error: unknown) => {
      if (error instanceof Refusal) return error.code;
      throw error;
    });
    if (typeof outcome === 'string') expect(outcome).toBe('ledger_damaged');
    else expect(outcome).toMatchObject({ changes: [], problems: [{}] });
    expect(await everything()).toEqual(before);
  });
});

test('an account that changes meanwhile is not mended', async () => {
  await admin.collections.accounts.updateOne({ _id: seed.accountId }, { $inc: { running: 1 } });
  const changeAccount: typeof admin.database.changeAccount = async (accountId, decide) => {
    await admin.collections.accounts.updateOne({ _id: accountId }, { $inc: { version: 1 } });
    return admin.database.changeAccount(accountId, decide);
  };
  const deps = { ...admin, database: { changeAccount } };
  await expect(mendAccount(deps, seed.accountId, false)).rejects.toMatchObject({
    code: 'account_changed',
  });
});
