import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKey } from '../../gateway/src/application/keys/keys.ts';
import { video } from '../support/bodies.ts';
import { requests, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type ArkGateway, useArkGateway } from '../support/useArkGateway.ts';

/*
 * The attack: a key has leaked, and its finder spends the account's credits. Its daily limit bounds the damage
 * exactly, however many requests come at once. A text-to-video of `video()` costs 30.
 */

const world = useArkGateway();
let { ark, gateway } = {} as ArkGateway;
beforeAll(() => {
  ({ ark, gateway } = world());
  const code = 'InputTextSensitiveContentDetected';
  ark.script({ on: 'submit', fault: { kind: 'error', status: 400, code } });
});

async function keyWith(dailyCredits: number, accountId: string) {
  const { database, clock } = gateway;
  const { random, pepper } = gateway;
  const command = { accountId, name: 'bounded', hosts: [], models: [], dailyCredits };
  const { apiKey } = await createKey({ database, clock, random, pepper }, command);
  return requests(gateway.origin, apiKey);
}

describe('the daily credit limit of a key', () => {
  test('refuses a create beyond it before any charge, and the account keeps its credits', async () => {
    const account = await gateway.addAccount({ credits: 1000 });
    const bounded = await keyWith(20, account.accountId);
    const refused = await Promise.all(
      Array.from({ length: 10 }, () => bounded.post('/v1/videos', video())),
    );
    expect(refused.map(({ status }) => status)).toEqual(Array(10).fill(402));
    expect(refused[0]?.json['error']).toMatchObject({
      code: 'key_limit_reached',
      retryable: false,
      message: expect.stringContaining('20 credits per day and has 20 left today (UTC)'),
    });
    expect((await account.get('/v1/credits/balance')).json).toMatchObject({
      available: 1000,
      in_flight: 0,
    });
  });

  test('credits refunded on the same day can be spent again', async () => {
    const account = await gateway.addAccount({ credits: 1000 });
    const bounded = await keyWith(30, account.accountId);
    for (let round = 0; round < 2; round += 1) {
      const created = await bounded.post('/v1/videos', video());
      expect(created.status).toBe(202);
      const ended = await bounded.untilEnded(String(created.json['id']));
      expect(ended).toMatchObject({ status: 'failed', billing: { refunded_credits: 30 } });
    }
  });

  test('is separate for each key of the account', async () => {
    const account = await gateway.addAccount({ credits: 1000 });
    const bounded = await keyWith(1, account.accountId);
    expect((await bounded.post('/v1/videos', video())).status).toBe(402);
    expect((await account.post('/v1/videos', video())).status).toBe(202);
  });
});

describe('without a worker, and thus without refunds', () => {
  let api: TestGateway;
  beforeAll(async () => {
    api = await startTestGateway({ ROLE: 'api' });
  });
  afterAll(() => api.stop());

  test('concurrent creates are counted exactly, and replays are free', async () => {
    const account = await api.addAccount({ credits: 10_000 });
    const { database, clock } = api;
    const { random, pepper } = api;
    const { apiKey } = await createKey(
      { database, clock, random, pepper },
      { accountId: account.accountId, name: 'bounded', hosts: [], models: [], dailyCredits: 100 },
    );
    const bounded = requests(api.origin, apiKey);
    const key = { 'idempotency-key': 'once' };
    const first = await bounded.post('/v1/videos', video(), key);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => bounded.post('/v1/videos', video())),
    );
    expect(first.status).toBe(202);
    expect(responses.filter(({ status }) => status === 202)).toHaveLength(2);
    expect(responses.filter(({ status }) => status === 402)).toHaveLength(8);
    expect((await bounded.post('/v1/videos', video(), key)).text).toBe(first.text);
    expect((await account.get('/v1/credits/balance')).json).toMatchObject({ available: 9910 });
    const stored = await database.accounts.find(account.accountId);
    expect(stored?.keys.at(-1)?.daySpent).toMatchObject({ credits: 90 });
  });
});
