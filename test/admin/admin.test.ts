import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hashApiKey } from '../../gateway/src/domain/accounts/apiKey.ts';
import { runAdminHere } from '../support/runAdminHere.ts';
import { type Ended, runNode } from '../support/runNode.ts';
import { withoutPackage } from '../support/withoutPackage.ts';
import { type AdminTest, connectAdmin } from './connect.ts';
import { printed } from './printed.ts';

let tester: AdminTest;
let folder = '';
const pepper = { version: 'p1', secret: 'p'.repeat(32) };
beforeAll(async () => {
  tester = await connectAdmin();
  folder = await mkdtemp(join(tmpdir(), 'framegate-admin-'));
});
afterAll(async () => {
  await tester.close();
  await rm(folder, { recursive: true });
});

/** This file's database. */
const settings = () => ({
  MONGODB_URI: tester.uri,
  KEY_PEPPERS: `${pepper.version}:${pepper.secret}`,
});
const admin = (line: string): Promise<Ended> => runAdminHere(line.split(' '), settings());
/** Runs `npm run admin` as its script does. */
const adminProcess = (line: string, env: Record<string, string> = settings()): Promise<Ended> =>
  runNode(['gateway/src/admin.ts', ...line.split(' ')], env);

const newAccount = async (email: string) =>
  String(
    printed(await admin(`account create --email ${email} --password long-password`))['account_id'],
  );

test('an account gets its key after its creation', async () => {
  const account = await newAccount('Ada@Example.org');
  expect(account).toMatch(/^acct_[0-9a-z]{26}$/);
  const lot = printed(
    await admin(`credits grant --account ${account} --amount 1000 --expires 2099-01-01T00:00:00Z`),
  );
  expect(lot).toEqual({
    lot_id: expect.stringMatching(/^lot_[0-9a-z]{26}$/),
    idempotency_key: expect.stringMatching(/^[!-~]{36}$/),
    replayed: false,
  });
  const [limits, key] = await Promise.all([
    admin(`account limits --account ${account} --creates-per-minute 1000000 --waiting 0`),
    admin(`key create --account ${account} --name shop --host cdn.example --model beta-3.0`),
  ]);
  const shownLimits = {
    creates_per_minute: 1_000_000,
    burst: 10,
    running: 10,
    waiting: 0,
    status_reads_per_minute: 600,
    other_reads_per_minute: 120,
  };
  expect(printed(limits)).toEqual({ account_id: account, limits: shownLimits });
  const { key_id: keyId, api_key: apiKey } = printed(key);
  const hash = hashApiKey(String(apiKey), pepper);
  expect((await tester.database.accounts.findByKeyHash([hash]))?.id).toBe(account);
  const [shown, approved] = await Promise.all([
    admin(`account show --account ${account}`),
    admin(`host approve --key ${String(keyId)} --host *.Files.example`),
  ]);
  expect(printed(shown)).toEqual({
    account_id: account,
    status: 'active',
    available: 1000,
    in_flight: 0,
    limits: shownLimits,
    lots: [
      {
        lot_id: lot['lot_id'],
        kind: 'promotional',
        amount: 1000,
        remaining: 1000,
        expires_at: '2099-01-01T00:00:00.000Z',
      },
    ],
    plan: null,
  });
  expect(printed(approved)).toMatchObject({ key_id: keyId, host: '*.files.example' });
  const [revoked, suspended] = await Promise.all([
    admin(`key revoke --key ${String(keyId)}`),
    admin(`account suspend --account ${account}`),
  ]);
  expect(printed(revoked)).toMatchObject({ key_id: keyId });
  expect(printed(suspended)).toEqual({ account_id: account, status: 'suspended' });
  const resumed = printed(await admin(`account resume --account ${account}`));
  expect(resumed).toEqual({ account_id: account, status: 'active' });
});

test('ledger verify prints its report, with exit status 1 when a promise is broken', async () => {
  const account = await newAccount('grace@example.org');
  await admin(`credits grant --account ${account} --amount 5 --kind purchased`);
  const healthy = printed(await adminProcess('ledger verify'));
  expect(healthy).toEqual({ accounts: expect.any(Number), generations: 0, problems: [] });
  await tester.collections.ledger.deleteOne({ accountId: account });
  const broken = await adminProcess('ledger verify');
  expect(broken.status).toBe(1);
  const { problems } = JSON.parse(broken.stdout) as { problems: unknown[] };
  expect(problems).toContainEqual(
    expect.objectContaining({
      invariant: 'I1',
      document: `accounts/${account}`,
      problem: 'holds 5 credits, its ledger adds up to 0',
    }),
  );
});

test('a failure is reported on standard error with exit status 1, wrong usage with 2', async () => {
  const [unknown, usage, config] = await Promise.all([
    adminProcess('account show --account acct_x'),
    adminProcess('account show'),
    adminProcess('ledger verify', { PORT: 'x' }),
  ]);
  expect(unknown).toEqual({
    status: 1,
    stdout: '',
    stderr: 'This account does not exist.\nTo find the account: account find --email E\n',
  });
  expect(usage.status).toBe(2);
  expect(usage.stderr).toMatch(/^--account is missing\. .*--help.*\n$/);
  expect(config).toMatchObject({ status: 1, stdout: '' });
  expect(config.stderr).toContain('PORT is "x": it must be a whole number from 1 to 65535.');
});

test('without MONGODB_URI and the package of the embedded database, one line says so', async () => {
  const env = {
    DATA_DIR: join(folder, 'data'),
    NODE_OPTIONS: withoutPackage('@framegate/embedded-mongod'),
  };
  const { status, stderr } = await adminProcess('ledger verify', env);
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^MONGODB_URI is not set, .*\n$/)]);
});
