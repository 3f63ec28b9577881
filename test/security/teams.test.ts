import { beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import type { App } from '../../gateway/src/application/app.ts';
import { createOwnKey } from '../../gateway/src/application/keys/ownKeys.ts';
import { eraseAccount } from '../../gateway/src/application/staff/accountActions.ts';
import { shownKey } from '../site/support/useKeyPages.ts';
import type { Customer } from '../site/support/useSecondFactor.ts';
import { sent } from '../site/support/useStudio.ts';
import { forgetPersons, teamPath, type TeamWorld, useTeam } from '../site/support/useTeam.ts';
import { requests } from '../support/gateway.ts';

/*
 * The attacks: people of one team act on another, keep acting after their removal, do more than their role allows by
 * forged forms, or join with an invitation that is not theirs.
 */

const world = useTeam();
let { gateway, person, accountOf, invite, join, addMember } = {} as TeamWorld;
let owner: Customer;
let member: Customer;
let billing: Customer;
let stranger: Customer;
beforeAll(async () => {
  ({ gateway, person, accountOf, invite, join, addMember } = world());
  owner = await person('owner');
  member = await person('member');
  billing = await person('billing');
  stranger = await person('stranger');
  await addMember(owner, member, 'member');
  await addMember(owner, billing, 'billing');
});

const keysPath = '/settings/public-api';
const order = { model: 'alpha-2.0-mini', mode: 'text-to-video', prompt: 'A paper boat' };

/** Sends the studio's form as its page would, with the price. */
async function create({ visitor }: Customer) {
  const form = await visitor.post('/studio', { do: 'update', ...order });
  return visitor.post('/studio', { ...order, ...sent(form), do: 'create' });
}
const generationsOf = ({ accountId }: Customer) =>
  gateway.collections.generations.countDocuments({ accountId });

async function makeKey({ visitor }: Customer, name: string) {
  const form_key = (await visitor.get(keysPath)).field('form_key');
  const models = ['alpha-2.0-mini'];
  return shownKey(await visitor.post(`${keysPath}/keys`, { form_key, name, models }));
}
const keyNamed = async (of: Customer, name: string) =>
  (await accountOf(of)).keys.find((key) => key.name === name);

describe('another team', () => {
  test('cannot be selected by naming its account', async () => {
    for (const { visitor } of [stranger, member]) {
      await visitor.get('/settings/account');
      const { accountId } = visitor === stranger.visitor ? owner : stranger;
      const refused = await visitor.post('/settings/acts-for', { account: accountId });
      expect([refused.status, refused.text]).toEqual([
        403,
        expect.stringContaining('re not in this team.'),
      ]);
    }
    expect((await stranger.visitor.get('/studio')).text).not.toContain(owner.email);
  });

  test('keeps its people: a form with their ids changes the own team only', async () => {
    const { visitor } = stranger;
    await visitor.get(teamPath);
    for (const [form, fields] of [
      ['remove', {}],
      ['role', { role: 'owner' }],
      ['limit', { monthly_credits: '1' }],
    ] as const) {
      await visitor.post(`${teamPath}/${form}`, { member: member.accountId, ...fields });
    }
    expect((await accountOf(owner)).members).toMatchObject([
      { role: 'member' },
      { role: 'billing' },
    ]);
    expect((await accountOf(owner)).members?.[0]).not.toHaveProperty('monthlyCredits');
  });

  test('keeps its keys and its work', async () => {
    await makeKey(owner, "the owner's");
    const key = await keyNamed(owner, "the owner's");
    const made = await create(owner);
    const { visitor } = stranger;
    await visitor.get(keysPath);
    await visitor.post(`${keysPath}/keys/${key?.id}/revoke`);
    expect((await keyNamed(owner, "the owner's"))?.revokedAt).toBeNull();
    const path = made.path.replace('/studio?generation=', '/generations/');
    expect((await visitor.get(path)).status).toBe(404);
    // A member sees the work of the team.
    expect((await member.visitor.get(path)).status).toBe(200);
  });
});

describe('a member', () => {
  test('cannot change people or read credits by a forged form', async () => {
    const { visitor } = member;
    await visitor.get(keysPath);
    for (const [form, fields] of [
      ['invite', { email: 'friend@example.com', role: 'owner' }],
      ['revoke', { email: 'friend@example.com' }],
      ['role', { member: member.accountId, role: 'owner' }],
      ['limit', { member: member.accountId, monthly_credits: '' }],
      ['remove', { member: billing.accountId }],
    ] as const) {
      const refused = await visitor.post(`${teamPath}/${form}`, fields);
      expect([form, refused.status]).toEqual([form, 403]);
    }
    expect((await visitor.get('/credits/ledger.csv')).status).toBe(403);
    expect((await accountOf(owner)).members).toMatchObject([
      { role: 'member' },
      { role: 'billing' },
    ]);
  });

  test('sees and changes own keys only, and no monthly limit', async () => {
    const apiKey = await makeKey(member, "the member's");
    expect(apiKey).not.toBe('');
    const [own, others] = [
      await keyNamed(owner, "the member's"),
      await keyNamed(owner, "the owner's"),
    ];
    expect(own?.madeBy).toEqual({ id: member.accountId, email: member.email });
    expect(others).not.toHaveProperty('madeBy');
    const list = await member.visitor.get(keysPath);
    expect(list.text).toContain('the member&#39;s');
    expect(list.text).not.toContain('the owner&#39;s');
    expect((await member.visitor.get(`${keysPath}/keys/${others?.id}`)).status).toBe(403);
    for (const form of ['rotate', 'revoke', 'limit', 'month', 'hosts']) {
      const refused = await member.visitor.post(`${keysPath}/keys/${others?.id}/${form}`);
      expect([form, refused.status]).toEqual([form, 403]);
    }
    const path = `${keysPath}/keys/${own?.id}/month`;
    expect((await member.visitor.post(path, { monthly_credits: '' })).status).toBe(403);
    expect((await member.visitor.get(`${keysPath}/keys/${own?.id}`)).text).not.toContain(
      'Monthly limit',
    );
    expect((await keyNamed(owner, "the owner's"))?.revokedAt).toBeNull();
    // An owner sees who made it.
    expect((await owner.visitor.get(keysPath)).text).toContain(`created by ${member.email}`);
  });
});

describe('a member for billing', () => {
  test('creates nothing by a forged form, with files or without', async () => {
    const { visitor } = billing;
    await visitor.get('/credits');
    const refused = await visitor.post('/studio', { ...order, do: 'create', shown_credits: '30' });
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('allow this')]);
    const form = new FormData();
    form.append('form_token', (await visitor.get('/credits')).field('form_token'));
    form.append('do', 'update');
    const picture = await sharp({
      create: { width: 640, height: 360, channels: 3, background: '#3a6' },
    })
      .png()
      .toBuffer();
    form.append('file.first_frame', new Blob([new Uint8Array(picture)]), 'a file');
    const headers = { 'sec-fetch-site': 'same-origin' };
    const files = await visitor.send('/studio', { method: 'POST', body: form, headers });
    expect(files.status).toBe(403);
    const { collections } = gateway;
    expect(await collections.uploads.countDocuments({})).toBe(0);
    expect(await generationsOf(billing)).toBe(0);
  });

  test('makes no keys', async () => {
    const { visitor } = billing;
    await visitor.get('/credits');
    const fields = { form_key: 'x'.repeat(32), name: 'forged', models: ['alpha-2.0-mini'] };
    expect((await visitor.post(`${keysPath}/keys`, fields)).status).toBe(403);
    // As if the role had changed while the form was sent.
    const { database, clock } = gateway;
    const { random, pepper } = gateway;
    const deps = { database, clock, random, pepper, sessionKeys: [pepper] } as unknown as App;
    const models = ['alpha-2.0-mini'];
    const form = { formKey: 'y', name: 'forged', hosts: '', dailyCredits: '', models };
    const madeBy = { id: billing.accountId, email: billing.email };
    const { accountId } = owner;
    await expect(createOwnKey(deps, { accountId, madeBy, ...form }, models)).rejects.toThrow(
      'key_maker_left',
    );
    expect(await keyNamed(owner, 'forged')).toBeUndefined();
  });
});

