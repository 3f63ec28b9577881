import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runNode } from '../support/runNode.ts';
import { type AdminTest, connectAdmin } from './connect.ts';

let admin: AdminTest;
let dataDir: string;
beforeAll(async () => {
  admin = await connectAdmin();
  dataDir = await mkdtemp(join(tmpdir(), 'framegate-operator-'));
});
afterAll(async () => {
  await admin.close();
  await rm(dataDir, { recursive: true, force: true });
});

const run = async (line: string) => {
  const ended = await runNode(['gateway/src/admin.ts', ...line.split(' ')], {
    MONGODB_URI: admin.uri,
    DATA_DIR: dataDir,
    KEY_PEPPERS: `p1:${'p'.repeat(32)}`,
  });
  const output = ended.stdout === '' ? {} : (JSON.parse(ended.stdout) as Record<string, unknown>);
  return { ...ended, output };
};

test('a plan is started, changed, shown and ended', async () => {
  const id = await admin.newAccount();
  const account = `--account ${id}`;
  const started = await run(`plan start ${account} --name Studio --credits 500`);
  expect(started.output).toMatchObject({ name: 'Studio', credits: 500, months: 1, ended_at: null });
  const changed = await run(`plan change ${account} --credits 700`);
  expect(changed.output).toMatchObject({ name: 'Studio', credits: 700, months: 1 });
  const { output } = await run(`account show ${account}`);
  expect(output).toMatchObject({ available: 500, plan: { name: 'Studio', credits: 700 } });
  expect((await run(`plan end ${account}`)).output).toMatchObject({ next_at: null });
  const again = await run(`plan end ${account}`);
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('has no plan')]);
  expect((await run(`plan start ${account} --name Studio --credits 0`)).status).toBe(2);
});

test('keys are made, listed, replaced and revoked, as the audit log records', async () => {
  const made = await run(
    'operator-key create --name shop --scope credits:write --scope accounts:read --address 10.0.0.0/8',
  );
  expect(made.output).toMatchObject({
    name: 'shop',
    works: true,
    scopes: ['accounts:read', 'credits:write'],
    addresses: ['10.0.0.0/8'],
    operator_key: expect.stringMatching(/^fg_operator_[0-9A-Za-z]{38}$/),
  });
  const id = String(made.output['operator_key_id']);
  const next = await run(
    `operator-key create --name shop --scope credits:write --replaces ${id} --overlap-hours 1`,
  );
  expect(next.output['replaces']).toMatchObject({ operator_key_id: id, works: true });
  const revoked = await run(`operator-key revoke --key ${id}`);
  expect(revoked.output).toMatchObject({ operator_key_id: id, works: false });
  const { output, stdout } = await run('operator-key list');
  expect(output['operator_keys']).toMatchObject([{ works: true }, { operator_key_id: id }]);
  expect(stdout).not.toContain(String(made.output['operator_key']));
  const audit = await admin.models.staffAudit.find({ terms: id }).lean();
  expect(audit.map(({ action }) => action).toSorted()).toEqual([
    'command operator-key create',
    'command operator-key create',
    'command operator-key revoke',
  ]);
});

test('a wrong scope and an unknown key are reported, and nothing is made', async () => {
  const wrong = await run('operator-key create --name shop --scope money');
  expect([wrong.status, wrong.stderr]).toEqual([
    1,
    expect.stringContaining('Scope money does not exist'),
  ]);
  const none = await run('operator-key create --name x --scope credits:read --replaces opk_1');
  expect([none.status, none.stderr]).toEqual([
    1,
    expect.stringContaining('operator key does not exist'),
  ]);
  expect(await admin.models.operatorKeys.countDocuments({ name: 'x' })).toBe(0);
});

test('accounts, keys and generations are looked up', async () => {
  const email = 'look@up.example';
  const { output: made } = await run(
    `account create --email ${email} --external-id look-up --verified`,
  );
  const id = String(made['account_id']);
  const account = { account_id: id, external_id: 'look-up', email, email_verified: true };
  expect((await run(`account find --email ${email.toUpperCase()}`)).output).toMatchObject(account);
  expect((await run('account find --external-id look-up')).output).toMatchObject(account);
  await run('account create --email next@up.example');
  const { output: first } = await run('account list --limit 1');
  const { output: rest } = await run(`account list --after ${String(first['next'])}`);
  const listed = [first, rest].flatMap(({ accounts }) => accounts as { account_id: string }[]);
  expect(listed.filter((each) => each.account_id === id)).toMatchObject([account]);
  expect(rest['next']).toBeNull();
  const { output: key } = await run(
    `key create --account ${id} --name app --host a.example.com --monthly-credits 900`,
  );
  expect((await run(`key list --account ${id}`)).output).toMatchObject({
    account_id: id,
    keys: [{ key_id: key['key_id'], works: true, hosts: [{ host: 'a.example.com' }] }],
  });
  const nobody = await run('account find --external-id nobody');
  expect([nobody.status, nobody.stderr]).toEqual([
    1,
    'This account does not exist.\nTo find the account: account find --email E\n',
  ]);
  const none = await run('generation show --generation gen_1');
  expect([none.status, none.stderr]).toEqual([1, "This generation doesn't exist.\n"]);
  const both = await run('account find --external-id a --email b@c.example');
  expect(both.status).toBe(2);
});

test('an account is made with an external id, once', async () => {
  const make = (email: string) => run(`account create --email ${email} --external-id shop-9`);
  const { output } = await make('a@shop.example');
  const stored = await admin.database.accounts.findByExternalId('shop-9');
  expect(stored?.id).toBe(output['account_id']);
  const again = await make('b@shop.example');
  expect([again.status, again.stderr]).toEqual([
    1,
    expect.stringContaining('has this external ID'),
  ]);
});
