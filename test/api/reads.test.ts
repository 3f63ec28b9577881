import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { catalogue, type ModelEntry, priceCredits } from '@framegate/contract';
import { creditBalanceSchema, modelListSchema, validateBody } from '@framegate/contract/schemas';
import { video } from '../support/bodies.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ ROLE: 'api' });
});
afterAll(() => gateway.stop());

describe('GET /models', () => {
  test('lists every model in the order of the catalogue, with prices that a client can compute', async () => {
    const account = await gateway.addAccount();
    const { status, json } = await account.get('/v1/models');
    expect(status).toBe(200);
    expect(validateBody(modelListSchema, json)).toMatchObject({ ok: true });
    const models = json['data'] as ModelEntry[];
    expect(models.map(({ id }) => id)).toEqual(catalogue.map(({ id }) => id));
    for (const { pricing } of models) {
      for (const { parameters, cost_credits } of pricing.examples) {
        expect(priceCredits(pricing, parameters)).toBe(cost_credits);
      }
    }
  });

  test('lists only models that the key may use', async () => {
    const account = await gateway.addAccount({ models: ['image-b-2', 'alpha-2.5'] });
    const { json } = await account.get('/v1/models');
    const ids = (json['data'] as ModelEntry[]).map(({ id }) => id);
    expect(ids).toEqual(['alpha-2.5', 'image-b-2']);
  });
});

describe('GET /credits/balance', () => {
  test('reports available credits and credits in flight', async () => {
    const account = await gateway.addAccount({ credits: 500 });
    await account.post('/v1/videos', video());
    const { status, json } = await account.get('/v1/credits/balance');
    expect(status).toBe(200);
    expect(validateBody(creditBalanceSchema, json)).toMatchObject({ ok: true });
    expect(json).toMatchObject({ available: 470, in_flight: 30 });
  });
});

describe('GET /generations/{id}', () => {
  test('returns the record with a hint, mirrored by Retry-After', async () => {
    const account = await gateway.addAccount();
    const created = await account.post('/v1/videos', video());
    const { status, headers, json } = await account.get(
      `/v1/generations/${String(created.json['id'])}`,
    );
    expect(status).toBe(200);
    expect({ ...json, retry_after_seconds: 0 }).toEqual({
      ...created.json,
      retry_after_seconds: 0,
    });
    expect(headers.get('retry-after')).toBe(String(json['retry_after_seconds']));
  });

  test.each(['gen_x', `gen_${'0'.repeat(26)}`, 'x'.repeat(300), '%00', '..%2fmodels'])(
    '404 generation_not_found for %s',
    async (id) => {
      const account = await gateway.addAccount();
      const { status, json } = await account.get(`/v1/generations/${id}`);
      expect([status, json['error']]).toMatchObject([404, { code: 'generation_not_found' }]);
    },
  );

  test('many polls at once are all answered correctly', async () => {
    const account = await gateway.addAccount({ credits: 10_000, limits: { waiting: 1000 } });
    const ids = await Promise.all(
      Array.from(
        { length: 30 },
        async () => (await account.post('/v1/videos', video())).json['id'],
      ),
    );
    const asked = Array.from({ length: 300 }, (_, index) => String(ids[index % ids.length]));
    const responses = await Promise.all(asked.map((id) => account.get(`/v1/generations/${id}`)));
    expect(responses.map(({ json }) => json['id'])).toEqual(asked);
  });
});

describe('GET /openapi.json', () => {
  test('needs no key, has an ETag, and names this address', async () => {
    const response = await fetch(`${gateway.origin}/v1/openapi.json`);
    expect(response.status).toBe(200);
    const document = (await response.json()) as { openapi: string; servers: { url: string }[] };
    expect(document.openapi).toMatch(/^3\.1/);
    expect(document.servers[0]?.url).toBe(`${gateway.origin}/v1`);
    expect(response.headers.get('etag')).toMatch(/^"/);
  });
});
