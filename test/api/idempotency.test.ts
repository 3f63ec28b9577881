import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { changeAccount, targetById } from '../../gateway/src/application/accounts/changeAccount.ts';
import { image, imageInput, video } from '../support/bodies.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
});
afterAll(() => gateway.stop());

const key = (value: string) => ({ 'idempotency-key': value });
const balance = async (account: TestAccount) => (await account.get('/v1/credits/balance')).json;

describe('one key makes one generation (I3)', () => {
  test('the same key and body get the first response, byte for byte, and are charged once', async () => {
    const account = await gateway.addAccount({ credits: 100 });
    const first = await account.post('/v1/videos', video(), key('a'));
    const again = await account.post('/v1/videos', video(), key('"a"'));
    expect([again.status, again.text]).toEqual([202, first.text]);
    for (const name of ['location', 'retry-after']) {
      expect(again.headers.get(name)).toBe(first.headers.get(name));
    }
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await balance(account)).toMatchObject({ available: 70, in_flight: 30 });
  });

  test('the order of members does not matter', async () => {
    const account = await gateway.addAccount();
    const { model, mode, prompt } = video();
    await account.post('/v1/videos', { model, mode, prompt }, key('a'));
    const again = await account.post('/v1/videos', { prompt, mode, model }, key('a'));
    expect(again.status).toBe(202);
  });

  test('422 for the same key with another body, even one that is wrong', async () => {
    const account = await gateway.addAccount();
    await account.post('/v1/videos', video(), key('a'));
    for (const body of [video({ prompt: 'Another' }), {}, video({ parameters: {} })]) {
      const response = await account.post('/v1/videos', body, key('a'));
      expect([response.status, response.json['error']]).toMatchObject([
        422,
        { code: 'idempotency_key_reused' },
      ]);
    }
  });

  test('each path and account has its own keys', async () => {
    const [one, two] = [await gateway.addAccount(), await gateway.addAccount()];
    const responses = await Promise.all([
      one.post('/v1/videos', video(), key('a')),
      one.post('/v1/images', image(), key('a')),
      two.post('/v1/videos', video(), key('a')),
    ]);
    expect(new Set(responses.map(({ json }) => json['id'])).size).toBe(3);
  });

  test('one of many concurrent equal requests creates, and all get the same response', async () => {
    const account = await gateway.addAccount({ credits: 1000 });
    const responses = await Promise.all(
      Array.from({ length: 40 }, () => account.post('/v1/videos', video(), key('a'))),
    );
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await balance(account)).toMatchObject({ available: 970, in_flight: 30 });
  });

  test('the replay comes before every other rule', async () => {
    const account = await gateway.addAccount({ credits: 30, hosts: ['media.example.com'] });
    const body = video({ mode: 'image-to-video', inputs: [imageInput()] });
    const first = await account.post('/v1/videos', body, key('a'));
    const { database } = gateway;
    await changeAccount(database, targetById(database, account.accountId), (before) => ({
      after: {
        ...before,
        limits: { ...before.limits, createsPerMinute: 1, burst: 1, running: 1, waiting: 0 },
        keys: before.keys.map((each) => ({ ...each, hosts: [], models: ['alpha-2.5'] })),
      },
    }));
    for (let count = 0; count < 3; count += 1) {
      const again = await account.post('/v1/videos', body, key('a'));
      expect([again.status, again.text]).toEqual([202, first.text]);
    }
  });

  test('a refused request does not use up its key', async () => {
    const account = await gateway.addAccount();
    expect((await account.post('/v1/videos', {}, key('a'))).status).toBe(400);
    expect((await account.post('/v1/videos', video(), key('a'))).status).toBe(202);
  });

  test('an expired key can be used again, and its generation stays readable', async () => {
    const account = await gateway.addAccount();
    const first = await account.post('/v1/videos', video(), key('a'));
    await gateway.collections.generations.updateOne(
      { _id: String(first.json['id']) },
      { $set: { 'replay.keptUntil': new Date(gateway.clock.now() - 1) } },
    );
    const second = await account.post('/v1/videos', video(), key('a'));
    expect(second.json['id']).not.toBe(first.json['id']);
    const { status } = await account.get(`/v1/generations/${String(first.json['id'])}`);
    expect(status).toBe(200);
  });
});
