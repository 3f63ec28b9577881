import { afterEach, describe, expect, test } from '@jest/globals';
import { type ErrorCode, errorCodes } from '@framegate/contract';
import { DatabaseUnavailableError } from '../../gateway/src/application/ports/database.ts';
import { Refusal } from '../../gateway/src/domain/refusal.ts';
import { expectRefusal, readRefusal } from './expectRefusal.ts';
import { goodKey, startTestServer, type TestServer } from './startTestServer.ts';

let server: TestServer | undefined;
afterEach(() => server?.stop());

/** A server whose balance read throws this. */
async function throwing(error: unknown): Promise<TestServer> {
  server = await startTestServer({
    useCases: {
      getBalance: async () => {
        throw error;
      },
    },
  });
  return server;
}

const authorized = { headers: { authorization: goodKey } };

async function balanceOf({ url }: TestServer) {
  return readRefusal(await fetch(`${url}/v1/credits/balance`, authorized));
}

describe('refusals', () => {
  test.each(Object.keys(errorCodes) as ErrorCode[])('%s is answered unchanged', async (code) => {
    const refused = await balanceOf(await throwing(new Refusal(code)));
    expectRefusal(refused, code);
    expect(refused.body.error.message).toBe(errorCodes[code].message);
    expect(refused.body.error.param).toBeNull();
    expect(refused.body.error.details).toEqual([]);
    expect(refused.headers.get('www-authenticate')).toBe(
      code === 'invalid_api_key' ? 'Bearer' : null,
    );
    const waits = [429, 503].includes(refused.status);
    expect(Number(refused.headers.get('retry-after')) >= 1).toBe(waits);
    expect(server?.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('message, param, details, credits, wait and headers of a refusal are shown', async () => {
    const details = [{ param: 'a', code: 'required', message: 'a is missing.' }];
    const credits = { required: 70, available: 3 };
    const refusal = new Refusal('insufficient_credits', {
      message: 'Too few.',
      details,
      credits,
      retryAfterSeconds: 9,
      headers: { RateLimit: '"x";r=0;t=9' },
    });
    const { headers, body } = await balanceOf(await throwing(refusal));
    expect(body.error).toMatchObject({ message: 'Too few.', param: 'a', details, credits });
    expect(Object.keys(body.error).at(-1)).toBe('credits');
    expect(headers.get('retry-after')).toBe('9');
    expect(headers.get('ratelimit')).toBe('"x";r=0;t=9');
  });
});

describe('unexpected errors', () => {
  test('503 service_unavailable: the database is unreachable', async () => {
    const refused = await balanceOf(await throwing(new DatabaseUnavailableError('no primary')));
    expectRefusal(refused, 'service_unavailable');
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(server?.log.map(({ level, message }) => `${level} ${message}`)).toContain(
      'warn database unreachable',
    );
  });

  test('500 internal_error: a bug tells the caller nothing and the log everything', async () => {
    const cause = new Error('Bearer abc.def at mongodb://user:pw@db.internal/x');
    const bug = new TypeError('provider acme said fg_live_0123abc', { cause });
    Object.assign(bug, { body: '{"prompt":"secret"}' });
    const refused = await balanceOf(await throwing(bug));
    expectRefusal(refused, 'internal_error');
    expect(JSON.stringify(refused.body)).not.toContain('acme');

    const [line] = server?.log.filter(({ level }) => level === 'error') ?? [];
    const logged = JSON.stringify(line);
    expect(line?.fields['requestId']).toBe(refused.body.error.request_id);
    expect(logged).toContain('provider acme said fg_live_<redacted>');
    expect(logged).toContain('responses.test.ts');
    expect(logged).toContain('Bearer <redacted> at mongodb://<redacted>');
    expect(logged).not.toMatch(/0123abc|abc\.def|user:pw|prompt/);
  });

  test.each([[undefined], ['text'], [null], [{ code: 'ECONNRESET' }]])(
    '500 internal_error: %p is thrown',
    async (thrown) => {
      expectRefusal(await balanceOf(await throwing(thrown)), 'internal_error');
    },
  );
});

describe('paths and methods', () => {
  test('a browser that requests a page gets one; below the API nothing changes', async () => {
    const { url } = (server = await startTestServer());
    const asBrowser = (path: string, accept = 'text/html,application/xhtml+xml,*/*;q=0.8') =>
      fetch(url + path, { headers: { accept } });
    for (const path of ['/nope', '/docs/errors', '/staff/nowhere']) {
      const response = await asBrowser(path);
      const text = await response.text();
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        ...[path, 404, 'text/html; charset=utf-8'],
      ]);
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(text).toContain('This page doesn&#39;t exist');
      expect(text).toContain(String(response.headers.get('x-request-id')));
      expect(text).toContain(path.startsWith('/staff') ? 'href="/staff"' : 'href="/"');
    }
    for (const [path, accept] of [
      ['/v1/nothing', undefined],
      ['/v1', undefined],
      ['/nope', '*/*'],
      ['/nope', 'application/json'],
    ] as const) {
      expectRefusal(await readRefusal(await asBrowser(path, accept)), 'not_found');
    }
  });

  test.each(['/v1', '/v1/', '/v1/nothing', '/v1/models/', '/V1/models', '/v2/models', '/nothing'])(
    '404 not_found without a key: %s',
    async (path) => {
      server = await startTestServer();
      expectRefusal(await readRefusal(await fetch(server.url + path)), 'not_found');
    },
  );

  test.each([
    ['OPTIONS', '/v1/videos', 'POST'],
    ['GET', '/v1/videos', 'POST'],
    ['DELETE', '/v1/images', 'POST'],
    ['OPTIONS', '/v1/generations/gen_1', 'GET, HEAD'],
    ['DELETE', '/v1/generations/gen_1', 'GET, HEAD'],
    ['POST', '/v1/models', 'GET, HEAD'],
    ['PATCH', '/v1/credits/balance', 'GET, HEAD'],
    ['OPTIONS', '/v1/openapi.json', 'GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['POST', '/', 'GET, HEAD'],
  ])('405 method_not_allowed without a key: %s %s', async (method, path, allow) => {
    server = await startTestServer();
    const response = await fetch(server.url + path, {
      method,
      headers: { origin: 'https://site.test', 'access-control-request-method': 'POST' },
    });
    const refused = await readRefusal(response);
    expectRefusal(refused, 'method_not_allowed');
    expect(refused.headers.get('allow')).toBe(allow);
  });

  test.each(['/v1/models', '/v1/generations/gen_1', '/v1/credits/balance'])(
    '401 invalid_api_key: GET %s',
    async (path) => {
      server = await startTestServer();
      const refused = await readRefusal(await fetch(server.url + path));
      expectRefusal(refused, 'invalid_api_key');
      expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    },
  );
});

describe('headers', () => {
  test('no response has a CORS header, whatever the Origin', async () => {
    server = await startTestServer();
    for (const path of ['/v1/models', '/v1/openapi.json', '/docs', '/nothing', '/healthz']) {
      const { headers } = await fetch(server.url + path, {
        headers: { authorization: goodKey, origin: 'https://site.test' },
      });
      const cors = [...headers.keys()].filter((name) => name.startsWith('access-control-'));
      expect(cors).toEqual([]);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test('each request has its own id; an id from the client is ignored', async () => {
    server = await startTestServer();
    const headers = { 'x-request-id': 'req_00000000000000000000000000' };
    const ids = [];
    for (let count = 0; count < 3; count += 1) {
      ids.push((await fetch(`${server.url}/healthz`, { headers })).headers.get('x-request-id'));
    }
    expect(new Set(ids).size).toBe(3);
    expect(ids).not.toContain('req_00000000000000000000000000');
  });
});

describe('the address of the caller', () => {
  async function addressSeen(hops: number, forwarded: string | undefined) {
    server = await startTestServer({ app: { trustedProxies: { hops } } });
    await fetch(`${server.url}/v1/videos`, {
      method: 'POST',
      headers: {
        authorization: goodKey,
        'content-type': 'application/json',
        ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
      },
      body: '{}',
    });
    return server.commands[0]?.callerAddress;
  }

  test.each([
    [0, '203.0.113.9', '127.0.0.1'],
    [1, '198.51.100.1, 203.0.113.9', '203.0.113.9'],
    [2, '192.0.2.7, 198.51.100.1, 203.0.113.9', '198.51.100.1'],
    [1, '::ffff:203.0.113.9', '203.0.113.9'],
    [1, '2001:db8::9', '2001:db8::9'],
    [1, '<script>', '127.0.0.1'],
    [1, undefined, '127.0.0.1'],
  ])('%i trusted proxies, X-Forwarded-For %p: %s', async (hops, forwarded, address) => {
    expect(await addressSeen(hops, forwarded)).toBe(address);
  });
});
