import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { video } from '../../test/support/bodies.ts';
import {
  startTestGateway,
  type TestAccount,
  type TestGateway,
} from '../../test/support/gateway.ts';
import { profile } from '../../test/support/profile.ts';
import { budgets } from './budgets.ts';

let gateway: TestGateway;
let account: TestAccount;
let path: string;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
  account = await gateway.addAccount({ credits: 10_000 });
  const created = await account.post('/v1/videos', video());
  path = `/v1/generations/${String(created.json['id'])}`;
  // The process then knows the key.
  await account.get(path);
});
afterAll(() => gateway.stop());

const collections = ['generations', 'accounts', 'ledger', 'agendaJobs'];

async function commandsOf(work: () => Promise<unknown>): Promise<string[]> {
  const found = await profile(gateway.db, collections, work);
  return found.map(({ collection, op, keysWritten }) => `${collection} ${op} ${keysWritten}`);
}

test('a create sends the commands and writes the index keys of its budget', async () => {
  expect(await commandsOf(() => account.post('/v1/videos', video()))).toEqual(
    budgets.create.commands,
  );
});

test('a read sends the commands of its budget', async () => {
  expect(await commandsOf(() => account.get(path))).toEqual(budgets.read.commands);
});
