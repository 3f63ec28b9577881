import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type SignInLinkResponse, sitePage } from '@framegate/contract/operator';
import { createVisitor, type Visitor } from '../site/support/visitor.ts';
import { freePort } from '../support/freePort.ts';
import { startTestGateway } from '../support/gateway.ts';
import { errorOf, operatorClient, useOperatorWorld } from './support/operatorWorld.ts';

const { world, operator } = useOperatorWorld();

async function addVerified(): Promise<{ id: string; email: string }> {
  const email = `${randomUUID()}@customers.example`;
  const { json } = await operator.post('/accounts', { email, email_verified: true });
  return { id: String(json['id']), email };
}

const linksOf = (accountId: string) => `/accounts/${accountId}/sign-in-links`;

async function makeLink(accountId: string, body: object = {}, key = randomUUID()) {
  const response = await operator.post(linksOf(accountId), body, key);
  const link = response.json as unknown as SignInLinkResponse;
  return { ...response, link, path: pathOf(link) };
}

const pathOf = ({ url }: SignInLinkResponse) =>
  url === null ? '' : url.slice(new URL(url).origin.length);
const visit = () => createVisitor(world.gateway.origin);
const tokenIn = (path: string) => new URL(path, 'http://site').searchParams.get('token') ?? '';
const press = (visitor: Visitor, path: string) =>
  visitor.post('/sign-in/link', { token: tokenIn(path) });
const stored = () => world.gateway.models.signInLinks;

test('a link starts one session of the site', async () => {
  const { id, email } = await addVerified();
  const made = await makeLink(id, { return_to: '/settings/account', reason: 'from the shop' });
  expect(made.status).toBe(201);
  const { link } = made;
  expect(link).toMatchObject({
    object: 'sign_in_link',
    account_id: id,
    return_to: '/settings/account',
  });
  const left = Date.parse(link.expires_at) - Date.now();
  expect(left).toBeGreaterThan(30_000);
  expect(left).toBeLessThan(90_000);

  const visitor = visit();
  const page = await visitor.get(made.path);
  expect(page.status).toBe(200);
  expect(page.text).toContain(`Continue as ${email}`);
  expect(page.headers.get('referrer-policy')).toBe('same-origin');
  const inside = await press(visitor, made.path);
  expect(inside.path).toBe('/settings/account');
  expect(inside.text).toContain(email);
  expect(inside.text).toContain('this browser');

  const other = visit();
  await other.get('/sign-in');
  const again = await press(other, made.path);
  expect(again.status).toBe(410);
  expect((await other.get('/studio')).path).toMatch(/^\/sign-in/);
});

test('programs that open the link in advance do not use it up', async () => {
  const { id } = await addVerified();
  const { path } = await makeLink(id);
  const visitor = visit();
  for (const method of ['HEAD', 'GET', 'GET']) {
    expect((await fetch(world.gateway.origin + path, { method })).status).toBe(200);
  }
  const page = await visitor.get(path);
  expect(page.text).not.toMatch(/<form[^>]*sign-in\/link[^>]*data-/);
  expect((await press(visitor, path)).path).toBe('/studio');
});

test('a browser of the same account continues without using up the link', async () => {
  const { id } = await addVerified();
  const visitor = visit();
  const first = await makeLink(id);
  await visitor.get(first.path);
  await press(visitor, first.path);
  const second = await makeLink(id, { return_to: '/credits' });
  expect((await visitor.get(second.path)).path).toBe('/credits');
  expect(await stored().findOne({ accountId: id, usedAt: null }).lean()).not.toBeNull();
});

test('a browser of another account gets a notice, and switches accounts', async () => {
  const [one, two] = [await addVerified(), await addVerified()];
  const visitor = visit();
  const first = await makeLink(one.id);
  await visitor.get(first.path);
  await press(visitor, first.path);
  const former = visitor.cookies.get('fg_session') ?? '';
  const second = await makeLink(two.id);
  const page = await visitor.get(second.path);
  expect(page.text).toContain(`signed in as ${one.email}`);
  await press(visitor, second.path);
  expect((await visitor.get('/settings/account')).text).toContain(two.email);
  const planted = visit();
  planted.cookies.set('fg_session', former);
  planted.cookies.set('fg_session.sig', visitor.cookies.get('fg_session.sig') ?? '');
  expect((await planted.get('/studio')).path).toMatch(/^\/sign-in/);
});

test('neither the database nor the audit log has the token, and a replay returns the same link', async () => {
  const { id } = await addVerified();
  const key = randomUUID();
  const made = await makeLink(id, {}, key);
  const again = await makeLink(id, {}, key);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.text).toBe(made.text);
  const { operatorRequests, staffAudit } = world.gateway.models;
  const text = JSON.stringify([
    await stored().find({}).lean(),
    await operatorRequests.find({}).lean(),
    await staffAudit.find({}).lean(),
  ]);
  expect(text).toContain(made.link.id);
  expect(text).not.toContain(tokenIn(made.path));
  expect(text).toContain('api createSignInLink');

  const visitor = visit();
  await visitor.get(made.path);
  await press(visitor, made.path);
  const used = await makeLink(id, {}, key);
  expect(used.link).toEqual({ ...made.link, url: null });
});

