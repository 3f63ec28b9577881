import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MediaStore } from '@framegate/media';
import { argon2Passwords } from '../../gateway/src/adapters/system/passwords.ts';
import { createAccount } from '../../gateway/src/application/accounts/createAccount.ts';
import { eraseGenerations } from '../../gateway/src/application/generations/end/eraseGenerations.ts';
import { codeFor } from '../site/support/mailbox.ts';
import { createVisitor } from '../site/support/visitor.ts';
import { type Browser, enrolStaff } from '../staff/browse.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';
import { collectLog } from '../support/mongod.ts';

/*
 * The attack: a link in an email leads staff to a prefilled form, one click before the end of an account; or one staff
 * member, or the holder of their session, gives away unlimited credits.
 */

let gateway: TestGateway;
let first: Browser;
let second: Browser;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api', SUPPORT_CREDITS_PER_DAY: '1500' });
  first = (await enrolStaff(gateway, 'admin')).browser;
  second = (await enrolStaff(gateway, 'admin')).browser;
});
afterAll(() => gateway.stop());

const reason = 'a test';
const statusOf = async ({ accountId }: TestAccount) =>
  (await gateway.database.accounts.find(accountId))?.status;
const balanceOf = async (account: TestAccount) =>
  (await account.get('/v1/credits/balance')).json['available'];

async function send(browser: Browser, path: string, fields: Record<string, string>) {
  await browser.get(path);
  return browser.send(path, { reason, ...fields });
}

/** Ids of the proposals that wait for a second person, oldest first. */
async function waiting(browser: Browser): Promise<string[]> {
  const { html } = await browser.get('/staff/proposals');
  return [...html.matchAll(/action=.[a-z/]+proposals\/(prp_[0-9a-z]+)\/confirm/g)].map(([, id]) =>
    String(id),
  );
}

describe('a link', () => {
  test('fills in only its key and host', async () => {
    const { accountId, keyId } = await gateway.addAccount();
    const given = `key=${keyId}&host=a.example.com&reason=ok+then&amount=900&confirm=${accountId}`;
    for (const slug of ['erase', 'goodwill', 'adjust', 'grant', 'limits', 'approve-host']) {
      const { html } = await first.get(`/staff/accounts/${accountId}/${slug}?${given}&running=9`);
      expect([slug, /value="(ok then|900|9|acct_[^"]*)"/.exec(html)?.[0]]).toEqual([
        ...[slug, undefined],
      ]);
    }
    const { html } = await first.get(`/staff/accounts/${accountId}/approve-host?${given}`);
    expect(html).toContain(`value="${keyId}"`);
    expect(html).toContain('value="a.example.com"');
  });
});

test('a password of staff has at least twelve characters, however it is set', async () => {
  const { email } = await enrolStaff(gateway, 'support');
  const owner = createVisitor(gateway.origin);
  await owner.get('/forgotten-password');
  const asked = await owner.post('/forgotten-password', { email });
  const code = await codeFor(gateway.dataDir, email);
  const short = await owner.post(asked.path, { code, password: 'eleven char' });
  expect([short.status, short.text.includes('at least 12 characters')]).toEqual([400, true]);
  expect((await owner.post(asked.path, { code, password: 'twelve chars' })).path).toBe('/studio');
  const { database, clock } = gateway;
  const deps = { database, clock, random: gateway.random, passwords: argon2Passwords };
  const short11 = { email: 'new@framegate.example', password: '12345678', isVerified: true };
  await expect(createAccount(deps, { ...short11, staffRole: 'admin' })).rejects.toMatchObject({
    values: { min: 12 },
  });
});

describe('goodwill', () => {
  test('is summed up per member of support and day, across all accounts', async () => {
    const { browser } = await enrolStaff(gateway, 'support');
    const accounts = [
      await gateway.addAccount({ credits: 0 }),
      await gateway.addAccount({ credits: 0 }),
    ];
    const give = (of: number, amount: number, by = browser) =>
      send(by, `/staff/accounts/${accounts[of]?.accountId}/goodwill`, { amount: String(amount) });
    expect((await give(0, 1_000)).status).toBe(303);
    const tooMuch = await give(1, 501);
    expect([tooMuch.status, tooMuch.html.includes('have 500 left')]).toEqual([409, true]);
    expect((await give(1, 500)).status).toBe(303);
    expect((await give(0, 1)).status).toBe(409);
    const colleague = (await enrolStaff(gateway, 'support')).browser;
    expect((await give(0, 1, colleague)).status).toBe(303);
    const both = await Promise.all(accounts.map(balanceOf));
    expect(both).toEqual([1_001, 500]);
  });

  test('that could not be given does not count', async () => {
    const { browser } = await enrolStaff(gateway, 'support');
    const account = await gateway.addAccount({ credits: 0 });
    const none = await send(browser, '/staff/accounts/acct_nothing/goodwill', { amount: '1000' });
    expect(none.status).not.toBe(303);
    const path = `/staff/accounts/${account.accountId}/goodwill`;
    for (const amount of ['1000', '500']) {
      expect((await send(browser, path, { amount })).status).toBe(303);
    }
  });
});

