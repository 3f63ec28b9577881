import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUpVerified } from '../site/support/signUpVerified.ts';
import { createVisitor } from '../site/support/visitor.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { enrolStaff } from './browse.ts';

let bed: TestGateway;
beforeAll(async () => {
  bed = await startTestGateway({ ROLE: 'api' });
});
afterAll(async () => {
  await bed.stop();
  expect(bed.errors).toEqual([]);
});

const password = 'correct horse battery';

/** A customer who is signed in. */
async function customer(email: string) {
  const visitor = createVisitor(bed.origin);
  await signUpVerified(visitor, bed.dataDir, email, password);
  const { database } = bed.gateway.database;
  return { visitor, accountId: (await database.accounts.findByEmail(email))?.id ?? '' };
}

test('support end all sessions of a customer, and no others', async () => {
  const { browser } = await enrolStaff(bed, 'support');
  const victim = await customer('victim@example.com');
  const bystander = await customer('bystander@example.com');
  const thief = createVisitor(bed.origin);
  await thief.get('/sign-in');
  await thief.post('/sign-in', { email: 'victim@example.com', password });
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
  const [entry] = await bed.gateway.database.collections.staffAudit
    .find({ action: 'end sessions' })
    .toArray();
  expect(entry).toMatchObject({
    targets: [victim.accountId],
    reason: 'a stolen laptop',
    outcome: 'done',
  });
});

test('the site is meant, not the console: support sign out no admin there', async () => {
  const support = await enrolStaff(bed, 'support');
  const admin = await enrolStaff(bed, 'admin');
  const path = `/staff/accounts/${admin.accountId}/end-sessions`;
  await support.browser.get(path);
  expect((await support.browser.send(path, { reason: 'a test' })).status).toBe(303);
  expect((await admin.browser.get('/staff')).status).toBe(200);
});

test('there is an account to sign out, or nothing is done', async () => {
  const { browser } = await enrolStaff(bed, 'support');
  const path = '/staff/accounts/acct_nothing/end-sessions';
  await browser.get(path);
  const { status, html } = await browser.send(path, { reason: 'a test' });
  expect([status, html.includes('There is no account acct_nothing')]).toEqual([409, true]);
});
