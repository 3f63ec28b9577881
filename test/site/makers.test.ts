import { beforeAll, expect, test } from '@jest/globals';
import { eraseAccount } from '../../gateway/src/application/staff/accountActions.ts';
import { requests } from '../support/gateway.ts';
import { shownKey } from './support/useKeyPages.ts';
import type { Customer } from './support/useSecondFactor.ts';
import { sent } from './support/useStudio.ts';
import { forgetPersons, teamPath, type TeamWorld, useTeam } from './support/useTeam.ts';
import type { Page } from './support/visitor.ts';

/* The member who made a team's generation on the site. */

const world = useTeam();
let { gateway, person, accountOf, addMember } = {} as TeamWorld;
let owner: Customer;
let member: Customer;
beforeAll(async () => {
  ({ gateway, person, accountOf, addMember } = world());
  owner = await person('owner');
  member = await person('member');
  await addMember(owner, member, 'member');
});

const order = { model: 'alpha-2.0-mini', mode: 'text-to-video', prompt: 'A paper boat' };
const idOf = (made: Page) => /generation=(gen_\w+)/.exec(made.path)?.[1] ?? '';
const generations = () => gateway.collections.generations;
const makerOf = async (id: string) => (await generations().findOne({ _id: id }))?.madeBy;
const textOf = ({ text }: Page) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

async function create({ visitor }: Customer): Promise<string> {
  const form = await visitor.post('/studio', { do: 'update', ...order });
  return idOf(await visitor.post('/studio', { ...order, ...sent(form), do: 'create' }));
}
/** The maker of one generation, as the owner's pages name it. */
async function toldOf(id: string) {
  const { visitor } = owner;
  const [wall, own] = [
    textOf(await visitor.get('/history')),
    await visitor.get(`/generations/${id}`),
  ];
  return { wall, maker: /<dt>Created with<\/dt>\s*<dd>([^<]*)<\/dd>/.exec(own.text)?.[1] };
}

test('is stored with every request of the studio, including lists and retries', async () => {
  const { visitor } = member;
  const first = await create(member);
  const form = await visitor.post('/studio', { do: 'update', ...order });
  const again = await visitor.post(`/generations/${first}/again`, sent(form));
  const list = { ...order, times: 'lines', prompt: 'one\ntwo' };
  const filled = await visitor.post('/studio', { do: 'update', ...list });
  const asked = await visitor.post('/studio', { ...list, ...sent(filled), do: 'create' });
  const prompt = asked.field('prompt');
  await visitor.post('/studio', { ...list, ...sent(asked), prompt, do: 'create-list' });
  const found = await generations().find({ accountId: owner.accountId }).toArray();
  expect(found.map(({ prompt: of }) => of).toSorted()).toEqual([
    'A paper boat',
    'A paper boat',
    'one',
    'two',
  ]);
  expect(new Set(found.map(({ madeBy }) => madeBy))).toEqual(new Set([member.accountId]));
  expect(idOf(again)).toMatch(/^gen_/);
});

test('is shown to the team in history, generation, ledger and its CSV', async () => {
  const own = await create(owner);
  const [latest] = await generations()
    .find({ madeBy: member.accountId }, { sort: { _id: -1 } })
    .toArray();
  expect(await toldOf(latest?._id ?? '')).toEqual({
    wall: expect.stringMatching(/Mini · 30 credits · by member@example.com · /),
    maker: 'Studio, by member@example.com',
  });
  expect((await toldOf(own)).maker).toBe('Studio, by owner@example.com');
  const german = { headers: { 'accept-language': 'de' } };
  const page = await owner.visitor.send('/history', german);
  expect(page.text).toContain(' · von member@example.com ·');
  expect(page.text).toContain('Studio, von member@example.com');
  expect(textOf(await owner.visitor.get('/credits'))).toContain('Studio, by member@example.com');
  const csv = (await owner.visitor.get('/credits/ledger.csv')).text.split('\r\n');
  expect(csv[0]).toMatch(/,balance,person$/);
  expect(csv.find((line) => line.includes(own))).toMatch(/,owner@example\.com$/);
  expect(csv.find((line) => line.includes(latest?._id ?? ''))).toMatch(/,member@example\.com$/);
  expect(csv[1]).toMatch(/,grant,.*,$/);
});

test('filters the history', async () => {
  const { visitor } = owner;
  const all = await visitor.get('/history');
  expect(textOf(all)).toMatch(
    /Studio Studio, by owner@example.com Studio, by member@example.com Any key/,
  );
  const { text } = await visitor.get(`/history?by=${member.accountId}`);
  expect(text).toContain('· by member@example.com ·');
  expect(text).not.toContain('· by owner@example.com ·');
  expect((await visitor.get('/history?by=acct_nobody')).status).toBe(200);
});

test('of a key is the key, with its creator in the CSV', async () => {
  const path = '/settings/public-api';
  const form_key = (await member.visitor.get(path)).field('form_key');
  const fields = { form_key, name: 'shop', models: ['alpha-2.0-mini'] };
  const apiKey = shownKey(await member.visitor.post(`${path}/keys`, fields));
  const made = await requests(gateway.origin, apiKey).post('/v1/videos', order);
  const { id } = made.json as { id: string };
  expect(await makerOf(id)).toBeUndefined();
  expect(JSON.stringify(made.json)).not.toContain('made_by');
  const { text } = await owner.visitor.get('/credits/ledger.csv');
  expect(text.split('\r\n').find((line) => line.includes(id))).toMatch(/,member@example\.com$/);
});

test('is not shown in an account of one person', async () => {
  const single = await person('single');
  const own = await create(single);
  expect(await makerOf(own)).toBe(single.accountId);
  const page = await single.visitor.get('/history');
  expect(textOf(page)).not.toContain('· by ');
  const { text } = await single.visitor.get(`/generations/${own}`);
  expect(text).toMatch(/<dt>Created with<\/dt>\s*<dd>Studio<\/dd>/);
  expect((await single.visitor.get('/credits/ledger.csv')).text).toMatch(/[0-9],\r\n$/);
});

test('appears as a former member after leaving or an erasure', async () => {
  const leaver = await person('leaver');
  const gone = await person('gone');
  for (const each of [leaver, gone]) await addMember(owner, each, 'member');
  const ids = [await create(leaver), await create(gone)];
  const { visitor } = owner;
  await visitor.get(teamPath);
  await visitor.post(`${teamPath}/remove`, { member: leaver.accountId });
  const { database, clock } = gateway;
  await eraseAccount({ database, clock }, gone.accountId);
  await forgetPersons(gateway, gone.accountId);
  for (const id of ids) {
    const { wall, maker } = await toldOf(id);
    expect([maker, wall.includes('leaver@'), wall.includes('gone@')]).toEqual([
      'Studio, by a former member',
      false,
      false,
    ]);
  }
  const csv = (await visitor.get('/credits/ledger.csv')).text;
  expect(csv.split('\r\n').find((line) => line.includes(ids[0] ?? ''))).toMatch(/,former member$/);
  expect(JSON.stringify((await accountOf(owner)).members)).not.toContain(gone.accountId);
});
