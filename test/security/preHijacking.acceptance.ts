import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { argon2Passwords } from '../../gateway/src/adapters/system/passwords.ts';
import { createAccount } from '../../gateway/src/application/accounts/createAccount.ts';
import { createKey } from '../../gateway/src/application/keys/keys.ts';
import { codeFor, mailsTo } from '../site/support/mailbox.ts';
import { signUpVerified } from '../site/support/signUpVerified.ts';
import { createVisitor, type Visitor } from '../site/support/visitor.ts';
import { requests, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

/*
 * The attack: a stranger opens an account with someone else's address, or comes to know an account's
 * password, and stays inside after the owner of the mailbox has taken the account over.
 */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api', SIGNUP_CREDITS: '500' });
});
afterAll(() => gateway.stop());

const strangers = 'a password of the stranger';
const owners = 'a password of the owner';

const isSignedIn = async (visitor: Visitor) => (await visitor.get('/credits')).path === '/credits';

async function signIn(visitor: Visitor, email: string, password: string) {
  await visitor.get('/sign-in');
  return visitor.post('/sign-in', { email, password });
}

async function makeKey(visitor: Visitor): Promise<string> {
  const form = await visitor.get('/settings/public-api');
  const page = await visitor.post('/settings/public-api/keys', {
    form_key: form.field('form_key'),
    name: randomUUID(),
    models: 'image-b-2',
    // Required if the session is not fresh.
    current_password: strangers,
  });
  return /value="(fg_live_[0-9A-Za-z]{38})"/.exec(page.text)?.[1] ?? '';
}

const statusOf = async (apiKey: string) =>
  (await requests(gateway.origin, apiKey).get('/v1/credits/balance')).status;

describe('an account that a stranger opened with the address of somebody else', () => {
  test('belongs only to the owner once the code of the email is entered', async () => {
    const email = 'victim@example.com';
    const [stranger, owner] = [createVisitor(gateway.origin), createVisitor(gateway.origin)];
    await stranger.get('/sign-up');
    const asked = await stranger.post('/sign-up', { email, password: strangers });
    // No way to sign in exists before the code.
    await signIn(stranger, email, strangers);
    expect(await isSignedIn(stranger)).toBe(false);
    const [mail] = await mailsTo(gateway.dataDir, email);
    expect(mail?.text.replaceAll(/\s+/g, ' ')).toContain("don't share the code");
    const code = mail?.code ?? '';
    await owner.get(asked.path);
    const without = await owner.post(asked.path, { code });
    expect([without.status, await isSignedIn(owner)]).toEqual([400, false]);
    await owner.post(asked.path, { code, password: owners });
    expect(await isSignedIn(owner)).toBe(true);
    // The stranger has neither a session nor a password and thus creates no key.
    expect(await isSignedIn(stranger)).toBe(false);
    expect((await signIn(stranger, email, strangers)).status).toBe(400);
    expect(await makeKey(stranger)).toBe('');
  });

  test('signing up again brings the owner another code', async () => {
    const email = 'twice@example.com';
    const [stranger, owner] = [createVisitor(gateway.origin), createVisitor(gateway.origin)];
    await stranger.get('/sign-up');
    await stranger.post('/sign-up', { email, password: strangers });
    await signUpVerified(owner, gateway.dataDir, email, owners);
    expect(await isSignedIn(owner)).toBe(true);
  });
});

describe('an account that an operator opened and that is not verified', () => {
  test('emails a code instead of signing in, and loses password, sessions and keys with it', async () => {
    const email = 'opened@example.com';
    const { database, clock } = gateway;
    const deps = { database, clock, random: gateway.random, passwords: argon2Passwords };
    const { id: accountId } = await createAccount(deps, {
      email,
      password: strangers,
      isVerified: false,
      staffRole: null,
    });
    const { apiKey } = await createKey(
      { ...deps, pepper: gateway.pepper },
      { accountId, name: 'early', hosts: [], models: [] },
    );
    expect(await statusOf(apiKey)).toBe(200);
    const [stranger, owner] = [createVisitor(gateway.origin), createVisitor(gateway.origin)];
    const asked = await signIn(stranger, email, strangers);
    expect(asked.path).toMatch(/^\/confirm\/cfm_/);
    expect(await isSignedIn(stranger)).toBe(false);
    await owner.get(asked.path);
    const code = await codeFor(gateway.dataDir, email);
    expect((await owner.post(asked.path, { code, password: owners })).path).toBe('/studio');
    expect(await isSignedIn(stranger)).toBe(false);
    expect((await signIn(stranger, email, strangers)).status).toBe(400);
    await until(async () => (await statusOf(apiKey)) === 401);
  });
});

describe('a password known to a stranger', () => {
  test.each([true, false])('ends with a reset; keys to be revoked: %s', async (revokes) => {
    const email = `known-${revokes}@example.com`;
    const [stranger, owner] = [createVisitor(gateway.origin), createVisitor(gateway.origin)];
    await signUpVerified(stranger, gateway.dataDir, email, strangers);
    const apiKey = await makeKey(stranger);
    expect(await statusOf(apiKey)).toBe(200);
    await owner.get('/forgotten-password');
    const asked = await owner.post('/forgotten-password', { email });
    expect(asked.text).toContain('name="revoke_keys"');
    const code = await codeFor(gateway.dataDir, email);
    const done = await owner.post(asked.path, {
      code,
      password: owners,
      ...(revokes && { revoke_keys: 'yes' }),
    });
    expect(done.text).toContain(
      revokes ? 'You have no active API keys' : 'One API key is still active',
    );
    expect(await isSignedIn(stranger)).toBe(false);
    if (revokes) await until(async () => (await statusOf(apiKey)) === 401);
    else expect(await statusOf(apiKey)).toBe(200);
  });
});
