import { afterEach, describe, expect, test } from '@jest/globals';
import { createAllowances } from '../../gateway/src/application/allowances.ts';
import { expectRefusal, readRefusal } from './expectRefusal.ts';
import { caller, startTestServer, type TestServer } from './startTestServer.ts';

let server: TestServer;
afterEach(() => server.stop());

const start = () => {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const limits = { ...caller.limits, statusReadsPerMinute: 6, otherReadsPerMinute: 4 };
  return startTestServer({
    useCases: {
      authenticate: async (authorization) => ({
        ...caller,
        limits,
        accountId: authorization ?? '',
      }),
      getGeneration: async (_caller, id) => JSON.parse(`{"id":"${id}"}`) as never,
    },
    app: { allowances: createAllowances({ clock }), clock },
  }).then((started) => Object.assign(started, { clock }));
};

const get = (path: string, account = 'a') =>
  fetch(server.url + path, { headers: { authorization: account } });

async function statuses(count: number, path: string, account?: string) {
  const list = [];
  for (let index = 0; index < count; index += 1) list.push((await get(path, account)).status);
  return list;
}

describe('reads', () => {
  test('429 rate_limited past a minute of reads, with Retry-After', async () => {
    server = await start();
    expect(await statuses(4, '/v1/models')).toEqual([200, 200, 200, 200]);
    const refused = await readRefusal(await get('/v1/credits/balance'));
    expectRefusal(refused, 'rate_limited');
    expect(refused.headers.get('retry-after')).toBe('15');
    expect(refused.headers.get('ratelimit-policy')).toBe('"other-reads";q=4;w=60');
    expect(refused.headers.get('ratelimit')).toBe('"other-reads";r=0;t=15');

    server.clock.nowMs = 14_999;
    expect(await statuses(1, '/v1/models')).toEqual([429]);
    server.clock.nowMs = 15_000;
    expect(await statuses(2, '/v1/models')).toEqual([200, 429]);
  });

  test('status reads, other reads and accounts are counted separately', async () => {
    server = await start();
    expect(await statuses(5, '/v1/models')).toEqual([200, 200, 200, 200, 429]);
    expect(await statuses(7, '/v1/generations/gen_1')).toEqual([200, 200, 200, 200, 200, 200, 429]);
    expect(await statuses(1, '/v1/models', 'b')).toEqual([200]);
    const refused = await readRefusal(await get('/v1/generations/gen_1'));
    expect(refused.headers.get('ratelimit-policy')).toBe('"status-reads";q=6;w=60');
  });

  test('the description, pages and health are not limited', async () => {
    server = await start();
    for (const path of ['/v1/openapi.json', '/docs', '/healthz']) {
      expect(await statuses(8, path)).toEqual(Array(8).fill(200));
    }
  });
});
