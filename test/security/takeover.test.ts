import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeFor, mailsTo } from '../site/support/mailbox.ts';
import { createVisitor, type Visitor } from '../site/support/visitor.ts';
import { type Browser, enrolStaff } from '../staff/browse.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

/*
 * The attack: someone has another person's password or session, and tries to keep access after the owner has noticed.
 */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
});
afterAll(() => gateway.stop());

const isInConsole = async (browser: Browser) => (await browser.get('/staff')).status === 200;
const isOnSite = async (visitor: Visitor) => (await visitor.get('/credits')).path === '/credits';

async function signIn(email: string, password: string): Promise<Visitor> {
  const visitor = createVisitor(gateway.origin);
  await visitor.get('/sign-in');
  await visitor.post('/sign-in', { email, password });
  expect(await isOnSite(visitor)).toBe(true);
  return visitor;
}

describe('a staff member whose password is known', () => {
  test("ends the console's sessions by a new password", async () => {
    const { browser, email, password } = await enrolStaff(gateway, 'admin');
    const owner = await signIn(email, password);
    expect(await isInConsole(browser)).toBe(true);
    await owner.get('/settings/account');
    const fields = { current_password: password, password: 'another good one' };
    await owner.post('/settings/account/password', fields);
    expect([await isOnSite(owner), await isInConsole(browser)]).toEqual([true, false]);
    const mails = await mailsTo(gateway.dataDir, email);
    const mail = mails.find(({ subject }) => subject === 'Your Framegate password was changed');
    expect(mail?.text).toContain('127.0.0.1');
  });

  test('also ends the sessions by a password reset', async () => {
    const { browser, email } = await enrolStaff(gateway, 'support');
    const owner = createVisitor(gateway.origin);
    await owner.get('/forgotten-password');
    const asked = await owner.post('/forgotten-password', { email });
    const code = await codeFor(gateway.dataDir, email);
    await owner.post(asked.path, { code, password: 'another good one' });
    expect(await isInConsole(browser)).toBe(false);
    expect((await mailsTo(gateway.dataDir, email)).at(-1)?.subject).toMatch(/password was changed/);
  });

  test('signs out all devices from the site and from the console', async () => {
    const { browser, email, password } = await enrolStaff(gateway, 'support');
    const [one, two] = [await signIn(email, password), await signIn(email, password)];
    expect((await one.get('/settings/account')).text).toContain('Sign out all devices');
    await one.post('/settings/account/sessions', {
      session: 'all',
      current_password: password,
    });
    expect([await isOnSite(one), await isOnSite(two), await isInConsole(browser)]).toEqual([
      ...[false, false, false],
    ]);
    const other = await enrolStaff(gateway, 'support');
    const site = await signIn(other.email, other.password);
    expect((await other.browser.get('/staff')).html).toContain('/staff/sign-out-everywhere');
    await other.browser.send('/staff/sign-out-everywhere', {});
    expect([await isOnSite(site), await isInConsole(other.browser)]).toEqual([false, false]);
    const { staffSessions } = gateway.collections;
    expect(await staffSessions.countDocuments({ accountId: other.accountId })).toBe(0);
  });
});
