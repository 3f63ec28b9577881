import { expect, test } from '@jest/globals';
import type { Account } from '../../../domain/accounts/account.ts';
import { defaultLimits } from '../../../domain/accounts/limits.ts';
import type { Member } from '../../../domain/teams/members.ts';
import type { App } from '../../app.ts';
import type { DecideAccount } from '../../ports/database.ts';
import { createGeneration } from './createGeneration.ts';
import { createEqualRequests } from './runIdempotently.ts';

/** The outcome of a create request by a member, who may or may not belong to the account by then. */
function orderBy(members: Partial<Member>[]) {
  const createBucket = { tokens: 0, at: 0 };
  const account = {
    id: 'acct_team',
    status: 'active',
    keys: [],
    limits: {},
    createBucket,
    members,
  };
  const deps = {
    clock: { now: () => 0, wrongClock: () => null },
    traces: {
      runInSpan: (_name: string, _fields: object, run: () => unknown) => run(),
      current: () => null,
    },
    allowances: { wait: () => null, take: () => null },
    equalRequests: createEqualRequests(),
    autoApprovedHosts: [],
    defaultLimits,
    database: {
      generations: { findReplay: async () => null },
      changeAccount: async (_id: string, decide: DecideAccount<unknown>) =>
        (await decide(account as unknown as Account)).result,
    },
  };
  return createGeneration(deps as unknown as App, {
    caller: { accountId: account.id, keyId: null, personId: 'acct_eva' },
    path: '/v1/videos',
    idempotencyKey: 'once',
    body: {},
    requestId: 'req_1',
    callerAddress: '127.0.0.1',
  });
}

test('an order in progress creates nothing for a member who is removed or may not create', async () => {
  const refused = expect.objectContaining({ code: 'invalid_api_key' });
  await expect(orderBy([])).rejects.toEqual(refused);
  await expect(orderBy([{ id: 'acct_eva', role: 'billing' }])).rejects.toEqual(refused);
  // Past that check, the limits of this account allow nothing.
  const member = orderBy([{ id: 'acct_eva', role: 'member' }]);
  await expect(member).rejects.toMatchObject({ code: 'rate_limited' });
});
