import { beforeAll, expect, test } from '@jest/globals';
import { dayMs } from '@framegate/contract';
import { createWallStores } from '../../gateway/src/adapters/mongo/wall/wallStores.ts';
import { revokeKey } from '../../gateway/src/application/keys/keys.ts';
import { eraseAccount } from '../../gateway/src/application/staff/accountActions.ts';
import { addFinished } from './support/addFinished.ts';
import { shownKey } from './support/useKeyPages.ts';
import type { Customer } from './support/useSecondFactor.ts';
import { forgetPersons, teamPath, type TeamWorld, useTeam } from './support/useTeam.ts';

/* The log of acts that owners see. */

const world = useTeam();
let { gateway, person, accountOf, invite, addMember } = {} as TeamWorld;
let owner: Customer;
let editor: Customer;
beforeAll(async () => {
  ({ gateway, person, accountOf, invite, addMember } = world());
  owner = await person('owner');
  editor = await person('editor');
  await addMember(owner, editor, 'editor');
});

const logPath = `${teamPath}/log`;
const keysPath = '/settings/public-api';
/** The sentences of the page, newest first. */
async function told({ visitor }: Customer): Promise<string[]> {
  const { text } = await visitor.get(logPath);
  const rows = text.matchAll(/<span dir="auto">([^<]*)<\/span>\s*<p class="quiet">/g);
  return [...rows].map(([, words = '']) => words);
}
const stored = () => gateway.collections.teamLog.find({ accountId: owner.accountId }).toArray();
/** The sentences that work adds. */
async function added(work: () => Promise<unknown>): Promise<string[]> {
  const before = await told(owner);
  await work();
  const after = await told(owner);
  return after.slice(0, after.length - before.length).toSorted();
}
const send = async ({ visitor }: Customer, path: string, fields: Record<string, string> = {}) => {
  await visitor.get('/settings/account');
  return visitor.post(path, fields);
};
const made = () =>
  addFinished(gateway, owner.accountId, { madeBy: owner.accountId, prompt: 'merger with Acme' });

test('lists people who were invited, joined, changed, limited and removed, each with the actor', async () => {
  expect((await told(owner)).toSorted()).toEqual([
    'editor@example.com joined with the role “editor”',
    'owner@example.com invited editor@example.com with the role “editor”',
  ]);
  const guest = await person('guest');
  const form = (name: string, fields: Record<string, string>) =>
    send(owner, `${teamPath}/${name}`, { member: guest.accountId, ...fields });
  expect(await added(() => invite(owner, 'never@example.com', 'billing'))).toEqual([
    'owner@example.com invited never@example.com with the role “billing”',
  ]);
  expect(await added(() => form('revoke', { email: 'never@example.com' }))).toEqual([
    'owner@example.com revoked the invitation for never@example.com',
  ]);
  await addMember(owner, guest, 'member');
  expect(await added(() => form('role', { role: 'billing' }))).toEqual([
    'owner@example.com gave guest@example.com the role “billing”',
  ]);
  expect(await added(() => form('limit', { monthly_credits: '1200' }))).toEqual([
    'owner@example.com limited guest@example.com to 1,200 credits per month',
  ]);
  expect(await added(() => form('limit', { monthly_credits: '' }))).toEqual([
    'owner@example.com removed guest@example.com&#39;s monthly limit',
  ]);
  expect(await added(() => form('remove', {}))).toEqual([
    'owner@example.com removed guest@example.com from the team',
  ]);
  const leaver = await person('leaver');
  await addMember(owner, leaver, 'member');
  expect(await added(() => send(leaver, `${teamPath}/leave`))).toEqual([
    'leaver@example.com left the team',
  ]);
});

test('lists keys made, limited, replaced and revoked, by people and by the operator', async () => {
  const form_key = async () => (await editor.visitor.get(keysPath)).field('form_key');
  const fields = { form_key: await form_key(), name: 'shop', models: 'alpha-2.0-mini' };
  const create = async () => shownKey(await editor.visitor.post(`${keysPath}/keys`, fields));
  expect(await added(create)).toEqual(['editor@example.com created the key “shop”']);
  const key = async () => (await accountOf(owner)).keys.at(-1)?.id ?? '';
  const path = `${keysPath}/keys/${await key()}`;
  expect(await added(() => send(editor, `${path}/limit`, { daily_credits: '50' }))).toEqual([
    'editor@example.com limited the key “shop” to 50 credits per day',
  ]);
  expect(await added(() => send(owner, `${path}/month`, { monthly_credits: '90' }))).toEqual([
    'owner@example.com limited the key “shop” to 90 credits per month',
  ]);
  const again = (await editor.visitor.get(path)).field('form_key');
  const replace = () => editor.visitor.post(`${path}/rotate`, { form_key: again, overlap: '24' });
  expect(await added(replace)).toEqual(['editor@example.com replaced the key “shop”']);
  const { database, clock } = gateway;
  const newest = await key();
  const revoke = () => revokeKey({ database, clock }, newest);
  expect(await added(revoke)).toEqual(['The operator revoked the key “shop”']);
});

