import { expect, test } from '@jest/globals';
import type { Account } from '../../domain/accounts/account.ts';
import type { AccountDecision, Database, DecideAccount } from '../ports/database.ts';
import type { OperatorRequest } from '../ports/operator.ts';
import type { OperatorWriteCall } from './operatorCall.ts';
import { type OperatorWrite, writeOnce } from './writeOnce.ts';

/** Writes once with a database that keeps the decisions that it is given. */
function write(run: (database: Database) => Promise<void>) {
  const decisions: AccountDecision<unknown>[] = [];
  let stored: OperatorRequest | null = null;
  const deps = {
    clock: { now: () => 0 },
    random: { newId: () => 'aud_1' },
    operatorRequests: { find: async () => stored },
    database: {
      isTrouble: () => false,
      changeAccount: async (id: string, decide: DecideAccount<unknown>) => {
        const decision = await decide({ id } as Account);
        decisions.push(decision);
        stored = decision.records?.request ?? stored;
        return decision.result;
      },
    },
  };
  const call = {
    operation: 'eraseAccount',
    key: { id: 'opk_1', name: 'shop' },
    requestId: 'req_1',
    address: '127.0.0.1',
    target: 'POST /accounts/acct_1/erase',
    idempotencyKey: 'once',
    body: {},
  } as unknown as OperatorWriteCall;
  const made: OperatorWrite = {
    status: 200,
    present: ({ after }) => ({ id: after.id }),
    run,
  };
  return { decisions, response: writeOnce(deps as never, call, made) };
}
const touch = (database: Database, id: string) =>
  database.changeAccount(id, (account) => ({ after: account, result: null }));

test('the response is recorded with the first change only', async () => {
  const { decisions, response } = write(async (database) => {
    await touch(database, 'acct_1');
    await touch(database, 'acct_2');
  });
  expect(await response).toEqual({ status: 200, body: '{"id":"acct_1"}', wasReplayed: false });
  expect(decisions.map(({ records }) => records?.request?.accountId)).toEqual([
    'acct_1',
    undefined,
  ]);
});

test('trouble after the recorded change is not taken for a success', async () => {
  const { response } = write(async (database) => {
    await touch(database, 'acct_1');
    throw new Error('the second step failed');
  });
  await expect(response).rejects.toThrow('the second step failed');
});
