import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hourMs } from '@framegate/contract';
import { codeFor, mailsTo } from '../site/support/mailbox.ts';
import { password, signUpVerified } from '../site/support/signUpVerified.ts';
import { shownKey } from '../site/support/useKeyPages.ts';
import { joinPathIn } from '../site/support/useTeam.ts';
import type { Visitor } from '../site/support/visitor.ts';
import { requests } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { type SignOnWorld, startSignOnWorld } from './support/signOnWorld.ts';

/*
 * The attack: a thief at an open session links an identity of their own and becomes an owner of the team; the owner
 * then takes the account back by email.
 */

let world: SignOnWorld;
beforeAll(async () => {
  world = await startSignOnWorld();
});
afterAll(async () => {
  await world.stop();
});

const accounts = () => world.gateway.database.accounts;
const address = () => `${randomUUID()}@example.com`;
async function signUp(email: string): Promise<Visitor> {
  const visitor = world.open();
  await signUpVerified(visitor, world.gateway.dataDir, email);
  return visitor;
}

/** An account in which someone else has linked an identity, become an owner, and made a key. */
async function addVictim() {
  const [email, helperEmail] = [address(), address()];
  const victim = await signUp(email);
  const person = { sub: randomUUID(), email: address(), email_verified: true };
  await victim.get('/settings/account');
  const page = await victim.post('/settings/account/link');
  const [, href = ''] = /href="([^"]+)"[^>]*>\s*Continue to Example ID/.exec(page.text) ?? [];
  world.provider.person = person;
  const back = await world.provider.visit(href.replaceAll('&amp;', '&'));
  expect((await victim.get(back.pathname + back.search)).path).toBe('/settings/account');
  const helper = await signUp(helperEmail);
  await victim.get('/settings/team');
  await victim.post('/settings/team/invite', { email: helperEmail, role: 'owner' });
  const mail = (await mailsTo(world.gateway.dataDir, helperEmail)).at(-1);
  const path = joinPathIn(mail?.text ?? '');
  await helper.get(path);
  await helper.post(path);
  const form_key = (await helper.get('/settings/public-api')).field('form_key');
  const fields = { form_key, name: 'theirs', models: 'image-b-2' };
  const apiKey = shownKey(await helper.post('/settings/public-api/keys', fields));
  const find = async () => (await accounts().findByEmail(email)) ?? Promise.reject(new Error());
  return { email, victim, person, helper, helperEmail, apiKey, find };
}

async function reset(email: string): Promise<Visitor> {
  const visitor = world.open();
  await visitor.get('/forgotten-password');
  const asked = await visitor.post('/forgotten-password', { email });
  const code = await codeFor(world.gateway.dataDir, email);
  const page = await visitor.post(asked.path, { code, password: 'another long pass phrase' });
  expect(page.path).toBe('/settings/access');
  return visitor;
}

const keyWorks = async (apiKey: string) =>
  (await requests(world.gateway.origin, apiKey).get('/v1/credits/balance')).status === 200;

test('after a reset no one else acts in the account until its person has chosen who keeps access', async () => {
  const { email, victim, person, helper, apiKey, find } = await addVictim();
  expect(await keyWorks(apiKey)).toBe(true);
  const owner = await reset(email);

  const stranger = world.open();
  const refused = await world.signIn(stranger, person);
  expect(refused.text).toContain('was just reset');
  expect((await stranger.get('/settings/account')).path).toMatch(/^\/sign-in/);
  expect((await victim.get('/studio')).path).toMatch(/^\/sign-in/);
  expect((await helper.get('/settings/team')).status).toBe(403);
  // Programs keep working before the choice.
  expect(await keyWorks(apiKey)).toBe(true);

  // Every page leads to the choice, in which everything is selected.
  const page = await owner.get('/studio');
  expect(page.path).toBe('/settings/access');
  const { members = [], keys } = await find();
  const [member = ''] = members.map(({ id }) => id);
  const [key = ''] = keys.map(({ id }) => id);
  const identity = `${world.provider.issuer} ${person.sub}`;
  for (const value of [member, key, identity]) {
    expect(page.text).toMatch(new RegExp(`value="${value}"\\s+checked`));
  }
  const chosen = await owner.post('/settings/access', { identity, member, key });
  expect(chosen.path).toBe('/studio');

  expect(await find()).toMatchObject({ identities: [], members: [] });
  expect((await world.signIn(world.open(), person)).text).not.toContain(email);
  expect((await helper.get('/settings/team')).text).not.toContain(email);
  expect((await find()).keys.every(({ revokedAt }) => revokedAt !== null)).toBe(true);
});

test('kept access works again', async () => {
  const { email, person, apiKey, find } = await addVictim();
  const owner = await reset(email);
  await owner.post('/settings/access', {});
  const { members, identities } = await find();
  expect([members?.length, identities?.length]).toEqual([1, 1]);
  const again = world.open();
  await world.signIn(again, person);
  expect((await again.get('/settings/account')).text).toContain(email);
  expect(await keyWorks(apiKey)).toBe(true);
  // The list is always available, with nothing selected.
  const page = await again.get('/settings/access');
  expect(page.text).toContain('theirs');
  expect(page.text).not.toContain('checked');
});

test('unlinking ends the sessions of other browsers', async () => {
  const { victim, person } = await addVictim();
  const stranger = world.open();
  await world.signIn(stranger, person);
  await victim.get('/settings/account');
  await victim.post('/settings/account/unlink', { current_password: password });
  expect((await stranger.get('/settings/account')).path).toMatch(/^\/sign-in/);
  expect((await victim.get('/settings/account')).path).toBe('/settings/account');
});

test('a reset also offers the keys that the person made in teams, and all public links at once', async () => {
  const { helper, helperEmail, apiKey } = await addVictim();
  const { id } = (await accounts().findByEmail(helperEmail)) ?? { id: '' };
  const { shares } = world.gateway.collections;
  for (const name of ['one', 'two']) {
    const link = { accountId: id, salt: name, tokenHash: name, showsPrompt: false };
    const times = { createdAt: new Date(), expiresAt: new Date(Date.now() + hourMs) };
    await shares.insertOne({ _id: `gen_${name}`, ...link, ...times });
  }
  const owner = await reset(helperEmail);
  expect(await keyWorks(apiKey)).toBe(true);
  const page = await owner.get('/settings/access');
  expect(page.text).toContain('API keys you created in other accounts');
  expect(page.text).toMatch(/last used .* from 127\.0\.0\.1/s);
  const [, key = ''] = /name="team-key"\s+value="(key_\w+)"\s+checked/.exec(page.text) ?? [];
  const chosen = await owner.post('/settings/access', { 'team-key': key, link: 'all' });
  expect(chosen.path).toBe('/studio');
  await until(async () => !(await keyWorks(apiKey)));
  expect(await shares.countDocuments({ accountId: id })).toBe(0);
  expect((await helper.get('/studio')).path).toMatch(/^\/sign-in/);
});
