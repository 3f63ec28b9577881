import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { errorOf, useOperatorWorld } from './support/operatorWorld.ts';

const { world, operator } = useOperatorWorld();

const accounts = () => world.gateway.database.accounts;
/** A customer whose address is verified. */
async function customer(): Promise<string> {
  const body = { email: `${randomUUID()}@example.com`, email_verified: true };
  return String((await operator.post('/accounts', body)).json['id']);
}
const emailOf = async (id: string) => (await accounts().find(id))?.email;

test('a member is added, changed and removed, once per Idempotency-Key, with audit entries', async () => {
  const [team, person] = [await customer(), await customer()];
  const path = `/accounts/${team}/members`;
  const key = randomUUID();
  const body = { member_account_id: person, role: 'member', monthly_credits: 500 };
  const added = await operator.post(path, body, key);
  expect([added.status, added.json]).toEqual([
    200,
    {
      id: person,
      object: 'member',
      account_id: team,
      email: await emailOf(person),
      role: 'member',
      monthly_credits: 500,
      joined_at: expect.any(String),
    },
  ]);
  expect((await operator.post(path, body, key)).text).toBe(added.text);
  expect((await accounts().find(person))?.teams).toEqual([team]);

  // Omitted fields stay: only null ends a limit.
  const demoted = await operator.post(path, { member_account_id: person, role: 'billing' });
  expect(demoted.json).toEqual({ ...added.json, role: 'billing' });
  const unlimited = { member_account_id: person, role: 'billing', monthly_credits: null };
  const changed = await operator.post(path, unlimited);
  expect(changed.json).toEqual({ ...added.json, role: 'billing', monthly_credits: null });
  expect((await operator.get(path)).json).toEqual({
    object: 'list',
    data: [changed.json],
    has_more: false,
    next: null,
  });

  const removed = await operator.post(`${path}/${person}/remove`, { reason: 'has left' });
  expect([removed.status, removed.json]).toEqual([200, changed.json]);
  expect((await operator.get(path)).json['data']).toEqual([]);
  const { collections } = world.gateway;
  const found = await collections.staffAudit.find({ targets: { $all: [team, person] } }).toArray();
  expect(found.map(({ action, reason }) => [action, reason])).toEqual([
    ['api setMember', ''],
    ['api setMember', ''],
    ['api setMember', ''],
    ['api removeMember', 'has left'],
  ]);
});

test('a removal revokes the keys of the person on request', async () => {
  const [team, person] = [await customer(), await customer()];
  const path = `/accounts/${team}/members`;
  await operator.post(path, { member_account_id: person, role: 'member', monthly_credits: 50 });
  await operator.post(`/accounts/${team}/keys`, { name: 'a' });
  const { database } = world.gateway;
  const madeBy = { id: person, email: 'maker@example.com' };
  await database.changeAccount(team, (account) => {
    const keys = account.keys.map((key) => ({ ...key, madeBy }));
    return { after: { ...account, keys }, result: null };
  });
  const keyWorks = async () => {
    const { data } = (await operator.get(`/accounts/${team}/keys`)).json;
    return (data as { works: boolean }[]).map(({ works }) => works);
  };
  await operator.post(`${path}/${person}/remove`, {});
  expect(await keyWorks()).toEqual([true]);
  // Someone who comes back has the former limit.
  const back = await operator.post(path, { member_account_id: person, role: 'member' });
  expect(back.json).toMatchObject({ monthly_credits: 50 });
  await operator.post(`${path}/${person}/remove`, { keys: 'revoke' });
  expect(await keyWorks()).toEqual([false]);
});

test('no one becomes a member without a verified account, or of their own account', async () => {
  const team = await customer();
  const path = `/accounts/${team}/members`;
  const post = async (member_account_id: string, role = 'member') =>
    errorOf(await operator.post(path, { member_account_id, role }));
  expect(await post('acct_nobody')).toMatchObject({ status: 404, code: 'account_not_found' });
  expect(await post(team)).toMatchObject({ status: 409, code: 'team_owner_stays' });
  expect(await post(team, 'king')).toMatchObject({ status: 400, code: 'invalid_request' });
  const { json } = await operator.post('/accounts', { email: `${randomUUID()}@example.com` });
  expect(await post(String(json['id']))).toMatchObject({ status: 409, code: 'email_not_verified' });
  expect(errorOf(await operator.post(`${path}/acct_nobody/remove`, {}))).toMatchObject({
    status: 404,
    code: 'member_not_found',
  });
  expect((await accounts().find(team))?.members).toBeUndefined();
});

test('a key has a monthly limit, and its event names the member who made it', async () => {
  const [team, person] = [await customer(), await customer()];
  const made = await operator.post(`/accounts/${team}/keys`, { name: 'a', monthly_credits: 9 });
  expect(made.json).toMatchObject({ monthly_credits: 9, made_by: null });
  const rotated = await operator.post(`/accounts/${team}/keys/${String(made.json['id'])}/rotate`);
  expect(rotated.json).toMatchObject({ monthly_credits: 9, made_by: null });
  const { next } = (await operator.get('/events?limit=500&wait_seconds=0')).json;
  const { database } = world.gateway;
  const madeBy = { id: person, email: 'maker@example.com' };
  await database.changeAccount(team, (account) => {
    const last = account.keys.at(-1);
    if (!last) throw new Error('there is no key');
    const key = { ...last, id: 'key_by_member', hash: randomUUID(), madeBy };
    return { after: { ...account, keys: [...account.keys, key] }, result: null };
  });
  const { json } = await operator.get(`/events?wait_seconds=0&after=${String(next)}`);
  expect(json['data']).toMatchObject([
    { type: 'key.created', key: { id: 'key_by_member', made_by: person } },
  ]);
  const { json: keys } = await operator.get(`/accounts/${team}/keys`);
  expect((keys['data'] as { made_by: string | null }[]).map((key) => key.made_by)).toEqual([
    null,
    null,
    person,
  ]);
});
