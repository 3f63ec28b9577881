import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dayMs, sum } from '@framegate/contract';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import { dayOf } from '../../gateway/src/domain/time/utcDay.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { profile } from '../support/profile.ts';
import { type Customer, newCustomer } from './support/useSecondFactor.ts';
import type { Page } from './support/visitor.ts';

/* The ledger of a customer, searched by day and amount. */

const perDay = 40;
let gateway: TestGateway;
let customer: Customer;
let today: number;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api', SIGNUP_CREDITS: '0' });
  customer = await newCustomer(gateway, 'ledger@example.com');
  const { database, clock } = gateway;
  today = Math.floor(clock.now() / dayMs) * dayMs;
  // Three days ago and two days ago: entries 1 to 40, and 41 to 80, with the amounts 1 to 40 each.
  for (const days of [3, 2]) {
    for (let amount = 1; amount <= perDay; amount += 1) {
      const at = today - days * dayMs + amount * 1_000;
      const deps = { database, clock: { ...clock, now: () => at }, random: gateway.random };
      await grantCredits(deps, {
        accountId: customer.accountId,
        amountCredits: amount,
        kind: 'promotional',
        expiresAt: null,
        reason: null,
      });
    }
  }
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

const numbersOn = ({ text }: Page) =>
  [...text.matchAll(/no\. (\d+)/g)].map(([, number]) => Number(number));
const search = (query: string) => customer.visitor.get(`/credits?${query}`);
const day = (ago: number) => `day=${dayOf(today - ago * dayMs)}`;
const between = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index);

test('a day has all its entries, on as many pages as needed', async () => {
  const first = await search(day(3));
  expect(numbersOn(first)).toEqual(between(40, 16));
  const older = /href="(\/credits\?[^"]*before=16)"/.exec(first.text)?.[1] ?? '';
  const second = await customer.visitor.get(older.replaceAll('&amp;', '&'));
  expect(numbersOn(second)).toEqual(between(15, 1));
  expect(second.text).toContain(`value="${dayOf(today - 3 * dayMs)}"`);
  expect(numbersOn(await search(day(2)))).toEqual(between(80, 56));
  for (const ago of [4, 1, 0]) {
    const none = await search(day(ago));
    expect([numbersOn(none), none.text]).toEqual([[], expect.stringContaining('No matches.')]);
  }
});

test('an amount is found on each day, or on the given day only', async () => {
  expect(numbersOn(await search('amount=7'))).toEqual([47, 7]);
  expect(numbersOn(await search(`amount=7&${day(3)}`))).toEqual([7]);
  expect(numbersOn(await search('amount=41'))).toEqual([]);
  // Even where it was taken.
  const charged = { model: 'image-b-2', prompt: 'six credits' };
  await customer.visitor.get('/studio');
  const form = await customer.visitor.post('/studio', { ...charged, do: 'update' });
  const { visitor } = customer;
  const hidden = ['form_key', 'shown_credits'].map((name) => [name, form.field(name)] as const);
  await visitor.post('/studio', { ...charged, ...Object.fromEntries(hidden), do: 'create' });
  expect(numbersOn(await search('amount=6'))).toEqual([81, 46, 6]);
});

test('a search for neither a day nor an amount finds everything', async () => {
  const usual = numbersOn(await search(''));
  expect(usual).toHaveLength(25);
  expect(numbersOn(await search('day=yesterday&amount=-5&before=x'))).toEqual(usual);
});

test('reads only the ids of a page and of the search for the day', async () => {
  const { db } = gateway;
  const read = await profile(db, ['ledger'], () => search(`amount=7&${day(3)}`));
  expect(read.length).toBeGreaterThan(0);
  for (const { plan } of read) expect(plan).toMatch(/^(IXSCAN|IDHACK|EXPRESS)/);
  // Each bound of the day is found in seven steps, then the day's forty entries are compared.
  expect(sum(read.map(({ documents }) => documents))).toBeLessThanOrEqual(40 + 20);
});
