import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dayMs } from '@framegate/contract';
import { eraseAccount } from '../../gateway/src/application/staff/accountActions.ts';
import { formatDate } from '../../gateway/src/http/pages/html.ts';
import { type Browser, enrolStaff } from '../staff/browse.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type Customer, newCustomer } from './support/useSecondFactor.ts';
import { sent } from './support/useStudio.ts';
import { createVisitor, type Page, type Visitor } from './support/visitor.ts';

/* Customers who ask staff for credits, and the answers. */

let gateway: TestGateway;
let support: Browser;
let admin: Browser;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api', SIGNUP_CREDITS: '0' });
  ({ browser: support } = await enrolStaff(gateway, 'support'));
  ({ browser: admin } = await enrolStaff(gateway, 'admin'));
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

const order = { model: 'alpha-2.0-fast', mode: 'text-to-video', prompt: 'a lighthouse at dusk' };
const asks = 'Ask for credits';

async function inStudio(visitor: Visitor, more: Record<string, string>): Promise<Page> {
  const page = await visitor.get('/studio');
  return visitor.post('/studio', { ...sent(page), ...order, ...more });
}
/** The button that creates, as the browser shows it. */
const createsOn = ({ text }: Page) => !/<button[^>]*id="create"[^>]*\bhidden/.test(text);
/** Whether the composer offers to ask for credits. The script shows a hidden part when the price rises. */
const offersOn = ({ text }: Page) => /<div id="way" >\s*<button[^>]*value="ask"/.test(text);

const requestOf = async ({ accountId }: Pick<Customer, 'accountId'>) =>
  (await gateway.database.accounts.find(accountId))?.creditRequest;

/** A request made on an earlier day. */
async function shift({ accountId }: Customer, ms: number): Promise<void> {
  await gateway.database.changeAccount(accountId, (account) => {
    const { creditRequest } = account;
    if (!creditRequest) throw new Error('nobody has asked');
    const askedAt = creditRequest.askedAt - ms;
    return { after: { ...account, creditRequest: { ...creditRequest, askedAt } }, result: null };
  });
}

async function answer(browser: Browser, { accountId }: Customer, slug: string, fields = {}) {
  const path = `/staff/accounts/${accountId}/${slug}`;
  await browser.get(path);
  const done = await browser.send(path, { reason: 'asked for it', ...fields });
  expect(done.status).toBe(303);
}

describe('asking', () => {
  test('in the studio replaces the button, keeps the prompt, and shows staff the missing credits', async () => {
    const customer = await newCustomer(gateway, 'asks@example.com');
    const before = await inStudio(customer.visitor, { do: 'update' });
    expect([offersOn(before), createsOn(before)]).toEqual([true, false]);
    expect(before.text).toContain(asks);
    const asked = await inStudio(customer.visitor, { do: 'ask' });
    const day = formatDate(Date.now());
    expect([asked.status, asked.text]).toEqual([200, expect.stringContaining(order.prompt)]);
    expect(asked.text.split(`You asked for credits on ${day}.`)).toHaveLength(3);
    expect([asked.text.includes(asks), createsOn(asked)]).toEqual([false, false]);
    const request = await requestOf(customer);
    expect(request).toMatchObject({ by: customer.accountId, missing: 50, state: 'open' });
    await inStudio(customer.visitor, { do: 'ask' });
    expect(await requestOf(customer)).toEqual(request);

    expect((await support.get('/staff')).html).toContain('1 customer asks for credits');
    const { html } = await support.get('/staff/credit-requests');
    expect(html).toContain(`/staff/accounts/${customer.accountId}/goodwill`);
    expect(html).not.toContain(`/staff/accounts/${customer.accountId}/grant`);
    expect(html.replace(/\s+/g, ' ')).toMatch(/asks@example\.com<\/a><\/td><td>0<\/td><td>50</);
    const account = await support.get(`/staff/accounts/${customer.accountId}`);
    expect(account.html.replace(/\s+/g, ' ')).toMatch(/Asked for credits: .*, 50 missing/);

    await answer(support, customer, 'goodwill', { amount: '60' });
    expect(await requestOf(customer)).toMatchObject({ state: 'granted' });
    expect((await support.get('/staff')).html).not.toContain('for credits');
    const after = await inStudio(customer.visitor, { do: 'update' });
    expect([offersOn(after), createsOn(after)]).toEqual([false, true]);
    // With enough credits no request is made, whatever the form contains.
    await inStudio(customer.visitor, { do: 'ask' });
    expect(await requestOf(customer)).toMatchObject({ state: 'granted' });
  });

  test('for a list of prompts is offered on the page with its total', async () => {
    const customer = await newCustomer(gateway, 'list@example.com');
    const lines = { times: 'lines', prompt: 'one\ntwo\nthree' };
    const page = await inStudio(customer.visitor, { do: 'create', ...lines });
    expect(page.text).not.toContain('value="create-list"');
    expect(page.text).toMatch(/<button[^>]*value="ask"/);
    await inStudio(customer.visitor, { do: 'ask', ...lines });
    expect(await requestOf(customer)).toMatchObject({ missing: 150 });
  });

  test('on the credits page takes a bounded message, once however often it is sent', async () => {
    const customer = await newCustomer(gateway, 'words@example.com');
    const { visitor } = customer;
    expect((await visitor.get('/credits')).text).toContain('Message to support (optional)');
    const message = `for the <b>fair</b>\n\n ${'x'.repeat(2_000)}`;
    const pages = await Promise.all([
      visitor.post('/credits/ask', { message }),
      visitor.post('/credits/ask', { message: 'another' }),
    ]);
    for (const page of pages) expect(page.path).toBe('/credits');
    const request = await requestOf(customer);
    expect([message.slice(0, 7), 'another']).toContain(request?.message.slice(0, 7));
    expect([...(request?.message ?? '')].length).toBeLessThanOrEqual(300);
    expect(request?.missing).toBeUndefined();
    const page = await visitor.get('/credits');
    expect(page.text).toContain('You asked for credits on');
    expect(page.text).not.toContain(asks);
  });

  test('leads to the shop of the operator, if there is one, without storing a request', async () => {
    const shop = await startTestGateway({
      ROLE: 'api',
      SIGNUP_CREDITS: '0',
      CREDITS_URL: 'https://shop.example.com/credits',
    });
    try {
      const { visitor, accountId } = await newCustomer(shop, 'buys@example.com');
      const page = await visitor.get('/credits');
      expect(page.text).toContain('href="https://shop.example.com/credits"');
      expect(page.text).not.toContain(asks);
      await visitor.post('/credits/ask', {});
      const found = await shop.database.accounts.find(accountId);
      expect(found?.creditRequest).toBeUndefined();
    } finally {
      await shop.stop();
    }
  });
});

