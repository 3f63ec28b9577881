import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { closeRoutes, never, openRoute } from './routeFixtures.ts';
import { json, startTinyServer, type TinyServer } from './tinyServer.ts';

/* Conclusions from a provider's free request: the list of models at OpenAI, the balance at Black Forest Labs. */

let server: TinyServer;
let planned: { status: number; body: object };
beforeAll(async () => {
  server = await startTinyServer((_, response) => json(response, planned.status, planned.body));
});
afterEach(async () => {
  server.got.splice(0);
  await closeRoutes();
});
afterAll(() => server.close());

const packages = {
  openai: ['@ai-sdk/openai', 'createOpenAI', 'gpt-image-2', 'https://api.openai.com'],
  bfl: ['@ai-sdk/black-forest-labs', 'createBlackForestLabs', 'flux-2-pro', 'https://api.bfl.ai'],
} as const;

async function probe(name: keyof typeof packages, more: object = {}) {
  const [npm, factory, model, origin] = packages[name];
  const provider = {
    kind: 'ai-sdk',
    package: npm,
    factory,
    allowPrivateNetwork: true,
    rewriteOrigins: { [origin]: server.origin },
    ...more,
  };
  const { route } = await openRoute(provider, model, { type: 'image' });
  return route.probe?.(never, route.keys?.[0]);
}

test('an accepted key means health, a refused one is a failure of the key, and other responses decide nothing', async () => {
  planned = { status: 200, body: { data: [] } };
  expect(await probe('openai')).toEqual({ kind: 'success' });
  expect(server.got[0]).toMatchObject({
    method: 'GET',
    path: '/v1/models',
    headers: { authorization: 'Bearer secret-key' },
  });
  for (const [status, health] of [
    [401, { kind: 'key' }],
    [402, { kind: 'account' }],
    [403, null],
    [404, null],
    [500, null],
  ] as const) {
    planned = { status, body: { error: {} } };
    expect([status, await probe('openai')]).toEqual([status, health]);
  }
  planned = { status: 400, body: { error: { message: 'API key not valid.' } } };
  expect(await probe('openai')).toEqual({ kind: 'key' });
});

test('an empty balance is a failure of the account, and an unreadable one is not', async () => {
  for (const [credits, kind] of [
    [0, 'account'],
    [-1.5, 'account'],
    [0.5, 'success'],
    ['?', 'success'],
  ] as const) {
    planned = { status: 200, body: { credits } };
    expect([credits, await probe('bfl')]).toEqual([credits, { kind }]);
  }
});

test('a server that cannot be reached is a failure', async () => {
  const nobody = { 'https://api.openai.com': 'http://127.0.0.1:1' };
  expect(await probe('openai', { rewriteOrigins: nobody })).toEqual({ kind: 'failure' });
});

test("there is no probe at an operator's own address, nor an undocumented one", async () => {
  const elsewhere = { options: { baseURL: `${server.origin}/v1` } };
  expect(await probe('openai', elsewhere)).toBeUndefined();
  expect(server.got).toEqual([]);
});
