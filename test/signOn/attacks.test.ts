import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createVisitor, type Page, type Visitor } from '../site/support/visitor.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { askToLink } from './support/askToLink.ts';
import { type Forger, type Forgery, startForger } from './support/forger.ts';
import { leave } from './support/signOnWorld.ts';

let forger: Forger;
let gateway: TestGateway;

beforeAll(async () => {
  forger = await startForger();
  gateway = await startTestGateway({
    ROLE: 'api',
    SIGN_IN: 'both',
    OIDC_NAME: 'Example ID',
    ...forger.client,
  });
});
afterEach(() => {
  forger.next = {};
});
afterAll(async () => {
  await gateway.stop();
  await forger.close();
  expect(gateway.errors).toEqual([]);
});

interface Begun {
  state: string;
  nonce: string;
}

async function begin(visitor: Visitor, path = '/sign-in/oidc'): Promise<Begun> {
  const { searchParams } = new URL(await leave(gateway.origin, visitor, path));
  expect(searchParams.get('code_challenge_method')).toBe('S256');
  expect(searchParams.get('response_type')).toBe('code');
  return { state: searchParams.get('state') ?? '', nonce: searchParams.get('nonce') ?? '' };
}

const comeBack = (visitor: Visitor, { state, nonce }: Begun, more = '') =>
  visitor.get(`/sign-in/oidc/callback?code=${nonce}&state=${state}${more}`);

async function signIn(visitor: Visitor, next: Forgery = {}): Promise<Page> {
  const begun = await begin(visitor);
  forger.next = next;
  return comeBack(visitor, begun);
}

const visit = () => createVisitor(gateway.origin);
const isIn = async (visitor: Visitor) => (await visitor.get('/studio')).path === '/studio';
const subject = () => ({ sub: randomUUID(), email: `${randomUUID()}@example.com` });
const now = () => Math.floor(Date.now() / 1000);

test('an honest response signs in', async () => {
  const visitor = visit();
  expect((await signIn(visitor)).path).toBe('/studio');
});

