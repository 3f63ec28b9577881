import { beforeAll, expect, test } from '@jest/globals';
import { sum } from '@framegate/contract';
import { maxFailures } from '../../gateway/src/domain/providers/breaker.ts';
import type { FakeArk } from '../support/fakeArk/fakeArk.ts';
import type { TestAccount, TestGateway } from '../support/gateway.ts';
import { plain } from '../support/plainCollection.ts';
import { until } from '../support/until.ts';
import type { Browser } from './browse.ts';
import { useConsole } from './consoleWorld.ts';
import { createVideo, ledgerProblems } from './staffFixtures.ts';

/* A day on which a provider is down. test/browser/badDay.acceptance.ts covers support's questions. */

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
  // No probe closes the circuit during the file. After ten minutes, the model would take no orders.
  const { breakers } = gateway.collections;
  const change = { $set: { openUntil: new Date(Date.now() + 300_000) }, $inc: { version: 1 } };
  await until(async () => (await breakers.updateOne({ _id: 'ark' }, change)).modifiedCount === 1);
});

test('the overview shows how long a provider has had an open circuit, with the time on hover', async () => {
  const { html } = await support.get('/staff');
  expect(html).toMatch(
    /circuit open<[^]{0,200}for <time datetime="[^"]+" title="since [\d -]+:\d\d:\d\d UTC">[\d. ]+(s|min \d+ s)</,
  );
  expect(html).not.toMatch(/>[^<]*:\d\d\.\d{3}</);
});

