import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createByteBudget, type Hold } from '@framegate/limits';
import type { Submission } from '@framegate/provider-routes';
import { recordCall } from '../../gateway/providers/src/exchanges.ts';
import { createProviderFetch } from '../../gateway/providers/src/providerFetch.ts';
import { createProviderHttp } from '../../gateway/providers/src/providerHttp.ts';
import {
  closeRoutes,
  never,
  openRoute,
  videoRequest,
  wordOf,
} from '../../gateway/providers/test/routeFixtures.ts';
import { json, startTinyServer, type TinyServer } from '../../gateway/providers/test/tinyServer.ts';
import { providerNetwork as network } from '../../gateway/src/adapters/net/guardedConnector.ts';

let server: TinyServer;

beforeAll(async () => {
  server = await startTinyServer((_, response) => {
    json(response, 200, { id: 'cgt-1' });
  });
});

afterEach(() => {
  server.got.length = 0;
});

afterAll(async () => {
  await closeRoutes();
  await server.close();
});

async function submitTo(provider: object): Promise<Submission> {
  const { route } = await openRoute(
    { kind: 'model-ark', mediaHosts: ['files.example'], ...provider },
    'seedance',
    { network },
  );
  return route.submit(videoRequest(), never);
}

describe('within an image call', () => {
  /** Results of our fetch for some requests of a package, one after the other. */
  async function requests(mediaHosts: string[], ...all: [string, RequestInit?][]) {
    const http = createProviderHttp(
      {
        name: 'p',
        keys: [],
        maxConcurrent: 1,
        errorRules: [],
        budget: null,
        delivery: 'refund',
        rewriteOrigins: new Map(),
        apiOrigins: new Set<string>(),
        mediaHosts,
        allowPrivateNetwork: true,
        polls: { everySeconds: null, perMinute: null },
      },
      network,
    );
    const fetch = createProviderFetch(http, 'secret-key');
    const { exchanges } = await recordCall('images', async () => {
      for (const [url, init] of all) await (await fetch(url, init)).text();
    });
    await http.close();
    return exchanges.map(({ method, isSent, status, failure }) => [
      method,
      isSent,
      status ?? failure,
    ]);
  }

  const authorization = { headers: { authorization: 'Key secret-key' } };

  test('files are fetched from media hosts only', async () => {
    const refused = ['GET', false, `${server.host} is not in mediaHosts`];
    expect(await requests([], [`${server.origin}/1.png`])).toEqual([refused]);
    expect(await requests([server.host], [`${server.origin}/1.png`])).toEqual([['GET', true, 200]]);
  });

  test('the API itself may be polled', async () => {
    const withKey = await requests([], [`${server.origin}/jobs/1`, authorization]);
    expect(withKey).toEqual([['GET', true, 200]]);
    const after = await requests([], [server.origin, { method: 'POST' }], [`${server.origin}/1`]);
    expect(after).toEqual([
      ['POST', true, 200],
      ['GET', true, 200],
    ]);
  });
});

test('responses of all calls share one budget of memory, and all of them arrive', async () => {
  const [responseBytes, budgetBytes] = [2_000_000, 3_000_000];
  const big = await startTinyServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify('x'.repeat(responseBytes)));
  });
  const http = createProviderHttp(
    {
      name: 'p',
      keys: [],
      maxConcurrent: 8,
      errorRules: [],
      budget: null,
      delivery: 'refund',
      rewriteOrigins: new Map(),
      apiOrigins: new Set<string>(),
      mediaHosts: [],
      allowPrivateNetwork: true,
      polls: { everySeconds: null, perMinute: null },
    },
    network,
  );
  const fetch = createProviderFetch(http, 'secret-key');
  const budget = createByteBudget(budgetBytes);
  let max = 0;
  const watch = { ...budget, open: () => noting(budget.open()) };
  const noting = (hold: Hold): Hold => ({
    ...hold,
    take: (bytes) =>
      hold.take(bytes).then(() => {
        max = Math.max(max, budget.usedBytes());
      }),
  });
  const read = async () => (await (await fetch(big.origin, { method: 'POST' })).text()).length;
  const calls = Array.from({ length: 8 }, () => recordCall('images', read, { budget: watch }));
  for (const call of await Promise.all(calls)) {
    expect(call).toMatchObject({ ok: true, value: responseBytes + 2 });
  }
  expect(max).toBeGreaterThan(responseBytes / 2);
  expect(max).toBeLessThanOrEqual(budgetBytes + responseBytes);
  expect(budget.usedBytes()).toBe(0);
  await http.close();
  await big.close();
});

describe('a provider is reached', () => {
  test.each(['127.0.0.1', '[::1]', 'localhost', '10.0.0.1', '169.254.169.254', '[::ffff:7f00:1]'])(
    'at public addresses only: not at %s',
    async (host) => {
      const port = new URL(server.origin).port;
      const baseURL = `https://${host}:${port}/api/v3`;
      expect(wordOf(await submitTo({ baseURL }))).toEqual({
        kind: 'refused',
        code: null,
        isBusy: true,
        health: { kind: 'failure' },
        note: expect.stringMatching(/not public/),
      });
      expect(server.got).toEqual([]);
    },
  );

  test('at a private address of the operator', async () => {
    const baseURL = 'https://ark.example/api/v3';
    const rewriteOrigins = { 'https://ark.example': server.origin };
    const submission = await submitTo({ baseURL, rewriteOrigins, allowPrivateNetwork: true });
    expect(wordOf(submission)).toEqual({ kind: 'accepted', operation: { taskId: 'cgt-1' } });
    expect(server.got.map(({ path }) => path)).toEqual(['/api/v3/contents/generations/tasks']);
    expect(server.got[0]?.headers.host).toBe(server.host);
  });

  test('definitely not if TLS fails', async () => {
    const baseURL = server.origin.replace('http:', 'https:');
    const submission = await submitTo({ baseURL, allowPrivateNetwork: true });
    expect(submission).toMatchObject({ kind: 'refused', code: null, isBusy: true });
  });

  test('definitely not at a port that fetch does not use', async () => {
    const baseURL = 'http://127.0.0.1:9/api/v3';
    const submission = await submitTo({ baseURL, allowPrivateNetwork: true });
    expect(submission).toMatchObject({ kind: 'refused', code: null, isBusy: true });
  });

  test('definitely not if DNS fails', async () => {
    expect(wordOf(await submitTo({ baseURL: 'https://nothing.invalid/api/v3' }))).toEqual({
      kind: 'refused',
      code: null,
      isBusy: true,
      health: { kind: 'failure' },
      note: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/),
    });
  });
});
