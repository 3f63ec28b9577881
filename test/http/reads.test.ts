import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { GenerationRecord } from '@framegate/contract';
import { buildOpenApi } from '@framegate/contract/openapi';
import { Refusal } from '../../gateway/src/domain/refusal.ts';
import { expectRefusal, readRefusal } from './expectRefusal.ts';
import { goodKey, startTestServer, type TestServer } from './startTestServer.ts';

const finished = {
  object: 'generation',
  type: 'video',
  model: 'alpha-2.0-pro',
  status_url: 'https://api.test/v1/generations/gen_1',
  created_at: '2026-01-01T00:00:00.000Z',
  parameters: {
    duration_seconds: 5,
    resolution: '720p',
    aspect_ratio: '16:9',
    generate_audio: false,
    seed: 7,
    real_person_mode: false,
  },
  billing: { unit: 'credits', cost_credits: 70, policy: 'same_as_pc', status: 'charged' },
} as const;
const completed: GenerationRecord = { ...finished, id: 'gen_2', status: 'completed' };
const queued: GenerationRecord = {
  ...finished,
  id: 'gen_1',
  status: 'queued',
  retry_after_seconds: 17,
};

const openApi = buildOpenApi({ baseUrl: 'https://api.test/v1' });
const asked: string[] = [];
/** How often the OpenAPI document was made. */
let described = 0;
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    app: {
      openApi() {
        described += 1;
        return openApi;
      },
    },
    useCases: {
      getGeneration: async (_caller, id) => {
        asked.push(id);
        const found = [queued, completed].find((each) => each.id === id);
        if (!found) throw new Refusal('generation_not_found');
        return found;
      },
    },
  });
});
afterAll(() => server.stop());

const get = (path: string, init: RequestInit = {}) =>
  fetch(server.url + path, { headers: { authorization: goodKey }, ...init });

describe('GET /generations/{id}', () => {
  test('200: Retry-After mirrors the hint of an unfinished one', async () => {
    const response = await get('/v1/generations/gen_1');
    expect(response.status).toBe(200);
    expect(response.headers.get('retry-after')).toBe('17');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toBe(JSON.stringify(queued));
  });

  test('200: a finished one has no Retry-After', async () => {
    const response = await get('/v1/generations/gen_2?expand=all');
    expect(response.headers.has('retry-after')).toBe(false);
    expect(await response.json()).toEqual(completed);
  });

  test('404 generation_not_found: whatever the id looks like', async () => {
    for (const id of ['gen_3', '%ZZ', '%00', 'a%2Fb', '..%2fmodels', '%F0%9F%A6%8A', '__proto__']) {
      expectRefusal(await readRefusal(await get(`/v1/generations/${id}`)), 'generation_not_found');
    }
    expect(asked).toContain('a/b');
  });

  test('HEAD answers the same headers and no body', async () => {
    const head = await get('/v1/generations/gen_1', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('retry-after')).toBe('17');
    expect(head.headers.get('content-length')).toBe(String(JSON.stringify(queued).length));
    expect(await head.text()).toBe('');
    expect((await get('/v1/generations/gen_3', { method: 'HEAD' })).status).toBe(404);
  });
});

describe('GET /models and GET /credits/balance', () => {
  test('200', async () => {
    expect(await (await get('/v1/models')).json()).toEqual({ object: 'list', data: [] });
    const balance = await get('/v1/credits/balance');
    expect(balance.headers.get('cache-control')).toBe('no-store');
    expect(await balance.json()).toMatchObject({ available: 930, in_flight: 70 });
  });
});

describe('GET /openapi.json', () => {
  const read = (ifNoneMatch?: string) =>
    fetch(`${server.url}/v1/openapi.json`, {
      headers: ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch },
    });

  test('is made only for the first request', async () => {
    const before = described;
    for (const response of [await read(), await read()]) await response.arrayBuffer();
    expect([before, described]).toEqual([0, 1]);
  });

  test('200 without a key, with a strong ETag', async () => {
    const response = await read();
    expect(response.status).toBe(200);
    expect(response.headers.get('etag')).toMatch(/^"[\w-]{43}(\.br|\.gzip)?"$/);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(openApi)));
  });

  test('304 for the version that the client has, also as fetch asks', async () => {
    const etag = (await read()).headers.get('etag') ?? '';
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await read(header);
      expect(response.status).toBe(304);
      expect(response.headers.get('etag')).toBe(etag);
      expect(response.headers.get('x-request-id')).toMatch(/^req_/);
      expect(await response.text()).toBe('');
    }
    expect((await read('"other"')).status).toBe(200);
    expect((await read(etag.replaceAll('"', ''))).status).toBe(200);
  });
});

describe('health', () => {
  test('/healthz reports that the process is alive, /readyz that it can serve', async () => {
    let ready = true;
    const other = await startTestServer({ app: { isReady: () => ready } });
    expect(await (await fetch(`${other.url}/healthz`)).json()).toEqual({
      status: 'ok',
      version: '0.0.0',
    });
    expect(await (await fetch(`${other.url}/readyz`)).json()).toEqual({
      status: 'ready',
      version: '0.0.0',
    });
    ready = false;
    expect((await fetch(`${other.url}/healthz`)).status).toBe(200);
    const refused = await readRefusal(await fetch(`${other.url}/readyz`));
    expectRefusal(refused, 'service_unavailable');
    expect(refused.headers.get('retry-after')).toBe('2');
    await other.stop();
  });
});