describe('no one is signed in by', () => {
  const forgeries: [string, () => Forgery][] = [
    ['the nonce of another request', () => ({ claims: { nonce: 'another' } })],
    ['no nonce', () => ({ claims: { nonce: undefined } })],
    ['the audience of another client', () => ({ claims: { aud: 'another' } })],
    ['an audience of several without us', () => ({ claims: { aud: ['a', 'b'] } })],
    ['another issuer', () => ({ claims: { iss: 'https://evil.example' } })],
    ['a token that has expired', () => ({ claims: { exp: now() - 120 } })],
    ['a token without an end', () => ({ claims: { exp: undefined } })],
    ['a token from the future', () => ({ claims: { iat: now() + 600, nbf: now() + 600 } })],
    ['an unsigned token', () => ({ header: { alg: 'none', kid: undefined }, signature: 'none' })],
    ['a token without its signature', () => ({ signature: 'none' })],
    ['the signature of another key', () => ({ signature: 'foreign' })],
    ['a damaged signature', () => ({ signature: 'damaged' })],
    ['a key that is not published', () => ({ header: { kid: 'other' } })],
    ['a token that is signed with our own secret', () => ({ header: { alg: 'HS256' } })],
    ['no one in particular', () => ({ claims: { sub: undefined } })],
    ['a subject of a thousand characters', () => ({ claims: { sub: 'x'.repeat(1000) } })],
    [
      'a response of two megabytes',
      () => ({
        instead: {
          path: '/token',
          respond: (response) => {
            response.writeHead(200, { 'content-type': 'application/json' });
            response.end(JSON.stringify({ junk: 'x'.repeat(2 ** 21) }));
          },
        },
      }),
    ],
    [
      'a redirect of the token',
      () => ({
        instead: {
          path: '/token',
          respond: (response) => {
            response.writeHead(307, { location: `${forger.issuer}/elsewhere` });
            response.end();
          },
        },
      }),
    ],
  ];
  test.each(forgeries)('%s', async (_, forgery) => {
    const visitor = visit();
    const page = await signIn(visitor, forgery());
    expect([403, 503]).toContain(page.status);
    expect(page.text).toContain('You&#39;re not signed in');
    expect(await isIn(visitor)).toBe(false);
    expect(forger.asked).not.toContain('/elsewhere');
  });

  test('a used state', async () => {
    const visitor = visit();
    const begun = await begin(visitor);
    expect((await comeBack(visitor, begun)).path).toBe('/studio');
    const asked = forger.asked.length;
    expect((await comeBack(visitor, begun)).status).toBe(410);
    expect(forger.asked).toHaveLength(asked);
  });

  test('a state begun by another browser or by no one', async () => {
    const [attacker, victim] = [visit(), visit()];
    await begin(victim);
    const begun = await begin(attacker);
    const page = await comeBack(victim, begun);
    expect(page.status).toBe(410);
    expect(page.text).toContain('started in another browser');
    expect(await isIn(victim)).toBe(false);
    for (const state of ['', 'x', `${begun.state}&state=y`]) {
      expect((await comeBack(victim, { ...begun, state })).status).toBe(410);
    }
  });

  test('an expired state', async () => {
    const visitor = visit();
    const begun = await begin(visitor);
    await gateway.models.signOnRequests.updateMany({}, [{ $set: { expiresAt: '$$NOW' } }], {
      updatePipeline: true,
    });
    expect((await comeBack(visitor, begun)).status).toBe(410);
  });

  test('a state begun for the console or for linking', async () => {
    const visitor = visit();
    const claims = subject();
    await signIn(visitor, { claims });
    const page = await askToLink(visitor, gateway.dataDir, claims.email);
    const [, text = ''] = /href="([^"]+)"[^>]*>\s*Continue to/.exec(page.text) ?? [];
    const { searchParams } = new URL(text.replaceAll('&amp;', '&'));
    const begun = {
      state: searchParams.get('state') ?? '',
      nonce: searchParams.get('nonce') ?? '',
    };
    await visitor.get('/settings/account');
    await visitor.post('/sign-out');
    forger.next = { claims: subject() };
    const refused = await comeBack(visitor, begun);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('You were signed out.');
  });

  test('a person or a provider who ends the sign-in', async () => {
    const visitor = visit();
    const { state } = await begin(visitor);
    const back = `/sign-in/oidc/callback?error=access_denied&error_description=%3Cb%3E&state=${state}`;
    const page = await visitor.get(back);
    expect(page.status).toBe(403);
    expect(page.text).toContain('completed.');
    expect(page.text).not.toContain('<b>');
  });

  test('the name of another issuer in the response', async () => {
    const visitor = visit();
    const begun = await begin(visitor);
    const page = await comeBack(visitor, begun, '&iss=https%3A%2F%2Fevil.example');
    expect(page.status).toBe(403);
    expect(await isIn(visitor)).toBe(false);
  });
});

test('a sign-in leads only to pages of the site', async () => {
  for (const next of ['//evil.example', 'https://evil.example', '/v1/models', '/studio\\@x']) {
    const visitor = visit();
    const begun = await begin(visitor, `/sign-in/oidc?next=${encodeURIComponent(next)}`);
    forger.next = { claims: subject() };
    expect((await comeBack(visitor, begun)).path).toBe('/studio');
  }
});

test('the database has neither state, nor cookie, nor token', async () => {
  const visitor = visit();
  const begun = await begin(visitor);
  const stored = await gateway.models.signOnRequests.find({}).lean();
  const text = JSON.stringify(stored);
  expect(text).toContain(begun.nonce);
  expect(text).not.toContain(begun.state);
  expect(text).not.toContain(visitor.cookies.get('fg_sign_on'));
});

test('a planted session is ended', async () => {
  const visitor = visit();
  await signIn(visitor, { claims: subject() });
  const before = visitor.cookies.get('fg_session');
  await signIn(visitor, { claims: subject() });
  expect(visitor.cookies.get('fg_session')).not.toBe(before);
  const planted = visit();
  planted.cookies.set('fg_session', before ?? '');
  expect(await isIn(planted)).toBe(false);
});

test('one address may begin sixty sign-ons per quarter of an hour', async () => {
  let status = 0;
  for (let turn = 0; turn < 70 && status !== 429; turn += 1) {
    const response = await fetch(`${gateway.origin}/sign-in/oidc`, { redirect: 'manual' });
    status = response.status;
    await response.arrayBuffer();
  }
  expect(status).toBe(429);
});
