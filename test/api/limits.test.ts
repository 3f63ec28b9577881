import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { video } from '../support/bodies.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
});
afterAll(() => gateway.stop());

describe('limits', () => {
  test('creates: the burst, then 429 with Retry-After; refused ones count, replays are free', async () => {
    const account = await gateway.addAccount({ limits: { createsPerMinute: 1, burst: 3 } });
    const key = { 'idempotency-key': 'a' };
    const statuses = [
      (await account.post('/v1/videos', video(), key)).status,
      (await account.post('/v1/videos', {})).status,
      (await account.post('/v1/videos', video())).status,
      (await account.post('/v1/videos', video(), key)).status,
    ];
    expect(statuses).toEqual([202, 400, 202, 202]);
    const { status, headers, json } = await account.post('/v1/videos', video());
    expect([status, json['error']]).toMatchObject([429, { code: 'rate_limited', retryable: true }]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('ratelimit-policy')).toBe('"create";q=1;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"create";r=0;t=\d+$/);
  });

  test('concurrent creates are counted exactly', async () => {
    const account = await gateway.addAccount({ limits: { createsPerMinute: 1, burst: 5 } });
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => account.post('/v1/videos', video())),
    );
    expect(responses.filter(({ status }) => status === 202)).toHaveLength(5);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  test('slots: some run, some wait, then 429 concurrency_limited', async () => {
    const account = await gateway.addAccount({ limits: { running: 2, waiting: 1 } });
    const responses = [];
    for (let count = 0; count < 4; count += 1) {
      responses.push(await account.post('/v1/videos', video()));
    }
    expect(responses.map(({ status }) => status)).toEqual([202, 202, 202, 429]);
    expect(responses[3]?.json['error']).toMatchObject({ code: 'concurrency_limited' });
    expect(responses[3]?.headers.get('retry-after')).toMatch(/^\d+$/);
    const stored = await gateway.database.accounts.find(account.accountId);
    expect(stored).toMatchObject({ running: 2, waiting: 1 });
  });

  test('credits: exactly the affordable number of creates', async () => {
    const account = await gateway.addAccount({ credits: 100 });
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => account.post('/v1/videos', video())),
    );
    expect(responses.filter(({ status }) => status === 202)).toHaveLength(3);
    expect(responses.filter(({ status }) => status === 402)).toHaveLength(7);
    expect((await account.get('/v1/credits/balance')).json).toMatchObject({ available: 10 });
  });

  test('reads: status reads and other reads have separate limits', async () => {
    const account = await gateway.addAccount({
      limits: { statusReadsPerMinute: 2, otherReadsPerMinute: 1 },
    });
    const { json } = await account.post('/v1/videos', video());
    const path = `/v1/generations/${String(json['id'])}`;
    const statuses = [];
    for (const each of [path, path, path, '/v1/models', '/v1/credits/balance']) {
      statuses.push((await account.get(each)).status);
    }
    expect(statuses).toEqual([200, 200, 429, 200, 429]);
  });
});
