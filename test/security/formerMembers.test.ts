import { beforeAll, expect, test } from '@jest/globals';
import { setAccountStatus } from '../../gateway/src/application/accounts/accounts.ts';
import { eraseAccount } from '../../gateway/src/application/staff/accountActions.ts';
import { mailsTo } from '../site/support/mailbox.ts';
import { shownKey } from '../site/support/useKeyPages.ts';
import type { Customer } from '../site/support/useSecondFactor.ts';
import { forgetPersons, teamPath, type TeamWorld, useTeam } from '../site/support/useTeam.ts';
import { requests } from '../support/gateway.ts';

/*
 * The attack: a member with a monthly limit and a key leaves the team, or is demoted or suspended, and keeps spending
 * with the key. A create costs 30 credits.
 */

const world = useTeam();
let { gateway, person, accountOf, addMember } = {} as TeamWorld;
let owner: Customer;
beforeAll(async () => {
  ({ gateway, person, accountOf, addMember } = world());
  owner = await person('owner');
});

const keysPath = '/settings/public-api';
const order = { model: 'alpha-2.0-mini', mode: 'text-to-video', prompt: 'A paper boat' };

async function addLimited(name: string, credits: number) {
  const member = await person(name);
  await addMember(owner, member, 'member');
  await asOwner('limit', { member: member.accountId, monthly_credits: String(credits) });
  const { visitor } = member;
  const form_key = (await visitor.get(keysPath)).field('form_key');
  const models = ['alpha-2.0-mini'];
  const made = await visitor.post(`${keysPath}/keys`, { form_key, name, models });
  const client = requests(gateway.origin, shownKey(made));
  const create = async () => {
    const { status, json } = await client.post('/v1/videos', order);
    const { code } = (json['error'] ?? {}) as { code?: string };
    return code === undefined ? status : `${status} ${code}`;
  };
  return { member, create };
}

async function asOwner(form: string, fields: Record<string, string>) {
  await owner.visitor.get(teamPath);
  return owner.visitor.post(`${teamPath}/${form}`, fields);
}

test('the limit stays with the keys of a member who leaves, and the owner decides about them', async () => {
  const { member, create } = await addLimited('leaver', 65);
  expect(await create()).toBe(202);
  await member.visitor.get(teamPath);
  expect((await member.visitor.post(`${teamPath}/leave`)).status).toBe(200);
  expect([await create(), await create()]).toEqual([202, '402 key_limit_reached']);
  const mails = (await mailsTo(gateway.dataDir, owner.email)).map(({ subject }) => subject);
  expect(mails).toContain('leaver@example.com left your team');

  const page = await owner.visitor.get(teamPath);
  expect(page.text).toContain('Former members');
  const limited = await asOwner('limit', { member: member.accountId, monthly_credits: '100' });
  expect(limited.status).toBe(200);
  expect([await create(), await create()]).toEqual([202, '402 key_limit_reached']);

  // A return does not restart the count.
  await addMember(owner, member, 'member');
  const { members = [], formerMembers } = await accountOf(owner);
  expect([members.at(-1)?.monthSpent?.credits, formerMembers]).toEqual([90, []]);
  expect(await create()).toBe('402 key_limit_reached');

  const removed = await asOwner('remove', { member: member.accountId });
  expect(removed.text).toContain('still work, within their limit');
  expect((await asOwner('keys', { member: member.accountId })).text).toContain('Keys revoked.');
  expect(await create()).toBe('401 invalid_api_key');
  expect((await owner.visitor.get(teamPath)).text).not.toContain('Former members');
});

test('a removal revokes the keys if the owner chooses so', async () => {
  const { member, create } = await addLimited('removed', 300);
  const response = await asOwner('remove', { member: member.accountId, keys: 'revoke' });
  expect(response.text).toContain('no longer work');
  expect(await create()).toBe('401 invalid_api_key');
});

test('keys are refused while their maker has a role without keys', async () => {
  const { member, create } = await addLimited('demoted', 300);
  expect(await create()).toBe(202);
  await asOwner('role', { member: member.accountId, role: 'billing' });
  expect(await create()).toBe('401 invalid_api_key');
  await asOwner('role', { member: member.accountId, role: 'member' });
  expect(await create()).toBe(202);
  expect((await accountOf(owner)).members?.at(-1)?.monthlyCredits).toBe(300);
});

test('keys of a maker who was suspended and then erased stay refused', async () => {
  const { member, create } = await addLimited('barred', 300);
  const { database, clock } = gateway;
  const { accountId } = member;
  await setAccountStatus({ database }, { accountId, status: 'suspended' });
  await eraseAccount({ database, clock }, accountId);
  expect(await create()).toBe('401 invalid_api_key');
  await forgetPersons(gateway, accountId);
  expect(await create()).toBe('401 invalid_api_key');
});

test('keys are refused while their maker is suspended', async () => {
  const { member, create } = await addLimited('suspended', 300);
  const { database } = gateway;
  const { accountId } = member;
  await setAccountStatus({ database }, { accountId, status: 'suspended' });
  expect(await create()).toBe('401 invalid_api_key');
  await setAccountStatus({ database }, { accountId, status: 'active' });
  expect(await create()).toBe(202);
});

test('keys barred by a role stay barred when their maker leaves', async () => {
  const { member, create } = await addLimited('escaped', 300);
  await asOwner('role', { member: member.accountId, role: 'billing' });
  await member.visitor.get(teamPath);
  expect((await member.visitor.post(`${teamPath}/leave`)).status).toBe(200);
  expect(await create()).toBe('401 invalid_api_key');
});

test('a person who returns with another account of the mailbox keeps limit, count and keys', async () => {
  const { member, create } = await addLimited('again', 65);
  expect(await create()).toBe(202);
  await asOwner('remove', { member: member.accountId });
  const { database, clock } = gateway;
  await eraseAccount({ database, clock }, member.accountId);
  await forgetPersons(gateway, member.accountId);
  const second = await person('again');
  expect(second.accountId).not.toBe(member.accountId);
  await addMember(owner, second, 'member');
  const { members = [], keys } = await accountOf(owner);
  expect(members.at(-1)).toMatchObject({ monthlyCredits: 65, monthSpent: { credits: 30 } });
  expect(keys.filter(({ madeBy }) => madeBy?.id === second.accountId)).toHaveLength(1);
  expect([await create(), await create()]).toEqual([202, '402 key_limit_reached']);
});

test('a form without its field removes no limit', async () => {
  const { member, create } = await addLimited('omitted', 30);
  expect((await asOwner('limit', { member: member.accountId })).status).toBe(400);
  expect([await create(), await create()]).toEqual([202, '402 key_limit_reached']);
  const { keys } = await accountOf(owner);
  const keyPath = `${keysPath}/keys/${keys.at(-1)?.id}`;
  for (const [form, field] of [
    ['limit', 'daily_credits'],
    ['month', 'monthly_credits'],
  ] as const) {
    await owner.visitor.post(`${keyPath}/${form}`, { [field]: '5' });
    expect((await owner.visitor.post(`${keyPath}/${form}`)).status).toBe(400);
  }
  expect((await accountOf(owner)).keys.at(-1)).toMatchObject({
    dailyCredits: 5,
    monthlyCredits: 5,
  });
});
