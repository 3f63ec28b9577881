import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { mailsTo } from '../site/support/mailbox.ts';
import { type Browser, enrolStaff } from '../staff/browse.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';

/*
 * The attack: one admin, or the holder of their session, creates unlimited credits in steps that are each too small for
 * a second person.
 */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api', SECOND_PERSON_CREDITS: '100000' });
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});
afterEach(() => gateway.collections.staffProposals.deleteMany({}));

type Slug = 'grant' | 'adjust' | 'goodwill';

/** Sends the form of an action on an account. @returns The status of the response. */
async function move(by: Browser, slug: Slug, to: TestAccount, amount: number): Promise<number> {
  const path = `/staff/accounts/${to.accountId}/${slug}`;
  await by.get(path);
  const fields = { amount: String(amount), kind: 'purchased', reason: 'a test' };
  return (await by.send(path, fields)).status;
}

const admin = () => enrolStaff(gateway, 'admin');
const customer = () => gateway.addAccount({ credits: 0 });
const balanceOf = async (account: TestAccount) =>
  (await account.get('/v1/credits/balance')).json['available'];
const waiting = () => gateway.collections.staffProposals.countDocuments();

describe('the daily credits that one admin moves alone', () => {
  test('are summed across all accounts, whatever the form', async () => {
    const { browser } = await admin();
    const [one, two, three] = [await customer(), await customer(), await customer()];
    expect(await move(browser, 'grant', one, 60_000)).toBe(303);
    expect(await move(browser, 'adjust', two, 39_000)).toBe(303);
    expect(await move(browser, 'goodwill', three, 900)).toBe(303);
    expect(await waiting()).toBe(0);
    expect(await move(browser, 'grant', three, 101)).toBe(303);
    expect(await move(browser, 'adjust', one, -101)).toBe(303);
    expect(await waiting()).toBe(2);
    expect(await move(browser, 'goodwill', two, 101)).toBe(409);
    expect(await move(browser, 'grant', three, 100)).toBe(303);
    expect(await waiting()).toBe(2);
    expect(await Promise.all([one, two, three].map(balanceOf))).toEqual([60_000, 39_000, 1_000]);
  });

  test('are summed for each account across all admins', async () => {
    const [ada, bob] = [(await admin()).browser, (await admin()).browser];
    const [account, other] = [await customer(), await customer()];
    expect(await move(ada, 'grant', account, 60_000)).toBe(303);
    expect(await move(bob, 'grant', account, 60_000)).toBe(303);
    expect([await balanceOf(account), await waiting()]).toEqual([60_000, 1]);
    // A grant that awaits a second person is not counted as moved.
    expect(await move(bob, 'grant', other, 100_000)).toBe(303);
    expect([await balanceOf(other), await waiting()]).toEqual([100_000, 1]);
  });

  test('do not grow when forms are sent at the same moment', async () => {
    const { browser } = await admin();
    const accounts = await Promise.all(Array.from({ length: 10 }, customer));
    const fields = { amount: '20000', kind: 'purchased', reason: 'at once' };
    await browser.get('/staff');
    const responses = await Promise.all(
      accounts.map(({ accountId }, number) =>
        browser.send(`/staff/accounts/${accountId}/grant`, { ...fields, form_id: `at-${number}` }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(accounts.map(() => 303));
    const balances = await Promise.all(accounts.map(balanceOf));
    expect(balances.filter((each) => each === 20_000)).toHaveLength(5);
    expect(await waiting()).toBe(5);
  });

  test('count neither refused moves nor those decided by two people', async () => {
    const [ada, bob] = [(await admin()).browser, (await admin()).browser];
    const account = await customer();
    expect(await move(ada, 'adjust', account, -50_000)).toBe(409);
    expect(await move(ada, 'grant', account, 200_000)).toBe(303);
    const { html } = await bob.get('/staff/proposals');
    const path = /\/staff\/proposals\/prp_[0-9a-z]+\/confirm/.exec(html)?.[0] ?? '';
    expect((await bob.send(path, {})).status).toBe(303);
    expect(await balanceOf(account)).toBe(200_000);
    for (const by of [ada, bob]) expect(await move(by, 'grant', account, 50_000)).toBe(303);
    expect([await balanceOf(account), await waiting()]).toEqual([300_000, 0]);
  });
});

test('the other admins are notified of requests and confirmations', async () => {
  const [ada, bob, eve] = [await admin(), await admin(), await admin()];
  const account = await customer();
  const told = async (email: string) =>
    (await mailsTo(gateway.dataDir, email)).map(({ subject }) => subject);
  expect(await move(ada.browser, 'grant', account, 100_000)).toBe(303);
  expect(await told(bob.email)).toEqual([]);
  expect(await move(ada.browser, 'grant', account, 5)).toBe(303);
  const asked = "Credits need a second admin's approval";
  const confirmed = 'Two admins moved credits';
  expect(await told(ada.email)).toEqual([]);
  expect([await told(bob.email), await told(eve.email)]).toEqual([[asked], [asked]]);
  const [mail] = await mailsTo(gateway.dataDir, bob.email);
  for (const word of [ada.email, account.accountId, '5 credits', '/staff/proposals']) {
    expect(mail?.text).toContain(word);
  }
  const { html } = await bob.browser.get('/staff/proposals');
  const path = /\/staff\/proposals\/prp_[0-9a-z]+\/confirm/.exec(html)?.[0] ?? '';
  expect((await bob.browser.send(path, {})).status).toBe(303);
  expect(await told(ada.email)).toEqual([confirmed]);
  expect(await told(bob.email)).toEqual([asked]);
  expect(await told(eve.email)).toEqual([asked, confirmed]);
});