describe('an invitation', () => {
  test('works once, for the invited and verified address alone', async () => {
    const guest = await person('guest');
    const path = await invite(owner, guest.email, 'member');
    const stolen = await join(stranger.visitor, path);
    expect([stolen.status, stolen.text]).toEqual([
      403,
      expect.stringContaining('This invitation is for another email address.'),
    ]);
    expect((await accountOf(stranger)).teams).toBeUndefined();
    const other = path.replace(owner.accountId, stranger.accountId);
    expect((await join(guest.visitor, other)).status).toBe(403);
    const [first, second] = await Promise.all([
      join(guest.visitor, path),
      join(guest.visitor, path),
    ]);
    expect([first.status, second.status].toSorted()).toEqual([200, 403]);
    await owner.visitor.get(teamPath);
    await owner.visitor.post(`${teamPath}/remove`, { member: guest.accountId });
    await guest.visitor.get('/studio');
    await guest.visitor.get('/studio');
    expect((await join(guest.visitor, path)).status).toBe(403);
    const { members = [] } = await accountOf(owner);
    expect(members.map(({ email }) => email)).toEqual([member.email, billing.email]);
  });
});

describe('a removed member', () => {
  test('is refused immediately in a session that still acts for the team, and charged nowhere', async () => {
    const leaver = await person('leaver');
    await addMember(owner, leaver, 'member');
    const apiKey = await makeKey(leaver, 'left behind');
    const form = await leaver.visitor.post('/studio', { do: 'update', ...order });
    const before = await generationsOf(owner);
    await owner.visitor.get(teamPath);
    const removed = await owner.visitor.post(`${teamPath}/remove`, { member: leaver.accountId });
    expect(removed.text).toContain(`${leaver.email} is no longer in the team.`);

    const refused = await leaver.visitor.post('/studio', { ...order, ...sent(form), do: 'create' });
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining('no longer in the team'),
    ]);
    expect(await generationsOf(owner)).toBe(before);
    expect(await generationsOf(leaver)).toBe(0);
    expect((await leaver.visitor.get(keysPath)).text).not.toContain('left behind');

    // The key keeps working and keeps its maker's name.
    const created = await requests(gateway.origin, apiKey).post('/v1/videos', order);
    expect(created.status).toBe(202);
    const page = await owner.visitor.get(keysPath);
    expect(page.text).toMatch(/created by leaver@example\.com<\/span>\s*<span class="badge"/);
    expect(page.text).toContain('no longer in the team');
  });

  test('acts for no team while their own account is suspended', async () => {
    const { collections } = gateway;
    const set = (status: 'active' | 'suspended') =>
      collections.accounts.updateOne(
        { _id: member.accountId },
        { $set: { status }, $inc: { version: 1 } },
      );
    await set('suspended');
    expect((await member.visitor.get('/history')).status).toBe(403);
    await set('active');
  });
});

