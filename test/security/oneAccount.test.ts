import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { replaysPerMinute } from '../../gateway/src/application/generations/idempotently.ts';
import { pagesPerMinute } from '../../gateway/src/http/site/account/acting.ts';
import { signUpVerified } from '../site/support/signUpVerified.ts';
import { createVisitor } from '../site/support/visitor.ts';
import { video } from '../support/bodies.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

/*
 * The attack: one account endlessly repeats free requests that pass the other limits: the same create, or the
 * pages of the site.
 */

/** Processes that share the allowances: so many that each lets few requests through, which keeps the test short. */
const processes = 100;
const shareOf = (perMinute: number) => perMinute / processes;

let bed: TestGateway;
beforeAll(async () => {
  bed = await startTestGateway({ ROLE: 'api' });
  const { collections, processes: registry } = bed.gateway.database;
  const others = Array.from({ length: processes - 1 }, (_, index) => ({
    _id: `process_${index}`,
    role: 'api' as const,
    host: 'test',
    clock: 'agrees' as const,
    codeVersion: 1,
    sessions: [],
    released: false,
    seenAt: new Date(Date.UTC(2999, 0)),
  }));
  await collections.processes.insertMany(others);
  await until(async () => registry.liveApis() === processes);
});
afterAll(async () => {
  await bed.stop();
  expect(bed.errors).toEqual([]);
});

test('endless replays are told to wait, are never charged, and hold up nobody else', async () => {
  const account = await bed.addAccount({ credits: 1000 });
  const bystander = await bed.addAccount();
  const key = { 'idempotency-key': 'again' };
  const first = await account.post('/v1/videos', video(), key);
  const balance = async () => (await account.get('/v1/credits/balance')).json['available'];
  const before = await balance();

  const bodies = new Set<string>();
  let refused = await account.post('/v1/videos', video(), key);
  for (let count = 1; refused.status === 202; count += 1) {
    expect(refused.headers.get('idempotent-replayed')).toBe('true');
    bodies.add(refused.text);
    expect(count).toBeLessThan(10 * shareOf(replaysPerMinute));
    refused = await account.post('/v1/videos', video(), key);
  }
  expect([...bodies]).toEqual([first.text]);
  expect([refused.status, refused.json['error']]).toMatchObject([429, { code: 'rate_limited' }]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.headers.get('ratelimit-policy')).toBe(`"replays";q=${replaysPerMinute};w=60`);
  expect(await balance()).toBe(before);
  expect((await bystander.post('/v1/videos', video())).status).toBe(202);
});

test('endless requests for pages are told to wait; other accounts and strangers see theirs', async () => {
  const visitor = createVisitor(bed.origin);
  await signUpVerified(visitor, bed.dataDir, 'busy@example.com', 'correct horse battery');
  let page = await visitor.get('/credits');
  for (let count = 1; page.status === 200; count += 1) {
    expect(count).toBeLessThan(10 * shareOf(pagesPerMinute));
    page = await visitor.get('/credits');
  }
  expect(page.status).toBe(429);
  expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await createVisitor(bed.origin).get('/sign-in')).status).toBe(200);
});
