import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setMember } from '../../gateway/src/domain/teams/team.ts';
import { password, signUpVerified } from '../site/support/signUpVerified.ts';
import { askToLink } from './support/askToLink.ts';
import { leave, type SignOnWorld, startSignOnWorld } from './support/signOnWorld.ts';

let world: SignOnWorld;
beforeAll(async () => {
  world = await startSignOnWorld({ SIGNUP_CREDITS: '25' });
});
afterAll(async () => {
  await world.stop();
});

const somebody = () => {
  const id = randomUUID();
  return { sub: id, email: `${id}@example.com`, email_verified: true };
};
const accounts = () => world.gateway.models.accounts;

test('a new customer gets an account with its credits, and opens the same account again', async () => {
  const person = somebody();
  const visitor = world.open();
  expect((await visitor.get('/sign-in')).text).toContain('Sign in with Example ID');
  const page = await world.signIn(visitor, person);
  expect(page.path).toBe('/studio');
  expect(page.text).toContain('25 credits available');
  const again = world.open();
  expect((await world.signIn(again, person, '/sign-in/oidc?next=/credits')).path).toBe('/credits');
  const found = await accounts().find({ email: person.email }).lean();
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({
    isVerified: true,
    passwordHash: null,
    identities: [{ issuer: world.provider.issuer, subject: person.sub }],
  });
  expect((await again.get('/settings/account')).text).toContain('This account has no password');
});

test('a prompt typed before the end of a session is in the studio after the sign-on', async () => {
  const person = somebody();
  await world.signIn(world.open(), person);
  const visitor = world.open();
  await visitor.get('/sign-in');
  const refused = await visitor.post('/studio', { do: 'create', prompt: 'A boat, half typed' });
  expect([refused.status, refused.path]).toEqual([401, '/studio']);
  const studio = await world.signIn(visitor, person, '/sign-in/oidc?next=/studio');
  expect(studio.text).toMatch(/<textarea[^>]*name="prompt"[^>]*>\s*A boat, half typed</);
  // Once, and only the beginning of a long one.
  expect((await visitor.get('/studio')).text).not.toContain('A boat, half typed');
  const other = world.open();
  await other.get('/sign-in');
  await other.post('/studio', { do: 'create', prompt: 'ö'.repeat(3_000) });
  const cut = await world.signIn(other, person, '/sign-in/oidc?next=/studio');
  expect(/>\s*(ö+)</.exec(cut.text)?.[1]).toHaveLength(1_350);
});

test('another address at the provider opens the same account', async () => {
  const person = somebody();
  await world.signIn(world.open(), person);
  const visitor = world.open();
  await world.signIn(visitor, { ...person, email: 'new.name@example.com' });
  expect((await visitor.get('/settings/account')).text).toContain(person.email);
});

test('an address that the provider has not verified, or does not share, makes no account', async () => {
  const person = somebody();
  const unverified = await world.signIn(world.open(), { ...person, email_verified: false });
  expect(unverified.status).toBe(409);
  expect(unverified.text).toContain('verified your email address. Verify it there');
  const none = await world.signIn(world.open(), { sub: person.sub });
  expect(none.text).toContain('share an email');
  expect(await accounts().findOne({ email: person.email }).lean()).toBeNull();
});

describe('an address that belongs to another account', () => {
  const person = somebody();

  test('opens nothing, and can be linked by the signed-in owner', async () => {
    const owner = world.open();
    await signUpVerified(owner, world.gateway.dataDir, person.email);
    const stranger = world.open();
    const refused = await world.signIn(stranger, person);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('link it under “Account”');
    expect((await stranger.get('/studio')).path).toMatch(/^\/sign-in/);
    expect((await accounts().findOne({ email: person.email }).lean())?.identities).toBeUndefined();

    await owner.get('/settings/account');
    const page = await owner.post('/settings/account/link');
    const [, address = ''] = /href="([^"]+)"[^>]*>\s*Continue to Example ID/.exec(page.text) ?? [];
    world.provider.person = person;
    const back = await world.provider.visit(address.replaceAll('&amp;', '&'));
    const linked = await owner.get(back.pathname + back.search);
    expect(linked.path).toBe('/settings/account');
    expect(linked.text).toContain('You can now sign in with Example ID');
    expect((await world.signIn(stranger, person)).path).toBe('/studio');
  });

  test('is unlinked with the password', async () => {
    const visitor = world.open();
    await world.signIn(visitor, person);
    await visitor.get('/settings/account');
    const wrong = await visitor.post('/settings/account/unlink', { current_password: 'no' });
    expect(wrong.status).toBe(400);
    await visitor.post('/settings/account/unlink', { current_password: password });
    expect((await world.signIn(world.open(), person)).status).toBe(409);
  });
});