describe('an erased person', () => {
  test('is in no team, no invitation and on no key', async () => {
    const gone = await person('gone');
    await addMember(owner, gone, 'member');
    await makeKey(gone, 'of nobody');
    await invite(stranger, gone.email, 'member');
    const { database, clock } = gateway;
    await eraseAccount({ database, clock }, gone.accountId);
    await forgetPersons(gateway, gone.accountId);
    const [team, other] = [await accountOf(owner), await accountOf(stranger)];
    expect(JSON.stringify([team.members, team.keys, other.invitations])).not.toContain(gone.email);
    expect(team.members?.some(({ id }) => id === gone.accountId)).toBe(false);
    const left = await keyNamed(owner, 'of nobody');
    expect(left).toMatchObject({ revokedAt: null, madeBy: { id: gone.accountId, email: '' } });
    const page = await owner.visitor.get(`${keysPath}/keys/${left?.id}`);
    expect(page.text).toContain('created by a deleted account');
  });

  test('loses their own team, whose members keep their own accounts', async () => {
    const boss = await person('boss');
    const worker = await person('worker');
    await addMember(boss, worker, 'member');
    await invite(boss, 'never@example.com', 'member');
    const { database, clock } = gateway;
    await eraseAccount({ database, clock }, boss.accountId);
    expect(await accountOf(boss)).toMatchObject({ members: [], invitations: [] });
    expect((await worker.visitor.get('/studio')).status).toBe(403);
    expect((await worker.visitor.get('/studio')).status).toBe(200);
  });
});
