import { beforeAll, expect, test } from '@jest/globals';
import { maxFailures } from '../../gateway/src/domain/breaker.ts';
import type { FakeArk } from '../support/fakeArk/fakeArk.ts';
import type { TestAccount, TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import type { Browser } from './browse.ts';
import { useConsole } from './consoleWorld.ts';
import { createVideo } from './staffFixtures.ts';

/* A day on which a provider is down: each question of support is answered within two clicks. */

const world = useConsole(/unknown outcome|provider_closed_off/);
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
  const change = { $set: { restsUntil: new Date(Date.now() + 300_000) }, $inc: { version: 1 } };
  await until(async () => (await breakers.updateOne({ _id: 'ark' }, change)).modifiedCount === 1);
});

/** Addresses that a part of a page links to, by their text. */
function linksIn(html: string): Map<string, string> {
  const links = [...html.matchAll(/<a href="([^"]+)"[^>]*>([^<]+)</g)];
  return new Map(
    links.map(([, to = '', text = '']) => [
      text.replaceAll(/\s+/g, ' ').trim(),
      to.replaceAll('&amp;', '&'),
    ]),
  );
}

async function strip(): Promise<string> {
  const { html } = await support.get('/staff');
  return /<section class="notice danger"[^]*?<\/section>/.exec(html)?.[0] ?? '';
}

test('the overview begins with the provider, its models, and the damage as links', async () => {
  await createVideo(customers[0] as TestAccount, 'waits');
  await until(async () => (await strip()).includes('1 waiting'));
  const shown = await strip();
  expect(shown.replaceAll(/<[^>]+>|\s+/g, ' ')).toContain('ark is closed off');
  const names = [...linksIn(shown).keys()];
  expect(names).toEqual([
    '1 waiting',
    expect.stringMatching(/^5 failures since \d\d:\d\d \(UTC\)$/),
    '3 customers',
  ]);
  const { html } = await support.get('/staff');
  expect(html.indexOf('ark is closed off')).toBeLessThan(html.indexOf('class="tiles"'));
  // In the table of providers: for how long, in words, with the time on hover.
  expect(html).toMatch(
    /closed off<[^]{0,200}for <time datetime="[^"]+" title="since [\d -]+:\d\d:\d\d UTC">[\d. ]+(s|min \d+ s)</,
  );
  expect(html).not.toMatch(/>[^<]*:\d\d\.\d{3}</);
});

test('its failures are listed with customer and provider, and as CSV', async () => {
  const [, failures = ''] = [...linksIn(await strip()).values()];
  const { html } = await support.get(failures);
  for (const word of ['customer0@example.com', 'customer2@example.com', '<td>ark</td>']) {
    expect([word, html.includes(word)]).toEqual([word, true]);
  }
  const file = await support.fetch(linksIn(html).get('Download up to 5,000 as CSV') ?? '');
  const [head = '', ...lines] = (await file.text()).trim().split('\r\n');
  expect(head.split(',').slice(0, 7)).toEqual([
    ...['generation', 'account', 'email', 'state', 'failure', 'model', 'provider'],
  ]);
  expect(lines.map((line) => line.split(',').slice(2, 7)).toSorted()[0]).toEqual([
    ...['customer0@example.com', 'failed', 'generation_failed', 'alpha-2.0-mini', 'ark'],
  ]);
  expect(lines).toHaveLength(maxFailures);
  expect((await support.get('/staff/generations?provider=other')).html).toContain('None.');
});

test('the customers are listed, and chosen ones are compensated once', async () => {
  const to = linksIn(await strip()).get('3 customers') ?? '';
  const { html } = await support.get(to);
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

test('generations that wait are chosen in the list, and failed and refunded once', async () => {
  const waiting = await createVideo(customers[1] as TestAccount, 'waits as well');
  const list = await support.get('/staff/generations?state=queued');
  expect(list.html).toContain(`name="generation" value="${waiting}"`);
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