describe('the answer', () => {
  test('declines in the language of the customer, who can ask again on the next day', async () => {
    const customer = await newCustomer(gateway, 'declined@example.com');
    await customer.visitor.get('/credits');
    await customer.visitor.post('/credits/ask', {});
    await answer(support, customer, 'decline-credits');
    const { html } = await support.get(`/staff/accounts/${customer.accountId}`);
    expect(html).not.toContain('/decline-credits');
    const english = await customer.visitor.get('/credits');
    expect(english.text).toMatch(/Your credit request from [^.]+ was declined\. You can ask/);
    const german = createVisitor(gateway.origin, { 'accept-language': 'de' });
    german.cookies.set('fg_session', customer.visitor.cookies.get('fg_session') ?? '');
    german.cookies.set('fg_session.sig', customer.visitor.cookies.get('fg_session.sig') ?? '');
    const page = await german.get('/credits');
    expect(page.text).toMatch(/Deine Anfrage vom [^<]+ wurde abgelehnt\. Ab dem [^<]+ kannst du/);
    await customer.visitor.post('/credits/ask', {});
    expect(await requestOf(customer)).toMatchObject({ state: 'declined' });
    await shift(customer, dayMs);
    expect((await german.get('/credits')).text).toContain('Credits anfragen');
    await german.post('/credits/ask', {});
    expect(await requestOf(customer)).toMatchObject({ state: 'open' });
    expect((await german.get('/credits')).text).toContain('Credits angefragt.');
  });

  test.each([
    ['grant', { amount: '5', kind: 'purchased' }],
    ['adjust', { amount: '5' }],
  ])('is given by %s in the console', async (slug, fields) => {
    const customer = await newCustomer(gateway, `${slug}@example.com`);
    await customer.visitor.get('/credits');
    await customer.visitor.post('/credits/ask', {});
    expect((await admin.get('/staff/credit-requests')).html).toContain(customer.email);
    await answer(admin, customer, slug, fields);
    expect(await requestOf(customer)).toMatchObject({ state: 'granted' });
    expect((await admin.get('/staff/credit-requests')).html).not.toContain(customer.email);
  });

  test('cannot decline a closed request', async () => {
    const customer = await newCustomer(gateway, 'never@example.com');
    const path = `/staff/accounts/${customer.accountId}/decline-credits`;
    await support.get(path);
    const { status, html } = await support.send(path, { reason: 'a test' });
    expect([status, html]).toEqual([409, expect.stringContaining('no open request for credits')]);
  });

  test('disappears with an erasure, as do the words of the request', async () => {
    const customer = await newCustomer(gateway, 'leaves@example.com');
    await customer.visitor.get('/credits');
    await customer.visitor.post('/credits/ask', { message: 'call me, 555 0100' });
    const { database, clock } = gateway;
    await eraseAccount({ database, clock }, customer.accountId);
    expect(await requestOf(customer)).toMatchObject({ message: '', state: 'declined' });
    const { html } = await support.get('/staff/credit-requests');
    expect(html).not.toContain(customer.accountId);
  });
});
