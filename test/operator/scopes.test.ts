import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { errorOf, useOperatorWorld } from './support/operatorWorld.ts';

/* The attack: a key with few scopes gains the rights of others, through an owner, a mailbox or an erasure. */

const { world, operator } = useOperatorWorld();
const someone = () => `${randomUUID()}@customers.example`;

test('a key that manages accounts gains no access to them by members, addresses or erasures', async () => {
  const few = await world.addKey({ scopes: ['accounts:read', 'accounts:write'] });
  const path = `/accounts/by-external-id/${randomUUID()}`;
  const email = someone();
  const { json } = await few.call('PUT', path, { email });
  const id = String(json['id']);
  // Without another address, the upsert only verifies it.
  expect((await few.call('PUT', path, { email, email_verified: true })).status).toBe(200);
  const thief = await few.post('/accounts', { email: someone(), email_verified: true });
  const owner = { member_account_id: thief.json['id'], role: 'owner' };
  for (const [refused, scope] of [
    [await few.post(`/accounts/${id}/members`, owner), 'members:write'],
    [await few.post(`/accounts/${id}/members/acct_1/remove`, {}), 'members:write'],
    [await few.call('PUT', path, { email: someone() }), 'emails:write'],
    [await few.post(`/accounts/${id}/erase`, {}), 'accounts:erase'],
    [await few.post(`/accounts/${id}/sign-in-links`, {}), 'sign-in-links:write'],
    [await few.post(`/accounts/${id}/keys`, { name: 'x' }), 'keys:write'],
  ] as const) {
    expect(errorOf(refused)).toMatchObject({
      status: 403,
      code: 'insufficient_scope',
      message: expect.stringContaining(scope) as unknown,
    });
  }
  const account = await world.gateway.database.accounts.find(id);
  expect(account).toMatchObject({ email, status: 'active' });
  expect(account).not.toHaveProperty('members');
  const moved = await operator.call('PUT', path, { email: someone() });
  expect(moved.status).toBe(200);
});

test('a duplicate parameter is refused, as are thousands of parameters', async () => {
  const names = (length: number) => Array.from({ length }, (_each, index) => `n${index}`).join('&');
  const twice = await operator.get(`/accounts?${names(20)}&n7`);
  expect(errorOf(twice)).toMatchObject({ status: 400, param: 'n7' });
  const many = await operator.get(`/accounts?${names(2_000)}`);
  expect(errorOf(many)).toMatchObject({ status: 400, param: 'query' });
});
