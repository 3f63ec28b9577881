import { beforeAll, expect, test } from '@jest/globals';
import { mailsTo } from '../site/support/mailbox.ts';
import type { TestGateway } from '../support/gateway.ts';
import type { Browser } from './browse.ts';
import { useConsole } from './consoleWorld.ts';

const world = useConsole();
let gateway: TestGateway;
let support: Browser;
beforeAll(() => {
  ({ gateway, support } = world());
});

const emailOf = async (accountId: string) =>
  (await gateway.database.accounts.find(accountId))?.email ?? '';

test('a customer is mailed a template, with a paragraph of its sender', async () => {
  const { accountId } = await gateway.addAccount();
  const path = `/staff/accounts/${accountId}/mail`;
  await support.get(path);
  const own = 'Your ticket is 4711.';
  const fields = { template: 'troubleOver', own, reason: 'the outage' };
  expect((await support.send(path, fields)).status).toBe(303);
  const [mail] = await mailsTo(gateway.dataDir, await emailOf(accountId));
  expect(mail?.subject).toBe('Outage resolved: you can generate again');
  expect(mail?.text).toContain(own);
  const page = await support.get(`/staff/accounts/${accountId}`);
  expect(page.html).toContain('sent, with your paragraph.');
  // The audit log is permanent, so it contains no words of the email.
  expect(page.html).not.toContain(own);
});

test('an unknown template, a too long paragraph and an unverified address are refused', async () => {
  const { accountId } = await gateway.addAccount();
  const path = `/staff/accounts/${accountId}/mail`;
  const send = async (fields: Record<string, string>) => {
    await support.get(path);
    return support.send(path, { template: 'keyExposed', reason: 'a test', ...fields });
  };
  expect((await send({ template: 'none' })).html).toContain('Choose an email.');
  expect((await send({ own: 'x'.repeat(2_001) })).html).toContain('Add at most 2000 characters');
  const { accounts } = gateway.collections;
  await accounts.updateOne({ _id: accountId }, { $set: { isVerified: false } });
  expect((await send({})).html).toContain('The account has no verified email address.');
  expect(await mailsTo(gateway.dataDir, await emailOf(accountId))).toEqual([]);
});

test('chosen customers are each mailed once, however often the form is sent', async () => {
  const [one, other] = await Promise.all([gateway.addAccount(), gateway.addAccount()]);
  await support.get('/staff/generations?group=customer');
  const form: [string, string][] = [
    ['account', one.accountId],
    ['account', other.accountId],
    ['template', 'troubleOver'],
    ['reason', 'the outage of today'],
    ['form_id', 'a form'],
  ];
  const first = await support.send('/staff/customer-mails', form);
  expect(first.html).toContain('2 of 2 customers were emailed.');
  expect((await support.send('/staff/customer-mails', form)).html).toContain('0 of 2 customers');
  for (const { accountId } of [one, other]) {
    expect(await mailsTo(gateway.dataDir, await emailOf(accountId))).toHaveLength(1);
  }
});

test('a note stays with the account and with the generation', async () => {
  const { accountId } = await gateway.addAccount();
  await support.get(`/staff/accounts/${accountId}/note`);
  const sent = await support.send(`/staff/accounts/${accountId}/note`, {
    reason: 'asked about invoices by phone',
  });
  expect(sent.status).toBe(303);
  const page = await support.get(`/staff/accounts/${accountId}`);
  expect(page.html).toContain('asked about invoices by phone');
});
