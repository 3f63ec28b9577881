import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { arkProvider } from '../support/arkRoutes.ts';
import { video } from '../support/bodies.ts';
import { type FakeArk, startFakeArk } from '../support/fakeArk/fakeArk.ts';
import type { TestAccount, TestGateway } from '../support/gateway.ts';
import { startRoutedGateway } from '../support/startRoutedGateway.ts';
import { statedVideo } from '../support/statedSupport.ts';

/* Routes by the cost of an order, for groups of accounts, and by region. */

let arks: FakeArk[];
let gateway: TestGateway;
let anybody: TestAccount;
let studio: TestAccount;
let european: TestAccount;

beforeAll(async () => {
  arks = [await startFakeArk(), await startFakeArk()];
  const [first, second] = arks as [FakeArk, FakeArk];
  const route = (provider: string, more: object = {}) => ({
    provider,
    model: 'seedance',
    does: statedVideo,
    ...more,
  });
  const cost = (perSecond: number | Record<string, number>) => ({
    cost: { currency: 'USD', perSecond },
  });
  const routes = {
    providers: { first: arkProvider(first), second: arkProvider(second) },
    order: { 'alpha-2.0-fast': 'cost' },
    groups: { european: { regions: ['eu'] } },
    models: {
      'alpha-2.0-fast': [
        route('first', cost({ '480p': 0.1, '720p': 0.3, '1080p': 1 })),
        route('second', cost(0.2)),
      ],
      'alpha-2.0-mini': [
        route('first', { groups: ['studio'] }),
        route('second', { does: { ...statedVideo, resolutions: ['480p'] } }),
      ],
      'alpha-2.5': [route('first', { groups: ['studio'] })],
      'beta-3.0': [route('first', { region: 'us' }), route('second', { region: 'eu' })],
    },
  };
  gateway = await startRoutedGateway(routes, { ARK_API_KEY: first.apiKey });
  anybody = await gateway.addAccount();
  studio = await gateway.addAccount({ group: 'studio' });
  european = await gateway.addAccount({ group: 'european' });
});
afterEach(() => {
  for (const ark of arks) ark.reset();
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all(arks.map((ark) => ark.close()));
});

const order = (account: TestAccount, model: string, parameters: object = {}) =>
  account.post('/v1/videos', video({ model, prompt: 'a lake', parameters }));

/** Orders a video and waits for its end. @returns How many orders each provider got. */
async function make(account: TestAccount, model: string, resolution: string): Promise<number[]> {
  const { status, json } = await order(account, model, { resolution });
  expect([status, json]).toEqual([202, expect.anything()]);
  expect(await account.untilEnded(String(json['id']))).toMatchObject({ status: 'completed' });
  return arks.map((ark) => ark.accepted('a lake'));
}

async function modelsOf(account: TestAccount): Promise<Record<string, string[]>> {
  const { json } = await account.get('/v1/models');
  const data = json['data'] as { id: string; capabilities: { resolutions: string[] } }[];
  return Object.fromEntries(data.map(({ id, capabilities }) => [id, capabilities.resolutions]));
}

describe('by cost', () => {
  test('the cheapest route of each order comes first', async () => {
    expect(await make(anybody, 'alpha-2.0-fast', '480p')).toEqual([1, 0]);
    expect(await make(anybody, 'alpha-2.0-fast', '720p')).toEqual([1, 1]);
  });

  test('the next one takes an order that the cheapest refuses', async () => {
    const fault = { kind: 'error', status: 403, code: 'AccessRefused' } as const;
    arks[0]?.script({ on: 'submit', fault, times: 1 });
    expect(await make(anybody, 'alpha-2.0-fast', '480p')).toEqual([0, 1]);
  });
});

describe('reserved for a group', () => {
  test('a route serves only its accounts, and a model without other routes is hidden from everyone else', async () => {
    expect(await make(studio, 'alpha-2.5', '720p')).toEqual([1, 0]);
    expect(Object.keys(await modelsOf(studio))).toContain('alpha-2.5');
    expect(Object.keys(await modelsOf(anybody))).not.toContain('alpha-2.5');
    const refused = await order(anybody, 'alpha-2.5', { resolution: '720p' });
    expect([refused.status, refused.json]).toMatchObject([
      404,
      { error: { code: 'model_not_found' } },
    ]);
  });

  test('a model offers each account the abilities of the routes for it', async () => {
    expect((await modelsOf(anybody))['alpha-2.0-mini']).toEqual(['480p']);
    expect((await modelsOf(studio))['alpha-2.0-mini']).toContain('720p');
    expect((await order(anybody, 'alpha-2.0-mini', { resolution: '720p' })).status).toBe(400);
    expect(await make(anybody, 'alpha-2.0-mini', '480p')).toEqual([0, 1]);
    expect(await make(studio, 'alpha-2.0-mini', '480p')).toEqual([1, 1]);
  });
});

describe('regions of a group', () => {
  test('keep its orders in them, also when the route there refuses', async () => {
    expect(await make(anybody, 'beta-3.0', '720p')).toEqual([1, 0]);
    expect(await make(european, 'beta-3.0', '720p')).toEqual([1, 1]);
    expect(Object.keys(await modelsOf(european))).toEqual(['beta-3.0']);
    const fault = { kind: 'error', status: 400, code: 'InvalidParameter' } as const;
    arks[1]?.script({ on: 'submit', fault, times: 1 });
    const { json } = await order(european, 'beta-3.0', { resolution: '720p' });
    expect(await european.untilEnded(String(json['id']))).toMatchObject({ status: 'failed' });
    expect(arks.map((ark) => ark.accepted('a lake'))).toEqual([1, 1]);
  });
});