test('a link expires by database time', async () => {
  const { id } = await addVerified();
  const key = randomUUID();
  const { path } = await makeLink(id, {}, key);
  const visitor = visit();
  await visitor.get(path);
  await stored().updateOne({ accountId: id }, [{ $set: { expiresAt: '$$NOW' } }], {
    updatePipeline: true,
  });
  expect((await press(visitor, path)).status).toBe(410);
  expect((await visitor.get(path)).status).toBe(410);
  expect((await makeLink(id, {}, key)).link.url).toBeNull();
});

test('of two processes that get the link simultaneously, one signs in', async () => {
  const second = await startTestGateway({
    ...world.gateway.env,
    PORT: String(await freePort()),
    OPERATOR_PORT: String(await freePort()),
  });
  try {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await addVerified();
      const { path } = await makeLink(id);
      const visitors = [visit(), createVisitor(second.origin)];
      for (const visitor of visitors) await visitor.get(path);
      const pages = await Promise.all(visitors.map((visitor) => press(visitor, path)));
      expect(pages.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410]);
    }
  } finally {
    await second.stop();
  }
});

test('a customer with a second factor must still enter a code', async () => {
  const { id } = await addVerified();
  await world.gateway.models.customerFactors.insertOne({
    _id: id,
    secret: 'sealed',
    lastStep: 0,
    recoveryHashes: [],
    enabledAt: new Date(),
  });
  const { path } = await makeLink(id);
  const visitor = visit();
  await visitor.get(path);
  const asked = await press(visitor, path);
  expect(asked.text).toContain('Enter your code');
  expect((await visitor.get('/studio')).path).toMatch(/^\/sign-in/);
});

describe('refuses', () => {
  test('accounts that are suspended, erased, of staff, unknown or without a verified address', async () => {
    const { id } = await addVerified();
    await operator.post(`/accounts/${id}/suspend`);
    const suspended = errorOf(await operator.post(linksOf(id)));
    expect(suspended).toMatchObject({ status: 403, code: 'account_suspended' });
    await operator.post(`/accounts/${id}/resume`);
    await world.erase(id);
    const erased = errorOf(await operator.post(linksOf(id)));
    expect(erased).toMatchObject({ status: 403, code: 'account_suspended' });
    const open = errorOf(await operator.post(linksOf(await world.addCustomer())));
    expect(open).toMatchObject({ status: 409, code: 'email_not_verified' });
    const staff = await addVerified();
    await world.gateway.models.accounts.updateOne(
      { _id: staff.id },
      { $set: { staffRole: 'admin' } },
    );
    for (const unknown of [staff.id, 'acct_x']) {
      const refused = errorOf(await operator.post(linksOf(unknown)));
      expect(refused).toMatchObject({ status: 404, code: 'account_not_found' });
    }
  });

  test('accounts that were suspended after the link was made', async () => {
    const { id } = await addVerified();
    const { path } = await makeLink(id);
    const visitor = visit();
    await visitor.get(path);
    await operator.post(`/accounts/${id}/suspend`);
    expect((await press(visitor, path)).status).toBe(403);
    expect((await visitor.get('/studio')).path).toMatch(/^\/sign-in/);
  });

  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/studio?next=//evil.example',
    '/studio/..//evil.example',
    '/studio#x',
    '/v1/models',
    '/staff',
    'studio',
    '',
    '/studio\n',
  ])('the page %j', async (path) => {
    const { id } = await addVerified();
    const refused = errorOf(await operator.post(linksOf(id), { return_to: path }));
    expect(refused).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  test('keys of customers, keys without the scope, and requests without an Idempotency-Key', async () => {
    const { id } = await addVerified();
    const customer = await world.gateway.addAccount();
    const live = operatorClient(world.origin, customer.keyId, customer.apiKey);
    expect(errorOf(await live.post(linksOf(id)))).toMatchObject({ status: 401 });
    const poor = await world.addKey({ scopes: ['accounts:write', 'keys:write'] });
    const refused = errorOf(await poor.post(linksOf(id)));
    expect(refused).toMatchObject({ status: 403, code: 'insufficient_scope' });
    expect(refused.message).toContain('sign-in-links:write');
    const bare = errorOf(await operator.post(linksOf(id), {}, null));
    expect(bare).toMatchObject({ status: 400, code: 'idempotency_key_missing' });
  });

  test('tokens that no one made, and forms of other sites', async () => {
    const visitor = visit();
    for (const token of ['', 'x', 'é'.repeat(43), 'a'.repeat(5000)]) {
      await visitor.get('/sign-in');
      expect((await visitor.post('/sign-in/link', { token })).status).toBe(410);
    }
    expect((await visitor.get('/sign-in/link?token=a&token=b')).status).toBe(410);
    const { path } = await makeLink((await addVerified()).id);
    await visitor.get(path);
    const forged = await visitor.send('/sign-in/link', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ token: tokenIn(path) }),
    });
    expect(forged.status).toBe(403);
    expect((await press(visitor, path)).path).toBe('/studio');
  });
});

test('a sign-in never leads to a page at another host', () => {
  const start = fc.constantFrom(
    '',
    '/',
    '//',
    '/studio',
    '/credits/',
    'https:',
    '/\\',
    '/history/../',
  );
  const rest = fc.stringMatching(/^[a-z0-9/_\\.@:?#%-]{0,12}$/);
  fc.assert(
    fc.property(start, rest, (a, b) => {
      const path = a + b;
      if (!sitePage.test(path)) return;
      const url = new URL(path, 'https://site.example');
      expect(url.href).toBe(`https://site.example${path}`);
    }),
    { numRuns: 2_000 },
  );
});