describe('actions that need a second admin', () => {
  test('an erasure of an account waits, and its requester cannot confirm it', async () => {
    const account = await gateway.addAccount();
    const path = `/staff/accounts/${account.accountId}/erase`;
    expect((await send(first, path, { confirm: 'something else' })).status).toBe(409);
    expect((await send(first, path, { confirm: account.accountId })).status).toBe(303);
    expect(await statusOf(account)).toBe('active');
    const [id] = await waiting(first);
    const own = await first.send(`/staff/proposals/${id}/confirm`, {});
    expect([own.status, own.html.includes('Another admin')]).toEqual([409, true]);
    expect(await statusOf(account)).toBe('active');
    const support = (await enrolStaff(gateway, 'support')).browser;
    expect(await waiting(support)).toEqual([]);
    expect((await support.send(`/staff/proposals/${id}/confirm`, {})).status).toBe(403);
    expect(await statusOf(account)).toBe('active');
    expect(await waiting(second)).toEqual([id]);
    expect((await second.send(`/staff/proposals/${id}/confirm`, {})).status).toBe(303);
    expect(await statusOf(account)).toBe('suspended');
    expect(await waiting(second)).toEqual([]);
    expect((await second.send(`/staff/proposals/${id}/confirm`, {})).status).toBe(409);
    const { html } = await second.get(`/staff/audit?term=${account.accountId}`);
    expect(html).toContain('asked for by');
    const page = `/staff/accounts/${account.accountId}`;
    expect((await first.get(page)).html).toContain('Erasing: 0 generations so far.');
    const { database, clock } = gateway;
    const { log } = collectLog();
    const deps = { database, clock, log, media: {} as MediaStore };
    await eraseGenerations(deps, new AbortController().signal);
    expect((await first.get(page)).html).toMatch(/Erased on 20[-0-9]+: 0 generations/);
  });

  test.each(['grant', 'adjust'])('a large %s waits, a small one does not', async (slug) => {
    const { browser: asking } = await enrolStaff(gateway, 'admin');
    const account = await gateway.addAccount({ credits: 0 });
    const path = `/staff/accounts/${account.accountId}/${slug}`;
    const fields = { kind: 'purchased' };
    expect((await send(asking, path, { ...fields, amount: '100000' })).status).toBe(303);
    expect(await balanceOf(account)).toBe(100_000);
    expect((await send(asking, path, { ...fields, amount: '100001' })).status).toBe(303);
    expect(await balanceOf(account)).toBe(100_000);
    const [id] = await waiting(second);
    // A double click of the second admin books once.
    const confirm = () => second.send(`/staff/proposals/${id}/confirm`, {});
    const responses = await Promise.all([confirm(), confirm()]);
    expect(responses.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await balanceOf(account)).toBe(200_001);
  });

  test('can be rejected, and expire after a week', async () => {
    const account = await gateway.addAccount({ credits: 0 });
    const path = `/staff/accounts/${account.accountId}/adjust`;
    for (let each = 0; each < 2; each += 1) await send(first, path, { amount: '200000' });
    const [refused, late] = await waiting(second);
    expect((await second.send(`/staff/proposals/${refused}/refuse`, {})).status).toBe(303);
    const { staffProposals } = gateway.collections;
    await staffProposals.updateOne({ _id: late ?? '' }, [{ $set: { expiresAt: '$$NOW' } }]);
    expect(await waiting(second)).toEqual([]);
    for (const id of [refused, late]) {
      expect((await second.send(`/staff/proposals/${id}/confirm`, {})).status).toBe(409);
    }
    expect(await balanceOf(account)).toBe(0);
  });
});
