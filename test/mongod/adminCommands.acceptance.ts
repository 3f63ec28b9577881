import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { printed } from '../admin/printed.ts';
import { findTestMongod } from '../support/mongod.ts';
import { runNode } from '../support/runNode.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-admin-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('without MONGODB_URI commands share the embedded database, and generated secrets', async () => {
  const env = { DATA_DIR: join(folder, 'data'), MONGOD: (await findTestMongod()).path };
  const admin = (line: string) => runNode(['gateway/src/admin.ts', ...line.split(' ')], env);
  const [first, second] = await Promise.all([
    admin('account create --email a@b.example --password long-password'),
    admin('account create --email b@b.example --password long-password'),
  ]);
  const account = String(printed(first)['account_id']);
  expect(printed(second)).toHaveProperty('account_id');
  const [key, report] = await Promise.all([
    admin(`key create --account ${account} --name k`),
    admin('ledger verify'),
  ]);
  expect(printed(key)).toHaveProperty('api_key');
  expect(printed(report)).toEqual({ accounts: 2, generations: 0, problems: [] });
});
