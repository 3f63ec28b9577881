import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dayMs } from '@framegate/contract';
import { setAccountStatus } from '../../gateway/src/application/accounts/accounts.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { codeFor } from './support/mailbox.ts';
import { password, signUpVerified } from './support/signUpVerified.ts';
import { createVisitor, type Visitor } from './support/visitor.ts';

let gateway: TestGateway;
let visitor: Visitor;
const email = 'grace@example.com';

beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
  visitor = createVisitor(gateway.origin);
  await signUpVerified(visitor, gateway.dataDir, email);
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

async function signIn(as: Visitor, secret = password) {
  await as.get('/sign-in');
  return as.post('/sign-in', { email, password: secret });
}

describe('sessions', () => {
  test('the cookie is httpOnly, lax and signed, and contains no stored name', async () => {
    const other = createVisitor(gateway.origin);
    await other.get('/sign-in');
    const token = (await other.get('/sign-in')).field('form_token');
    const response = await fetch(`${gateway.origin}/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'sec-fetch-site': 'same-origin',
        cookie: `fg_form=${other.cookies.get('fg_form')}`,
      },
      body: new URLSearchParams({ form_token: token, email, password }),
    });
    const lines = response.headers.getSetCookie();
    const line = lines.find((each) => each.startsWith('fg_session=')) ?? '';
    expect(line).toMatch(/; httponly/i);
    expect(line).toMatch(/; samesite=lax/i);
    expect(lines.some((each) => each.startsWith('fg_session.sig='))).toBe(true);
    const value = /^fg_session=([^;]+)/.exec(line)?.[1];
    const stored = await gateway.collections.sessions.find().toArray();
    expect(JSON.stringify(stored)).not.toContain(value);
  });

  test('signing in renews the id, so that a planted one is worthless', async () => {
    const other = createVisitor(gateway.origin);
    await signIn(other);
    const before = other.cookies.get('fg_session');
    await other.get('/sign-in');
    const second = await other.post('/sign-in', { email, password });
    expect(second.status).toBe(200);
    expect(other.cookies.get('fg_session')).not.toBe(before);
    const planted = createVisitor(gateway.origin);
    planted.cookies.set('fg_session', before ?? '');
    expect((await planted.get('/studio')).path).toMatch(/^\/sign-in/);
  });

  test('signing out ends the session, also for a copy of its cookies', async () => {
    const other = createVisitor(gateway.origin);
    await signIn(other);
    const copy = createVisitor(gateway.origin);
    for (const [name, value] of other.cookies) copy.cookies.set(name, value);
    expect((await copy.get('/credits')).path).toBe('/credits');
    const form_token = (await other.get('/credits')).field('form_token');
    const cookie = [...other.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const ended = await fetch(`${gateway.origin}/sign-out`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ form_token }),
      headers: { 'sec-fetch-site': 'same-origin', cookie },
    });
    expect(ended.headers.get('clear-site-data')).toBe('"cache", "storage"');
    expect((await copy.get('/credits')).path).toBe('/sign-in?next=%2Fcredits');
  });

  test('unused and old sessions end', async () => {
    const { sessions } = gateway.collections;
    for (const change of [
      { seenAt: { $subtract: ['$$NOW', 8 * dayMs] } },
      { expiresAt: '$$NOW' },
    ]) {
      const other = createVisitor(gateway.origin);
      await signIn(other);
      const [latest] = await sessions.find().sort({ createdAt: -1 }).limit(1).toArray();
      await sessions.updateOne({ _id: latest?._id ?? '' }, [{ $set: change }]);
      expect((await other.get('/credits')).path).toMatch(/^\/sign-in/);
    }
  });

  test('the list ends another browser, and a new password ends all others', async () => {
    const [one, two] = [createVisitor(gateway.origin), createVisitor(gateway.origin)];
    await signIn(one);
    const page = await visitor.get('/settings/account');
    const ids = [...page.text.matchAll(/name="session"\s+value="([0-9a-f]{64})"/g)];
    const session = ids[0]?.[1] ?? '';
    await visitor.post('/settings/account/sessions', { session, current_password: password });
    expect((await one.get('/credits')).path).toMatch(/^\/sign-in/);
    await signIn(two);
    const wrong = await visitor.post('/settings/account/password', {
      current_password: 'not it at all',
      password: 'another good one',
    });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('id="field-current-problem"');
    await visitor.post('/settings/account/password', {
      current_password: password,
      password: 'another good one',
    });
    expect((await two.get('/credits')).path).toMatch(/^\/sign-in/);
    expect((await visitor.get('/credits')).path).toBe('/credits');
    await visitor.post('/settings/account/password', {
      current_password: 'another good one',
      password,
    });
  });

  test('no session ends without the password, in the list or on the access page', async () => {
    const other = createVisitor(gateway.origin);
    await signIn(other);
    const page = await visitor.get('/settings/account');
    const [, session = ''] = /name="session"\s+value="([0-9a-f]{64})"/.exec(page.text) ?? [];
    for (const current_password of ['', 'not it at all']) {
      for (const value of [session, 'others', 'all']) {
        const fields = { session: value, current_password };
        const list = await visitor.post('/settings/account/sessions', fields);
        expect([list.status, list.text]).toEqual([
          400,
          expect.stringContaining('-current-problem'),
        ]);
      }
      await visitor.get('/settings/access');
      const access = await visitor.post('/settings/access', { session, current_password });
      expect([access.status, access.text]).toEqual([
        400,
        expect.stringContaining('current-problem'),
      ]);
      await visitor.get('/settings/account');
    }
    expect((await other.get('/credits')).path).toBe('/credits');
    await visitor.get('/settings/access');
    await visitor.post('/settings/access', { session, current_password: password });
    expect((await other.get('/credits')).path).toMatch(/^\/sign-in/);
    await gateway.collections.attempts.deleteMany({});
  });

  test('a suspended account loses its sessions, and its person may sign in again to read', async () => {
    const other = createVisitor(gateway.origin);
    await signIn(other);
    const account = await gateway.database.accounts.findByEmail(email);
    const accountId = account?.id ?? '';
    const { database } = gateway;
    await setAccountStatus({ database }, { accountId, status: 'suspended' });
    expect((await other.get('/credits')).path).toMatch(/^\/sign-in/);
    await signIn(other);
    expect((await other.get('/credits')).text).toContain('suspended');
    await setAccountStatus({ database }, { accountId, status: 'active' });
    await signIn(visitor);
  });

  test('typed values survive an ended session', async () => {
    const other = createVisitor(gateway.origin);
    await signIn(other);
    await other.get('/studio');
    await gateway.collections.sessions.deleteMany({});
    const lost = await other.post('/studio', {
      do: 'create',
      model: 'image-b-2',
      prompt: 'A "quoted" <prompt>',
    });
    expect(lost.status).toBe(401);
    expect(lost.text).toContain('we kept what you entered');
    const back = await other.post('/sign-in', {
      email,
      password,
      next: lost.field('next'),
      draft: lost.field('draft'),
    });
    expect(back.path).toBe('/studio');
    expect(back.text).toContain('A &quot;quoted&quot; &lt;prompt&gt;</textarea>');
    expect(back.text).toContain('value="image-b-2" checked');
    await signIn(visitor);
  });
});

describe('forged requests', () => {
  test('a form without the token of this browser does nothing', async () => {
    const page = await visitor.post('/settings/account/sessions', {
      form_token: 'x',
      session: 'others',
    });
    // The first token counts and would be valid, so only a wrong one is sent.
    expect(page.path).toBe('/settings/account');
    const forged = await visitor.send('/sign-out', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ form_token: 'forged' }),
    });
    expect(forged.status).toBe(403);
    expect((await visitor.get('/credits')).path).toBe('/credits');
  });

  test('a token or a mark of a browser in multi-byte characters counts as missing', async () => {
    const other = createVisitor(gateway.origin);
    const token = (await other.get('/sign-in')).field('form_token');
    const forged = await other.send('/sign-out', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ form_token: 'é'.repeat(token.length) }),
    });
    expect(forged.status).toBe(403);
    other.cookies.set('fg_browser', `name~${'é'.repeat(43)}`);
    expect((await signIn(other)).path).toBe('/studio');
  });

  test.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    {},
  ])('a POST that comes from elsewhere (%j) does nothing', async (headers) => {
    const token = (await visitor.get('/credits')).field('form_token');
    const response = await visitor.send('/sign-out', {
      method: 'POST',
      headers,
      body: new URLSearchParams({ form_token: token }),
    });
    expect(response.status).toBe(403);
    expect((await visitor.get('/credits')).path).toBe('/credits');
  });

  test('a sign-in leads only to our own pages', async () => {
    for (const next of ['//evil.example', 'https://evil.example', '/v1/models', '/studio\\@x']) {
      const other = createVisitor(gateway.origin);
      await other.get('/sign-in');
      expect((await other.post('/sign-in', { email, password, next })).path).toBe('/studio');
    }
  });
});

describe('forgotten password', () => {
  test('the code and a new password replace the old one and end all sessions', async () => {
    const other = createVisitor(gateway.origin);
    await other.get('/forgotten-password');
    const asked = await other.post('/forgotten-password', { email });
    const code = await codeFor(gateway.dataDir, email);
    const weak = await other.post(asked.path, { code, password: 'short' });
    expect(weak.status).toBe(400);
    expect(weak.field('code')).toBe(code);
    const done = await other.post(asked.path, { code, password: 'a whole new word' });
    expect(done.path).toBe('/studio');
    expect((await visitor.get('/credits')).path).toMatch(/^\/sign-in/);
    expect((await signIn(visitor, 'a whole new word')).path).toBe('/studio');
    expect((await signIn(createVisitor(gateway.origin))).status).toBe(400);
  });

  test('an address without an account gets the same page and no email', async () => {
    const other = createVisitor(gateway.origin);
    await other.get('/forgotten-password');
    const page = await other.post('/forgotten-password', { email: 'nobody@example.com' });
    expect(page.path).toMatch(/^\/confirm\/cfm_/);
    expect(page.text).toContain('nobody@example.com');
    expect(await codeFor(gateway.dataDir, 'nobody@example.com')).toBe('');
  });
});
