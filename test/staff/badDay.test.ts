import { beforeAll, expect, test } from '@jest/globals';
import { maxFailures } from '../../gateway/src/domain/providers/breaker.ts';
import type { FakeArk } from '../support/fakeArk/fakeArk.ts';
import type { TestAccount, TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import type { Browser } from './browse.ts';
import { useConsole } from './consoleWorld.ts';
import { createVideo } from './staffFixtures.ts';

/* A day on which a provider is down. test/browser/badDay.acceptance.ts asks support's questions. */

const world = useConsole(/unknown outcome|provider_circuit_open/);
let ark: FakeArk;
let gateway: TestGateway;
let support: Browser;
const customers: TestAccount[] = [];

beforeAll(async () => {
  ({ ark, gateway, support } = world());
  ark.script({ on: 'submit', fault: { kind: 'html', status: 503 } });
  for (let index = 0; index < 3; index += 1) {
    customers.push(
      await gateway.addAccount({ email: `customer${index}@example.com`, credits: 1_000 }),
    );
  }
  for (let index = 0; index < maxFailures; index += 1) {
    const customer = customers[index % customers.length] as TestAccount;
    await customer.untilEnded(await createVideo(customer, `lost ${index}`));
  }
  // No probe reopens it during the file. Closed off for ten minutes, the model would take no orders at all.
  const { breakers } = gateway.gateway.database.collections;
  const change = { $set: { openUntil: new Date(Date.now() + 300_000) }, $inc: { version: 1 } };
  await until(async () => (await breakers.updateOne({ _id: 'ark' }, change)).modifiedCount === 1);
});

test('the overview tells for how long a provider has had an open circuit, with the time on hover', async () => {
  const { html } = await support.get('/staff');
  expect(html).toMatch(
    /circuit open<[^]{0,200}for <time datetime="[^"]+" title="since [\d -]+:\d\d:\d\d UTC">[\d. ]+(s|min \d+ s)</,
  );
  expect(html).not.toMatch(/>[^<]*:\d\d\.\d{3}</);
});

test('a list that its filters leave empty says so', async () => {
  const texts = {
    'provider=other': 'No generation with these filters has failed.',
    'state=processing&model=none': 'No generation with these filters is processing.',
    'by=customer&provider=other': 'No customers with these filters.',
  };
  for (const [query, words] of Object.entries(texts)) {
    const { html } = await support.get(`/staff/generations?${query}`);
    expect([query, html.includes(words)]).toEqual([query, true]);
  }
});

test('the customers are listed, and chosen ones are compensated once', async () => {
  const { html } = await support.get('/staff/generations?by=customer');
  const formId = /name="form_id" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const row = /customer0@example.com<\/a[^]*?<a href="([^"]+)"/.exec(html)?.[1] ?? '';
  const own = await support.get(row.replaceAll('&amp;', '&'));
  expect([own.html.includes('customer0@'), own.html.includes('customer1@')]).toEqual([true, false]);

  const [one, other, third] = customers as [TestAccount, TestAccount, TestAccount];
  const form: [string, string][] = [
    ['account', one.accountId],
    ['account', other.accountId],
    ['account', 'acct_nobody'],
    ['amount', '50'],
    ['reason', 'the outage of today'],
    ['form_id', formId],
  ];
  const balances = () =>
    Promise.all(
      [one, other, third].map(async (each) =>
        Number((await each.get('/v1/credits/balance')).json['available']),
      ),
    );
  const before = await balances();
  const done = await support.send('/staff/goodwill', form);
  expect([done.status, done.html.includes('2 of 3 customers')]).toEqual([200, true]);
  const after = [Number(before[0]) + 50, Number(before[1]) + 50, Number(before[2])];
  expect(await balances()).toEqual(after);
  expect((await support.send('/staff/goodwill', form)).html).toContain('0 of 3 customers');
  expect(await balances()).toEqual(after);
  const log = await support.get('/staff/audit?term=goodwill%20credits');
  expect(log.html.match(/the outage of today/g)?.length).toBeGreaterThanOrEqual(2);

  const none = await support.send('/staff/goodwill', { amount: '50', reason: 'nobody' });
  expect([none.status, none.html.includes('Choose at least one customer.')]).toEqual([409, true]);
  const many = Array.from({ length: 101 }, (_, index): [string, string] => [
    'account',
    `acct ${index}`,
  ]);
  const tooMany = await support.send('/staff/goodwill', [...many, ...form.slice(3)]);
  expect([tooMany.status, tooMany.html.includes('at most 100 customers')]).toEqual([409, true]);
});

test('the page of jobs says what a parked generation waits for, and until when', async () => {
  const id = await createVideo(customers[2] as TestAccount, 'is parked');
  const { generations } = gateway.gateway.database.collections;
  await until(async () => (await generations.findOne({ _id: id }))?.step === 'parked');
  const { deadlineAt = new Date(0) } = (await generations.findOne({ _id: id })) ?? {};
  const deadline = deadlineAt.toISOString().slice(0, 19).replace('T', ' ');
  const list = await support.get(`/staff/jobs?q=${id}`);
  const row = new RegExp(
    `waits for ark, whose circuit is open until <time[^>]*>${deadline}<[^]*no later than <time[^>]*>[^]*Check now`,
  );
  expect(list.html).toMatch(row);
  const job = /href="(\/staff\/jobs\/\w+)"/.exec(list.html)?.[1] ?? '';
  expect((await support.get(job)).html).toContain('waits for ark, whose circuit is open');
});

test('generations that wait are chosen in the list, and failed and refunded once', async () => {
  const waiting = await createVideo(customers[1] as TestAccount, 'waits as well');
  const list = await support.get('/staff/generations?state=queued');
  expect(list.html).toMatch(new RegExp(`name="generation"\\s+value="${waiting}"`));
  const form: [string, string][] = [
    ['generation', waiting],
    ['generation', 'gen_unknown'],
    ['reason', 'the provider is down'],
    ['form_id', /name="form_id" value="([^"]+)"/.exec(list.html)?.[1] ?? ''],
  ];
  const done = await support.send('/staff/refunds', form);
  expect([done.status, done.html.includes('1 of 2 generations were refunded')]).toEqual([
    200,
    true,
  ]);
  expect((await (customers[1] as TestAccount).untilEnded(waiting))['status']).toBe('failed');
  expect((await support.send('/staff/refunds', form)).html).toContain('0 of 2 generations');
  expect((await support.get('/staff/generations?state=failed')).html).not.toContain(
    'name="generation"',
  );
});
