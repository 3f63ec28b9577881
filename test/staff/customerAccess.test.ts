import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eraseAccount } from '../../gateway/src/application/staff/accountActions.ts';
import { mailsTo } from '../site/support/mailbox.ts';
import { newCustomer, turnOn, withPassword } from '../site/support/useSecondFactor.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { enrolStaff } from './browse.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

test('support end all sessions of a customer, and no others', async () => {
  const { browser } = await enrolStaff(gateway, 'support');
  const victim = await newCustomer(gateway, 'victim@example.com');
  const bystander = await newCustomer(gateway, 'bystander@example.com');
  const { visitor: thief } = await withPassword(gateway, victim.email);
  expect((await thief.get('/credits')).path).toBe('/credits');
  const page = `/staff/accounts/${victim.accountId}`;
  expect((await browser.get(page)).html).toContain(`${page}/end-sessions`);
  await browser.get(`${page}/end-sessions`);
  const done = await browser.send(`${page}/end-sessions`, { reason: 'a stolen laptop' });
  expect([done.status, done.location]).toEqual([303, `${page}?done`]);
  for (const visitor of [victim.visitor, thief]) {
    expect((await visitor.get('/credits')).path).toBe('/sign-in?next=%2Fcredits');
  }
  expect((await bystander.visitor.get('/credits')).path).toBe('/credits');
  const [entry] = await gateway.collections.staffAudit.find({ action: 'end sessions' }).toArray();
  expect(entry).toMatchObject({
    targets: [victim.accountId],
    reason: 'a stolen laptop',
    outcome: 'done',
  });
});

test('only the site is affected: support cannot sign an admin out of the console', async () => {
  const support = await enrolStaff(gateway, 'support');
  const admin = await enrolStaff(gateway, 'admin');
  const path = `/staff/accounts/${admin.accountId}/end-sessions`;
  await support.browser.get(path);
  expect((await support.browser.send(path, { reason: 'a test' })).status).toBe(303);
  expect((await admin.browser.get('/staff')).status).toBe(200);
});

test('without an account to sign out, nothing is done', async () => {
  const { browser } = await enrolStaff(gateway, 'support');
  const path = '/staff/accounts/acct_nothing/end-sessions';
  await browser.get(path);
  const { status, html } = await browser.send(path, { reason: 'a test' });
  expect([status, html.includes('This account does not exist.')]).toEqual([409, true]);
});

test('an admin removes a second factor, and the customer is told', async () => {
  const { browser } = await enrolStaff(gateway, 'admin');
  const customer = await newCustomer(gateway, 'phone@example.com');
  const page = `/staff/accounts/${customer.accountId}`;
  const action = `${page}/remove-second-factor`;
  expect((await browser.get(page)).html).not.toContain(action);
  await turnOn(customer);
  const { html } = await browser.get(page);
  expect([html.includes(action), html.includes('two-factor authentication since')]).toEqual([
    true,
    true,
  ]);
  expect((await withPassword(gateway, customer.email)).page.text).toContain('Enter your code');
  await browser.get(action);
  const reason = 'called back, knew the last invoice';
  expect((await browser.send(action, { reason })).status).toBe(303);
  expect((await withPassword(gateway, customer.email)).page.path).toBe('/studio');
  const subjects = (await mailsTo(gateway.dataDir, customer.email)).map(({ subject }) => subject);
  expect(subjects).toContain('Two-factor authentication was removed');
  const [entry] = await gateway.collections.staffAudit
    .find({ action: 'remove second factor' })
    .toArray();
  expect(entry).toMatchObject({ targets: [customer.accountId], reason, outcome: 'done' });
  await browser.get(action);
  expect((await browser.send(action, { reason })).status).toBe(409);
});

test('the second factor is removed with the account', async () => {
  const { accountId, visitor } = await newCustomer(gateway, 'gone@example.com');
  await turnOn({ visitor });
  const { collections, database, clock } = gateway;
  await eraseAccount({ database, clock }, accountId);
  expect(await collections.customerFactors.countDocuments({ _id: accountId })).toBe(0);
});
