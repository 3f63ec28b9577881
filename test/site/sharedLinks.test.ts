import { expect, test } from '@jest/globals';
import { dayMs } from '@framegate/contract';
import { plain } from '../support/plainCollection.ts';
import { profile } from '../support/profile.ts';
import { addFinished } from './support/addFinished.ts';
import { useTeam } from './support/useTeam.ts';
import { createVisitor, type Visitor } from './support/visitor.ts';

/* The list of an account's links. */

const world = useTeam();
const path = '/history/links';

/** Makes a link to a new result. @returns The id of the result and the path of the link. */
async function share(
  visitor: Visitor,
  accountId: string,
  more: { prompt: string; madeBy?: string },
) {
  const id = await addFinished(world().gateway, accountId, more);
  await visitor.get(`/generations/${id}/share`);
  const page = await visitor.post(`/generations/${id}/share`, { days: '30', prompt: 'yes' });
  return { id, link: /value="[^"]*(\/shared\/[\w-]{43})"/.exec(page.text)?.[1] ?? '' };
}

test('shows each link with its expiry, and revokes one immediately', async () => {
  const { person, gateway } = world();
  const { visitor, accountId } = await person('shares');
  expect((await visitor.get(path)).text).toContain('You have no active links.');
  const [one, two] = [
    await share(visitor, accountId, { prompt: 'A quiet place' }),
    await share(visitor, accountId, { prompt: 'A loud place' }),
  ];
  // Its files are deleted in a day, and the link ends with them.
  const end = (await gateway.collections.shares.findOne({ _id: one.id }))?.expiresAt;
  expect((end?.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(dayMs);
  const { text } = await visitor.get(path);
  expect(text).toContain(`datetime="${end?.toISOString()}"`);
  expect(text.indexOf('A loud place')).toBeLessThan(text.indexOf('A quiet place'));
  expect(text).toContain(`href="${one.link}"`);
  for (const from of ['/settings/account', '/history', `/generations/${one.id}/share`]) {
    expect((await visitor.get(from)).text).toContain(`href="${path}"`);
  }
  expect((await visitor.get('/settings/access')).text).toContain('<bdi>A quiet place</bdi>');
  const back = { back: 'links' };
  await visitor.get(path);
  const revoked = await visitor.post(`/generations/${one.id}/share/revoke`, back);
  expect([revoked.path, revoked.text]).toEqual([path, expect.not.stringContaining('A quiet')]);
  const stranger = createVisitor(gateway.origin);
  expect((await stranger.get(one.link)).status).toBe(404);
  expect((await stranger.get(two.link)).status).toBe(200);
});

test('hides expired links, and links of others from strangers', async () => {
  const { person, gateway } = world();
  const [owner, other] = [await person('ended'), await person('stranger')];
  const { id } = await share(owner.visitor, owner.accountId, { prompt: 'Past' });
  expect((await other.visitor.get(path)).text).not.toContain('Past');
  const { shares } = gateway.collections;
  await shares.updateOne({ _id: id }, { $set: { expiresAt: new Date(Date.now() - 1_000) } });
  expect((await owner.visitor.get(path)).text).not.toContain('Past');
});

test('lets members see and revoke links to their own results, editors all, and billing none', async () => {
  const { person, addMember } = world();
  const owner = await person('team-owner');
  const people = { member: await person('member'), editor: await person('editor') };
  const billing = await person('billing');
  await addMember(owner, people.member, 'member');
  await addMember(owner, people.editor, 'editor');
  await addMember(owner, billing, 'billing');
  const { accountId } = owner;
  const theirs = await share(owner.visitor, accountId, { prompt: 'Of the owner' });
  const madeBy = people.member.accountId;
  await share(owner.visitor, accountId, { prompt: 'Of the member', madeBy });
  // A person who joined acts for the team.
  const asTeam = ({ visitor }: { visitor: Visitor }) => visitor.get(path);
  const [ofMember, ofEditor] = [await asTeam(people.member), await asTeam(people.editor)];
  expect(ofMember.text).toContain('Of the member');
  expect(ofMember.text).not.toContain('Of the owner');
  expect(ofEditor.text).toContain('Of the owner');
  expect((await asTeam(billing)).status).toBe(403);
  const refused = await people.member.visitor.post(`/generations/${theirs.id}/share/revoke`);
  expect(refused.status).toBe(403);
});

test('is paged, and read by the index of the account', async () => {
  const { person, gateway } = world();
  const { visitor, accountId } = await person('many');
  const { collections, db } = gateway;
  const ids: string[] = [];
  for (let count = 0; count < 52; count += 1) {
    ids.push(await addFinished(gateway, accountId, { prompt: `Place ${count}.`, outputs: [] }));
  }
  const expiresAt = new Date(Date.now() + dayMs);
  const fields = { accountId, salt: 'x', showsPrompt: false, createdAt: new Date(), expiresAt };
  await plain(collections.shares).insertMany(
    ids.map((_id) => ({ _id, tokenHash: _id, ...fields })),
  );
  const first = await visitor.get(path);
  const older = /href="(\/history\/links\?before=[^"]+)"/.exec(first.text)?.[1] ?? '';
  expect(first.text).toContain('Place 51.');
  expect(first.text).not.toContain('Place 1.');
  const read = await profile(db, ['shares'], async () => {
    const second = await visitor.get(older);
    expect([...second.text.matchAll(/Place (\d+)\./g)].map(([, count]) => count)).toEqual(
      expect.arrayContaining(['1', '0']),
    );
    expect(second.text).not.toContain('Place 2.');
  });
  expect(read.every(({ plan, documents }) => !/COLLSCAN|SORT/.test(plan) && documents <= 2)).toBe(
    true,
  );
});
