import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeFor, mailsTo } from '../site/support/mailbox.ts';
import { signUpVerified } from '../site/support/signUpVerified.ts';
import { createVisitor, type Visitor } from '../site/support/visitor.ts';
import { enrolStaff, type Browser } from '../staff/browse.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

/*
 * The attack: somebody has the password, a session or the unlocked browser of another person, and wants to
 * stay inside after the owner has noticed, or to make a key that outlives it all.
 */

let bed: TestGateway;
beforeAll(async () => {
  bed = await startTestGateway({ ROLE: 'api' });
});
afterAll(() => bed.stop());

const path = '/settings/public-api';
const isInConsole = async (browser: Browser) => (await browser.get('/staff')).status === 200;
const isOnSite = async (visitor: Visitor) => (await visitor.get('/credits')).path === '/credits';

async function signIn(email: string, password: string): Promise<Visitor> {
  const visitor = createVisitor(bed.origin);
  await visitor.get('/sign-in');
  await visitor.post('/sign-in', { email, password });
  expect(await isOnSite(visitor)).toBe(true);
  return visitor;
}

describe('a member of staff whose password is known', () => {
  test('ends the console’s sessions by a new password', async () => {
    const { browser, email, password } = await enrolStaff(bed, 'admin');
    const owner = await signIn(email, password);
    expect(await isInConsole(browser)).toBe(true);
    await owner.get('/settings/account');
    const fields = { current_password: password, password: 'another good one' };
    await owner.post('/settings/account/password', fields);
    expect([await isOnSite(owner), await isInConsole(browser)]).toEqual([true, false]);
    const mails = await mailsTo(bed.dataDir, email);
    const mail = mails.find(({ subject }) => subject === 'Your Framegate password was changed');
    expect(mail?.text).toContain('127.0.0.1');
  });

  test('and by a reset', async () => {
    const { browser, email } = await enrolStaff(bed, 'support');
    const owner = createVisitor(bed.origin);
    await owner.get('/forgotten-password');
    const asked = await owner.post('/forgotten-password', { email });
    const code = await codeFor(bed.dataDir, email);
    await owner.post(asked.path, { code, password: 'another good one' });
    expect(await isInConsole(browser)).toBe(false);
    expect((await mailsTo(bed.dataDir, email)).at(-1)?.subject).toMatch(/password was changed/);
  });

  test('signs out everywhere, from the site and from the console', async () => {
    const { browser, email, password } = await enrolStaff(bed, 'support');
    const [one, two] = [await signIn(email, password), await signIn(email, password)];
    expect((await one.get('/settings/account')).text).toContain('Sign out everywhere');
    await one.post('/settings/account/sessions', { session: 'all' });
    expect([await isOnSite(one), await isOnSite(two), await isInConsole(browser)]).toEqual([
      ...[false, false, false],
    ]);
    const other = await enrolStaff(bed, 'support');
    const site = await signIn(other.email, other.password);
    expect((await other.browser.get('/staff')).html).toContain('/staff/sign-out-everywhere');
    await other.browser.send('/staff/sign-out-everywhere', {});
    expect([await isOnSite(site), await isInConsole(other.browser)]).toEqual([false, false]);
    const { staffSessions } = bed.gateway.database.collections;
    expect(await staffSessions.countDocuments({ accountId: other.accountId })).toBe(0);
  });
});

describe('a browser that was left open', () => {
  const email = 'open@example.com';
  const password = 'correct horse battery';
  let visitor: Visitor;
  const made = /value="fg_live_[0-9A-Za-z]{38}"/;

  const makeKey = async (typed?: string) => {
    const form = await visitor.get(path);
    return visitor.post(`${path}/keys`, {
      form_key: form.field('form_key'),
      name: 'a key',
      models: 'image-b-2',
      ...(typed !== undefined && { current_password: typed }),
    });
  };
  /** As if the sign-in had been a while ago. */
  const age = async () => {
    const longAgo = bed.gateway.database.clock.now() - 16 * 60_000;
    const { sessions } = bed.gateway.database.collections;
    await sessions.updateMany({}, { $set: { 'data.confirmedAtMs': longAgo } });
  };

  beforeAll(async () => {
    visitor = createVisitor(bed.origin);
    await signUpVerified(visitor, bed.dataDir, email, password);
  });

  test('makes no key without the password, which is asked for once in a while', async () => {
    expect((await makeKey()).text).toMatch(made);
    await age();
    expect((await visitor.get(path)).text).toContain('name="current_password"');
    for (const typed of [undefined, '', 'wrong one']) {
      const refused = await makeKey(typed);
      expect([refused.status, made.test(refused.text)]).toEqual([400, false]);
      expect(refused.text).toContain('This is not your password.');
      expect(refused.field('name')).toBe('a key');
    }
    expect((await makeKey(password)).text).toMatch(made);
    expect((await makeKey()).text).toMatch(made);
  });

  test('nor does it replace one', async () => {
    await age();
    const page = await visitor.get(path);
    const keyId = /<tr id="(key_[0-9a-z]+)">/.exec(page.text)?.[1] ?? '';
    const rotate = (fields: Record<string, string>) =>
      visitor.post(`${path}/keys/${keyId}/rotate`, { form_key: 'f', overlap: '0', ...fields });
    expect((await rotate({})).text).toContain('This is not your password.');
    expect((await rotate({ current_password: password })).text).toMatch(made);
  });
});
