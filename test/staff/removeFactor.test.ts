import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStaffWrites } from '../../gateway/src/adapters/mongo/staffStores.ts';
import { mailsTo } from '../site/support/mailbox.ts';
import { newCustomer, turnOn, withPassword } from '../site/support/useSecondFactor.ts';
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

test('an admin removes a second factor, and the customer is told', async () => {
  const { browser } = await enrolStaff(bed, 'admin');
  const customer = await newCustomer(bed, 'phone@example.com');
  const page = `/staff/accounts/${customer.accountId}`;
  const action = `${page}/remove-second-factor`;
  expect((await browser.get(page)).html).not.toContain(action);
  await turnOn(customer);
  const { html } = await browser.get(page);
  expect([html.includes(action), html.includes('second factor since')]).toEqual([true, true]);
  expect((await withPassword(bed, customer.email)).page.text).toContain('Enter your code');
  await browser.get(action);
  const reason = 'called back, knew the last invoice';
  expect((await browser.send(action, { reason })).status).toBe(303);
  expect((await withPassword(bed, customer.email)).page.path).toBe('/studio');
  const mail = (await mailsTo(bed.dataDir, customer.email)).at(-1);
  expect(mail?.subject).toBe('Your second factor was removed');
  const [entry] = await bed.gateway.database.collections.staffAudit
    .find({ action: 'remove second factor' })
    .toArray();
  expect(entry).toMatchObject({ targets: [customer.accountId], reason, outcome: 'done' });
  await browser.get(action);
  expect((await browser.send(action, { reason })).status).toBe(409);
});

test('it goes with the account', async () => {
  const { accountId, email, visitor } = await newCustomer(bed, 'gone@example.com');
  await turnOn({ visitor });
  const { collections } = bed.gateway.database;
  await createStaffWrites(collections).eraseTraces(accountId, email, []);
  expect(await collections.customerFactors.countDocuments({ _id: accountId })).toBe(0);
});