test('lists work deleted, published, revoked and cancelled, without a prompt', async () => {
  const id = await made();
  const share = `/generations/${id}/share`;
  expect(await added(() => send(editor, share, { days: '7', prompt: 'yes' }))).toEqual([
    'editor@example.com created a public link',
  ]);
  expect(await added(() => send(owner, `${share}/revoke`))).toEqual([
    'owner@example.com revoked a public link',
  ]);
  await send(editor, share, { days: '7' });
  expect(await added(() => send(editor, '/history/delete', { id }))).toEqual([
    'editor@example.com deleted one result',
    'editor@example.com revoked a public link',
  ]);
  expect(await added(() => send(editor, '/history/delete', { id }))).toEqual([]);
  await send(owner, '/history/collections', { id: await made(), name: 'Best' });
  const { generationCollections } = gateway.collections;
  const { _id } = (await generationCollections.findOne({ name: 'Best' })) ?? { _id: '' };
  expect(await added(() => send(editor, `/collections/${_id}/delete`))).toEqual([
    'editor@example.com deleted the collection “Best”',
  ]);
  expect(JSON.stringify(await stored())).not.toContain('Acme');
  expect((await owner.visitor.get(logPath)).text).toContain(`href="/generations/${id}"`);
});

test('writes an act and its entry together, or neither', async () => {
  const { database, collections, clock } = gateway;
  const named = () =>
    database.changeAccount(owner.accountId, (account) => ({
      after: { ...account, teamName: 'Acme', email: editor.email },
      result: null,
    }));
  expect(await added(() => expect(named()).rejects.toThrow('email'))).toEqual([]);
  expect((await accountOf(owner)).teamName).toBeUndefined();

  // The entry does not fit its collection.
  const by = { at: clock.now(), by: null, credits: -1 };
  const { wall, shares } = createWallStores(gateway);
  const id = await made();
  await send(owner, `/generations/${id}/share`, { days: '1' });
  const failing = [
    () => wall.markDeleted(owner.accountId, [id], by),
    () => shares.remove(owner.accountId, [id], by),
  ];
  for (const act of failing) {
    expect(await added(() => expect(act()).rejects.toThrow('validation'))).toEqual([]);
  }
  expect((await collections.generations.findOne({ _id: id }))?.deletedAt).toBeUndefined();
  expect(await collections.shares.countDocuments({ _id: id })).toBe(1);
});

test('removes old entries, and shows the others in pages', async () => {
  const [first] = await stored();
  const days = ((first?.goneAt.getTime() ?? 0) - (first?.at.getTime() ?? 0)) / dayMs;
  expect(days).toBe(396);
  const { collections } = gateway;
  const copies = Array.from({ length: 50 }, () => gateway.random.newId('log'));
  if (first) await collections.teamLog.insertMany(copies.map((_id) => ({ ...first, _id })));
  const page = await owner.visitor.get(logPath);
  expect(page.text.match(/<span dir="auto">/g)).toHaveLength(50);
  const [, older = ''] = /href="(\/settings\/team\/log\?before=log_\w+)"/.exec(page.text) ?? [];
  expect((await owner.visitor.get(older)).text).toContain(
    'owner@example.com invited editor@example.com',
  );
  expect((await owner.visitor.get(`${logPath}?before=x`)).status).toBe(200);
});

test('no longer names an erased person', async () => {
  const gone = await person('gone');
  await addMember(owner, gone, 'member');
  const { database, clock } = gateway;
  await eraseAccount({ database, clock }, gone.accountId);
  await forgetPersons(gateway, gone.accountId);
  const entries = await stored();
  for (const trace of ['gone@example.com', gone.accountId]) {
    expect(JSON.stringify(entries)).not.toContain(trace);
  }
  expect(await told(owner)).toEqual(
    expect.arrayContaining(['(deleted) joined with the role “member”']),
  );
  await eraseAccount({ database, clock }, owner.accountId);
  await forgetPersons(gateway, owner.accountId);
  expect(await stored()).toEqual([]);
});