test('an identity of one account is not linked with another', async () => {
  const [one, two] = [somebody(), somebody()];
  await world.signIn(world.open(), one);
  const visitor = world.open();
  await world.signIn(visitor, two);
  const page = await askToLink(visitor, world.gateway.dataDir, two.email);
  const [, address = ''] = /href="([^"]+)"[^>]*>\s*Continue to/.exec(page.text) ?? [];
  world.provider.person = one;
  const back = await world.provider.visit(address.replaceAll('&amp;', '&'));
  const refused = await visitor.get(back.pathname + back.search);
  expect(refused.status).toBe(403);
  expect(refused.text).toContain('already linked to another account');
});

test('two browsers of a new person at once make one account', async () => {
  const person = somebody();
  world.provider.person = person;
  const visitors = [world.open(), world.open()];
  const backs: URL[] = [];
  for (const visitor of visitors) {
    const address = await leave(world.gateway.origin, visitor, '/sign-in/oidc');
    backs.push(await world.provider.visit(address));
  }
  const pages = await Promise.all(
    visitors.map((visitor, index) =>
      visitor.get(`${backs[index]?.pathname}${backs[index]?.search}`),
    ),
  );
  expect(pages.map(({ path }) => path)).toEqual(['/studio', '/studio']);
  expect(await accounts().find({ email: person.email }).lean()).toHaveLength(1);
});

test('a sign-out offers the sign-out of the provider, which returns here', async () => {
  const person = somebody();
  const visitor = world.open();
  await world.signIn(visitor, person);
  const sessions = await world.gateway.models.sessions.find({}).lean();
  expect(JSON.stringify(sessions)).toContain('idToken');
  // A token begins with "eyJ", which sealed text may contain by chance.
  expect(JSON.stringify(sessions)).not.toMatch(/"eyJ/);
  await visitor.get('/settings/account');
  const page = await visitor.post('/sign-out');
  expect(page.text).toContain('You&#39;re signed out');
  const [, address = ''] = /href="([^"]+)"[^>]*>Sign out of Example ID/.exec(page.text) ?? [];
  const end = new URL(address.replaceAll('&amp;', '&'));
  expect(end.origin).toBe(world.provider.issuer);
  expect(end.searchParams.get('id_token_hint')).toMatch(/^eyJ/);
  expect(end.searchParams.get('post_logout_redirect_uri')).toBe(`${world.gateway.origin}/`);
  expect((await fetch(end)).status).toBe(200);
  expect((await visitor.get('/studio')).path).toMatch(/^\/sign-in/);
});

test('a sign-out while acting for a team also leads to the provider', async () => {
  const person = somebody();
  const visitor = world.open();
  await world.signIn(visitor, person);
  const own = await accounts().findOne({ email: person.email }).lean();
  const { accountId } = await world.gateway.addAccount({ email: `${randomUUID()}@example.com` });
  const { database } = world.gateway;
  await database.changeAccount(accountId, (account) => ({
    after: setMember(
      account,
      { id: String(own?._id), email: person.email, role: 'member' },
      Date.now(),
    ),
    result: undefined,
  }));
  await database.changeAccount(String(own?._id), (account) => ({
    after: { ...account, teams: [accountId] },
    result: undefined,
  }));
  await visitor.get('/studio');
  await visitor.post('/settings/acts-for', { account: accountId });
  await visitor.get('/studio');
  const page = await visitor.post('/sign-out');
  expect(page.text).toMatch(/id_token_hint=eyJ[^"]+">\s*Sign out of Example ID/);
});

test('a second factor of the customer is still required', async () => {
  const person = somebody();
  await world.signIn(world.open(), person);
  const account = await accounts().findOne({ email: person.email }).lean();
  await world.gateway.models.customerFactors.insertOne({
    _id: account?._id ?? '',
    secret: 'sealed',
    lastStep: 0,
    recoveryHashes: [],
    enabledAt: new Date(),
  });
  const visitor = world.open();
  expect((await world.signIn(visitor, person)).text).toContain('Enter your code');
  expect((await visitor.get('/studio')).path).toMatch(/^\/sign-in/);
});
