import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type AllowanceKind, createAllowances } from '../../gateway/src/application/allowances.ts';
import { replaysPerMinute } from '../../gateway/src/application/generations/create/runIdempotently.ts';
import { pagesPerMinute } from '../../gateway/src/http/site/account/acting.ts';
import { signUpVerified } from '../site/support/signUpVerified.ts';
import { createVisitor } from '../site/support/visitor.ts';
import { video } from '../support/bodies.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

/*
 * The attack: one account endlessly repeats free requests that pass the other limits: the same create, or the
 * pages of the site.
 */

/** In a minute that does not pass, so that no allowance returns, however slow the machine is. */
const allowances = createAllowances({ clock: { now: () => 0 } });

/** The remaining requests of an account. */
const left = 8;

/** Uses up the rest of a minute's allowance. */
const use = (accountId: string, kind: AllowanceKind, perMinute: number) =>
  allowances.take(accountId, kind, perMinute, perMinute - left);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' }, undefined, undefined, undefined, allowances);
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

test('endless replays must wait, are never charged, and hold up no one else', async () => {
  const account = await gateway.addAccount({ credits: 1000 });
  const bystander = await gateway.addAccount();
  const key = { 'idempotency-key': 'again' };
  const first = await account.post('/v1/videos', video(), key);
  const balance = async () => (await account.get('/v1/credits/balance')).json['available'];
  const before = await balance();

  use(account.accountId, 'replays', replaysPerMinute);
  for (let count = 0; count < left; count += 1) {
    const replay = await account.post('/v1/videos', video(), key);
    expect([replay.status, replay.text]).toEqual([202, first.text]);
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
  }
  const refused = await account.post('/v1/videos', video(), key);
  expect([refused.status, refused.json['error']]).toMatchObject([429, { code: 'rate_limited' }]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.headers.get('ratelimit-policy')).toBe(`"replays";q=${replaysPerMinute};w=60`);
  expect(await balance()).toBe(before);
  expect((await bystander.post('/v1/videos', video())).status).toBe(202);
});

test('endless requests for pages must wait, while other accounts and strangers see their pages', async () => {
  const visitor = createVisitor(gateway.origin);
  await signUpVerified(visitor, gateway.dataDir, 'busy@example.com');
  const { accounts } = gateway.collections;
  const busy = await accounts.findOne({ email: 'busy@example.com' });
  use(busy?._id ?? '', 'pages', pagesPerMinute);
  // The sign-up has used some of them.
  let page = await visitor.get('/credits');
  expect(page.status).toBe(200);
  for (let count = 1; page.status === 200; count += 1) {
    expect(count).toBeLessThanOrEqual(left);
    page = await visitor.get('/credits');
  }
  expect(page.status).toBe(429);
  expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await createVisitor(gateway.origin).get('/sign-in')).status).toBe(200);
});
