import { afterEach, describe, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { type Allowances, createAllowances } from '../../gateway/src/application/allowances.ts';
import { replaysPerMinute } from '../../gateway/src/application/generations/create/runIdempotently.ts';
import { expectRefusal, readRefusal } from './expectRefusal.ts';
import { caller, goodKey, startTestServer, type TestServer } from './startTestServer.ts';

let server: TestServer;
afterEach(() => server.stop());

const headers = { authorization: goodKey, 'content-type': 'application/json' };
const create = (body: string) =>
  fetch(`${server.url}/v1/videos`, { method: 'POST', headers, body });
const named = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, 0])));
const tooMany = 'The body has more than 2,000 names and values.';

describe('a body is bounded before it is parsed', () => {
  test.each([
    ['names', named(1_000)],
    ['empty objects', JSON.stringify({ a: Array(2_000).fill({}) })],
    ['numbers', JSON.stringify({ a: Array(2_000).fill(1) })],
    ['texts', JSON.stringify({ a: Array(2_000).fill('') })],
    ['text that is not JSON', `{"a":[${'1,'.repeat(2_000)}`],
  ])('400 invalid_request: 2,001 names and values: %s', async (_, body) => {
    server = await startTestServer();
    const refused = await readRefusal(await create(body));
    expectRefusal(refused, 'invalid_request');
    expect(refused.body.error.message).toBe(tooMany);
  });

  test('2,000 of them are accepted, whatever the texts contain', async () => {
    server = await startTestServer();
    const body = JSON.stringify({ a: Array(1_995).fill(1), b: '[{"\\,:'.repeat(10_000) });
    expect((await create(body)).status).toBe(202);
    expect((await create(body.replace('[1,', '[1,1,'))).status).toBe(400);
  });

  test('nesting of 32 levels is accepted, of 33 refused', async () => {
    server = await startTestServer();
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    expect((await create(nested(32))).status).toBe(202);
    const refused = await readRefusal(await create(nested(33)));
    expectRefusal(refused, 'invalid_json');
    expect(refused.body.error.message).toBe('The body is nested deeper than 32 levels.');
  });
});

describe('the bodies of an account', () => {
  const perMinute = 2 * (caller.limits.createsPerMinute + replaysPerMinute);
  let allowances: Allowances;
  /** Starts a server on which the account has used this many bodies of its allowance. */
  async function startWith(used: number) {
    const clock = { nowMs: 0, now: () => clock.nowMs };
    allowances = createAllowances({ clock });
    allowances.take(caller.accountId, 'bodies', perMinute, used);
    server = await startTestServer({ app: { allowances, clock } });
    return clock;
  }
  const statusOf = async (body: string) => (await create(body)).status;

  test('are counted by their size, and 429 names the time to retry', async () => {
    const clock = await startWith(perMinute - 8);
    const large = `{"a":"${'a'.repeat(250_000)}"}`;
    expect([await statusOf(large), await statusOf(large)]).toEqual([202, 202]);
    const refused = await readRefusal(await create(large));
    expectRefusal(refused, 'rate_limited');
    expect(refused.headers.get('ratelimit-policy')).toBe(`"bodies";q=${perMinute};w=60`);
    expect(refused.headers.get('retry-after')).toBe('1');
    clock.nowMs += minuteMs;
    expect(await statusOf('{}')).toBe(202);
  });

  test('are counted before they are read, even if they are refused for another reason', async () => {
    await startWith(perMinute - 3);
    expect([await statusOf('{'), await statusOf('[]'), await statusOf(named(3_000))]).toEqual([
      400, 400, 400,
    ]);
    const text = { ...headers, 'content-type': 'text/plain' };
    const refused = await fetch(`${server.url}/v1/images`, {
      method: 'POST',
      headers: text,
      body: '{}',
    });
    expect(refused.status).toBe(429);
  });

  test('leave room for all creates and replays within the limits, with the longest prompts', async () => {
    await startWith(0);
    const longest = JSON.stringify({ prompt: 'a'.repeat(100_000) });
    for (let sent = 0; sent < 10; sent += 1) expect(await statusOf(longest)).toBe(202);
    expect(allowances.take(caller.accountId, 'bodies', perMinute, perMinute - 20)).toBeNull();
  });
});
