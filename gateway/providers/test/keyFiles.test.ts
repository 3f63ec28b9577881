import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { catalogue, minuteMs } from '@framegate/contract';
import { statedVideo } from '../../../test/support/statedSupport.ts';
import { openRoutes, type ReplaceableRoutes } from '../src/openRoutes.ts';
import { openNetwork as network } from './openNetwork.ts';
import { never, videoRequest } from './routeFixtures.ts';
import { json, startTinyServer, type TinyServer } from './tinyServer.ts';

/* A key file whose key changes while its orders run: each order is polled with the key that made it. */

let server: TinyServer;
let routes: ReplaceableRoutes;
const model = 'alpha-2.0-fast';
const silent = { debug() {}, info() {}, warn() {}, error() {} };

const file = (text: string) => ({
  content: {
    providers: {
      p: {
        kind: 'model-ark',
        apiKeyFile: 'ark.key',
        baseURL: server.origin,
        allowPrivateNetwork: true,
        mediaHosts: ['files.example'],
      },
    },
    models: { [model]: [{ provider: 'p', model: 'up', does: statedVideo }] },
  },
  keyFiles: { p: { text } },
});

const open = (text: string) =>
  openRoutes({
    file: file(text),
    env: {},
    catalogue: () => catalogue,
    maxMs: minuteMs,
    network,
    mode: 'production',
    providersDir: null,
    now: Date.now,
    log: silent,
    openPreview: () => Promise.reject(new Error('no preview')),
  });

beforeAll(async () => {
  server = await startTinyServer(({ method }, response) => {
    json(response, 200, method === 'POST' ? { id: 'task' } : { id: 'task', status: 'running' });
  });
});
beforeEach(async () => {
  routes = await open('old-secret\n');
});
afterAll(() => server.close());

let operation: unknown;

/** Places an order. @returns Its key's name, and the secrets that the vendor saw. */
async function order() {
  const [route] = routes.forModel(model);
  const name = route?.keysInTurn?.()[0] ?? '';
  server.got.splice(0);
  const submission = await route?.submit(videoRequest(), never, name);
  operation = (submission as { operation?: unknown }).operation;
  return { name, seen: secretsSeen() };
}
/** Polls the last order with a key. @returns The secrets that the vendor saw. */
async function poll(key: string) {
  server.got.splice(0);
  await routes.find('p', 'up', key)?.poll(operation, videoRequest(), never, 'provider', key);
  return secretsSeen();
}
const secretsSeen = () =>
  server.got.map(({ headers }) => String(headers.authorization).replace('Bearer ', ''));

test('a new first line makes the orders, and the line below polls those that it made', async () => {
  const old = await order();
  expect(old).toEqual({ name: expect.stringMatching(/^key-[0-9a-f]{12}$/), seen: ['old-secret'] });
  expect(await routes.replace(file('new-secret\nold-secret'))).toEqual({
    hasChanged: true,
    removed: [],
  });
  for (let index = 0; index < 3; index += 1) expect((await order()).seen).toEqual(['new-secret']);
  const { name } = await order();
  expect(name).not.toBe(old.name);
  expect(routes.forModel(model)[0]?.keys).toEqual([name]);
  expect(await poll(old.name)).toEqual(['old-secret']);
  expect(await poll(name)).toEqual(['new-secret']);
  await routes.close();

  // A process that starts now has both as well, until the line is removed.
  routes = await open('new-secret\nold-secret');
  expect(await poll(old.name)).toEqual(['old-secret']);
  await routes.replace(file('new-secret'));
  expect(await poll(old.name)).toEqual(['old-secret']);
  await routes.close();
  routes = await open('new-secret');
  expect(await poll(old.name)).toEqual(['new-secret']);
  await routes.close();
});

test('the same keys change nothing, and a file that cannot be read leaves the routes as they are', async () => {
  expect(await routes.replace(file('old-secret\n'))).toEqual({ hasChanged: false, removed: [] });
  const gone = { ...file(''), keyFiles: { p: { problem: 'there is no such file' } } };
  await expect(routes.replace(gone)).rejects.toMatchObject({
    problems: ['providers.p.apiKeyFile is "ark.key": there is no such file.'],
  });
  expect((await order()).seen).toEqual(['old-secret']);
  await routes.close();
});