test('a list left empty by its filters states this', async () => {
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

/** Opens the list of customers, and sends its form for these. @returns The page to confirm. */
async function planFor(accountIds: readonly string[], fields: Record<string, string>) {
  const list = await support.get('/staff/generations?by=customer');
  const hidden = [...list.html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const own = hidden.map(([, name = '', value = '']): [string, string] => [name, value]);
  return support.send('/staff/goodwill/confirm', [
    ...own.filter(([name]) => ['state', 'since', 'form_id'].includes(name)),
    ...accountIds.map((id): [string, string] => ['account', id]),
    ...Object.entries({ reason: 'the outage of today', ...fields }),
  ]);
}

/** The hidden fields of a form on a page, to send it. */
const fieldsOn = (html: string, path: string): [string, string][] => {
  const form = html.split(`action="${path}"`)[1] ?? '';
  const found = form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
  return [...found]
    .map(([, name = '', value = '']): [string, string] => [name, value])
    .filter(([name]) => name !== 'passkey');
};

const balanceOf = async (each: TestAccount) =>
  Number((await each.get('/v1/credits/balance')).json['available']);

test('the customers are listed, and chosen ones are compensated for their losses, after a page with the total', async () => {
  const { html } = await support.get('/staff/generations?by=customer');
  const row = /customer0@example.com<\/a[^]*?<a href="([^"]+)"/.exec(html)?.[1] ?? '';
  const own = await support.get(row.replaceAll('&amp;', '&'));
  expect([own.html.includes('customer0@'), own.html.includes('customer1@')]).toEqual([true, false]);

  const [one, other, third] = customers as [TestAccount, TestAccount, TestAccount];
  const balances = () => Promise.all([one, other, third].map(balanceOf));
  const { generations } = gateway.collections;
  const lost = await Promise.all(
    [one, other].map(async ({ accountId }) => {
      const failed = await generations.find({ accountId, status: 'failed' }).toArray();
      return sum(failed.map(({ costCredits }) => costCredits));
    }),
  );
  const gifts = lost.map((credits) => Math.ceil(credits * 0.55));
  const [first = 0, second = 0] = gifts;
  const before = await balances();
  const ids = [one.accountId, other.accountId, 'acct_nobody'];
  const page = await planFor(ids, { basis: 'lost', amount: '55' });
  expect(page.html).toMatch(
    /55% of the credits of each customer's failed\s+generations, rounded up/,
  );
  expect(page.html).toContain(`Give ${first + second} credits to 2 customers`);
  expect(await balances()).toEqual(before);

  const form = fieldsOn(page.html, '/staff/goodwill');
  const done = await support.send('/staff/goodwill', form);
  expect([done.status, done.html.includes('2 of 2 customers')]).toEqual([200, true]);
  expect(done.html).toMatch(/customer0@example.com[^]*customer1@example.com/);
  const after = [Number(before[0]) + first, Number(before[1]) + second, Number(before[2])];
  expect(await balances()).toEqual(after);
  await support.get('/staff');
  expect((await support.send('/staff/goodwill', form)).html).toContain('0 of 2 customers');
  expect(await balances()).toEqual(after);
  const log = await support.get('/staff/audit?term=goodwill%20credits');
  expect(log.html.match(/the outage of today/g)?.length).toBeGreaterThanOrEqual(2);
});

test('goodwill for no one, for too many or of a wrong amount is refused', async () => {
  const none = await planFor([], { basis: 'same', amount: '50' });
  expect([none.status, none.html.includes('Choose at least one customer.')]).toEqual([409, true]);
  const many = Array.from({ length: 101 }, (_, index) => `acct ${index}`);
  const tooMany = await planFor(many, { basis: 'same', amount: '50' });
  expect([tooMany.status, tooMany.html.includes('at most 100 customers')]).toEqual([409, true]);
  const wrong = await planFor(['acct_1'], { basis: 'lost', amount: '1001' });
  expect([wrong.status, wrong.html.includes('from 1 to 1,000')]).toEqual([409, true]);
});

test('goodwill is undone once, as far as it is unspent, and not after an hour', async () => {
  const [rich, spender] = [
    await gateway.addAccount({ email: 'rich@example.com', credits: 100 }),
    await gateway.addAccount({ email: 'spender@example.com', credits: 0 }),
  ];
  const page = await planFor([rich.accountId, spender.accountId], { basis: 'same', amount: '40' });
  const done = await support.send('/staff/goodwill', fieldsOn(page.html, '/staff/goodwill'));
  const undo = fieldsOn(done.html, '/staff/goodwill/undo');
  // Thirty of the forty are spent.
  await createVideo(spender, 'from goodwill');
  expect(await balanceOf(spender)).toBe(10);
  const undone = await support.send('/staff/goodwill/undo', [...undo, ['reason', 'wrong list']]);
  expect(undone.html).toMatch(/rich@example\.com[^]*40 of 40 credits were taken back\./);
  expect(undone.html).toMatch(
    /10 of 40 credits were taken back\. 30 had already been spent and stay with the customer\./,
  );
  expect([await balanceOf(rich), await balanceOf(spender)]).toEqual([100, 0]);
  const again = undo.map(([name, value]): [string, string] => [
    name,
    name === 'form_id' ? 'another' : value,
  ]);
  await support.get('/staff');
  await support.send('/staff/goodwill/undo', [...again, ['reason', 'once more']]);
  expect([await balanceOf(rich), await balanceOf(spender)]).toEqual([100, 0]);
  expect(await ledgerProblems(gateway)).toEqual([]);

  const { ledger } = gateway.collections;
  const late = await planFor([rich.accountId], { basis: 'same', amount: '5' });
  const given = await support.send('/staff/goodwill', fieldsOn(late.html, '/staff/goodwill'));
  const before = { at: new Date(Date.now() - 3_601_000) };
  await plain(ledger).updateOne({ accountId: rich.accountId, amount: 5 }, { $set: before });
  const lateUndo = fieldsOn(given.html, '/staff/goodwill/undo');
  const refused = await support.send('/staff/goodwill/undo', [...lateUndo, ['reason', 'too late']]);
  expect(refused.html).toContain('Goodwill credits can be undone only within an hour.');
  expect(await balanceOf(rich)).toBe(105);
});

test('the jobs page shows the reason and the end of the wait of a parked generation', async () => {
  const id = await createVideo(customers[2] as TestAccount, 'is parked');
  const { generations } = gateway.collections;
  await until(async () => (await generations.findOne({ _id: id }))?.step === 'parked');
  const { deadlineAt = new Date(0) } = (await generations.findOne({ _id: id })) ?? {};
  const deadline = deadlineAt.toISOString().slice(0, 19).replace('T', ' ');
  const list = await support.get(`/staff/jobs?q=${id}`);
  const row = new RegExp(
    `waits for ark, whose circuit is open, until <time[^>]*>${deadline}<[^]*no later than <time[^>]*>[^]*Check now`,
  );
  expect(list.html).toMatch(row);
  const job = /href="(\/staff\/jobs\/\w+)"/.exec(list.html)?.[1] ?? '';
  const words = 'waits for ark, whose circuit is open';
  expect((await support.get(job)).html).toContain(words);
  expect((await support.get(`/staff/generations/${id}`)).html).toContain(`It ${words}`);
});

test('waiting generations are chosen in the list, then failed and refunded once', async () => {
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
