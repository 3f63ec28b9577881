import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setAccountStatus } from '../../gateway/src/application/accounts/accounts.ts';
import { revokeKey } from '../../gateway/src/application/keys/keys.ts';
import { formatApiKey } from '../../gateway/src/domain/accounts/apiKey.ts';
import { video } from '../support/bodies.ts';
import {
  requests,
  startTestGateway,
  type TestAccount,
  type TestGateway,
} from '../support/gateway.ts';

let gateway: TestGateway;
let account: TestAccount;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
  account = await gateway.addAccount();
});
afterAll(() => gateway.stop());

const paths = ['/v1/models', '/v1/credits/balance', `/v1/generations/gen_${'0'.repeat(26)}`];

describe('authentication', () => {
  const unknown = formatApiKey(new Uint8Array(40));
  test.each([
    ['no header', undefined],
    ['another scheme', 'Basic YTpi'],
    ['not a key', 'Bearer sk-123'],
    ['a wrong checksum', `Bearer fg_live_${'0'.repeat(38)}`],
    ['a key of no account', `Bearer ${unknown}`],
  ])('%s is refused alike on every path', async (_name, authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    const posts = ['/v1/videos', '/v1/images'].map((path) =>
      fetch(gateway.origin + path, { method: 'POST', headers, body: '{' }),
    );
    const gets = paths.map((path) => fetch(gateway.origin + path, { headers }));
    for (const response of await Promise.all([...posts, ...gets])) {
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(await response.json()).toMatchObject({ error: { code: 'invalid_api_key' } });
    }
  });

  test('a live key is let in, whatever the case of the scheme', async () => {
    const response = await account.get('/v1/models', { authorization: `bearer ${account.apiKey}` });
    expect(response.status).toBe(200);
  });

  test('a revoked key immediately stops creating', async () => {
    const other = await gateway.addAccount();
    expect((await other.post('/v1/videos', video())).status).toBe(202);
    await revokeKey({ database: gateway.database, clock: gateway.clock }, other.keyId);
    const response = await other.post('/v1/videos', video());
    expect(response.status).toBe(401);
  });

  test('a suspended account reads and replays, but creates nothing', async () => {
    const other = await gateway.addAccount();
    const first = await other.post('/v1/videos', video(), { 'idempotency-key': 'a' });
    const { database } = gateway;
    await setAccountStatus({ database }, { accountId: other.accountId, status: 'suspended' });
    const created = await other.post('/v1/videos', video());
    expect([created.status, created.json['error']]).toMatchObject([
      403,
      { code: 'account_suspended' },
    ]);
    const replay = await other.post('/v1/videos', video(), { 'idempotency-key': 'a' });
    expect([replay.status, replay.text]).toEqual([202, first.text]);
    expect((await other.get('/v1/credits/balance')).status).toBe(200);
  });

  test('keys of one account see the same generations, and another account sees none of them', async () => {
    const { json } = await account.post('/v1/videos', video());
    const stranger = await gateway.addAccount();
    const path = `/v1/generations/${String(json['id'])}`;
    expect((await account.get(path)).status).toBe(200);
    expect((await stranger.get(path)).status).toBe(404);
    expect((await requests(gateway.origin, account.apiKey).get(path)).status).toBe(200);
  });
});
