import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createAllowances } from '../../gateway/src/application/allowances.ts';
import { expectRefusal, readRefusal } from '../http/expectRefusal.ts';
import { rawRequest } from '../http/rawRequest.ts';
import { caller, goodKey, startTestServer, type TestServer } from '../http/startTestServer.ts';
import { call, origin, post, rpc, said, startMcpServer } from './support/startMcpServer.ts';

/* The checks before the tools, on the HTTP layer alone. */

describe('a request is refused before anything is done', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startMcpServer();
  });
  afterAll(() => server.stop());
  afterEach(() => {
    expect(server.commands).toEqual([]);
  });

  const create = call('create_image', { model: 'm', prompt: 'p', idempotency_key: 'k' });

  test.each(['', 'Bearer wrong', 'Basic abc'])('with the key %j', async (authorization) => {
    const response = await readRefusal(await post(server, create, { headers: { authorization } }));
    expectRefusal(response, 'invalid_api_key');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  test.each([
    ['another site', 'https://evil.example', 'api.test'],
    ['a name that was made to lead here', 'http://evil.example', 'evil.example'],
    ['the port of another program', `${origin}:8443`, 'api.test'],
    ['a sandbox', 'null', 'api.test'],
  ])('from the page of %s', async (_, from, host) => {
    // fetch does not allow setting the host.
    const body = JSON.stringify(create);
    const { status, body: text } = await rawRequest(
      server.port,
      [
        'POST /mcp HTTP/1.1',
        `Host: ${host}`,
        `Origin: ${from}`,
        `Authorization: ${goodKey}`,
        'Content-Type: application/json',
        'Accept: application/json, text/event-stream',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
    expect([status, JSON.parse(text)]).toMatchObject([403, { jsonrpc: '2.0', id: null }]);
  });

  test.each([
    ['a large body', { ...create, more: 'x'.repeat(300_000) }, 'body_too_large'],
    ['a batch', [create, create], 'invalid_json'],
    ['no JSON', '{', 'invalid_json'],
    ['a name given twice', '{"id":1,"id":2}', 'invalid_json'],
  ] as const)('with %s', async (_, body, code) => {
    expectRefusal(await readRefusal(await post(server, body)), code);
  });

  test('as a form, which pages may send without permission', async () => {
    const headers = { 'content-type': 'text/plain' };
    expectRefusal(
      await readRefusal(await post(server, create, { headers })),
      'unsupported_media_type',
    );
  });

  test.each(['GET', 'DELETE', 'PUT', 'OPTIONS'])('by %s', async (method) => {
    const response = await fetch(`${server.url}/mcp`, {
      method,
      headers: { authorization: goodKey },
    });
    expectRefusal(await readRefusal(response), 'method_not_allowed');
    expect(response.headers.get('allow')).toBe('POST');
  });

  test('if it is switched off', async () => {
    const off = await startTestServer();
    expectRefusal(await readRefusal(await post(off, create)), 'not_found');
    await off.stop();
  });
});

describe('a valid request', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startMcpServer();
  });
  afterAll(() => server.stop());

  test('may come from our own page', async () => {
    const response = await post(server, rpc('ping'), { headers: { origin } });
    expect([response.status, await response.json()]).toEqual([
      200,
      { jsonrpc: '2.0', id: 1, result: {} },
    ]);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('counts as a read, whatever it requests', async () => {
    const many = await startMcpServer();
    const perMinute = caller.limits.otherReadsPerMinute;
    const asked = [rpc('ping'), rpc('tools/list'), { jsonrpc: '2.0', method: 'notifications/x' }];
    const statuses = new Map<number, number>();
    for (let i = 0; i < perMinute + 3; i += 1) {
      const { status } = await post(many, asked[i % 3]);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([statuses.get(429), statuses.get(200)]).toEqual([3, (perMinute / 3) * 2]);
    expect(await said(await post(many, call('list_models')))).toContain('"code":"rate_limited"');
    await many.stop();
  });

  test.each([
    ['calls of an unknown tool', 'other-reads', call('drop_tables'), 'list_models'],
    [
      'calls without arguments that they need',
      'status-reads',
      call('wait_for_generation'),
      'get_generation',
    ],
    [
      'calls with arguments that there are not',
      'other-reads',
      call('get_balance', { a: 1 }),
      'get_balance',
    ],
    [
      'calls whose arguments are no object',
      'other-reads',
      rpc('tools/call', { name: 'get_generation', arguments: 1 }),
      'get_balance',
    ],
    [
      'waits without arguments that they need, whose progress is asked for',
      'other-reads',
      rpc('tools/call', {
        name: 'wait_for_generation',
        arguments: 1,
        _meta: { progressToken: 1 },
      }),
      'get_balance',
    ],
    [
      'calls that are notifications',
      'other-reads',
      { jsonrpc: '2.0', method: 'tools/call', params: { name: 'get_balance' } },
      'get_balance',
    ],
  ] as const)('and %s take one from the %s', async (_, kind, message, tool) => {
    const clock = { now: () => 0 };
    const allowances = createAllowances({ clock });
    const many = await startMcpServer({}, { allowances });
    const { accountId, limits } = caller;
    const perMinute =
      kind === 'other-reads' ? limits.otherReadsPerMinute : limits.statusReadsPerMinute;
    allowances.take(accountId, kind, perMinute, perMinute - 1);
    await (await post(many, message)).text();
    expect(await said(await post(many, call(tool)))).toContain('"code":"rate_limited"');
    await many.stop();
  });

  test('reveals nothing internal if it fails', async () => {
    const response = await post(server, call('estimate_cost', { model: 'm' }));
    const { error } = JSON.parse(await said(response)) as { error: Record<string, unknown> };
    expect(error).toMatchObject({ code: 'internal_error', retryable: true });
    expect(error['request_id']).toBe(response.headers.get('x-request-id'));
    expect(JSON.stringify(error)).not.toContain('secret');
    expect(server.log).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'request failed' }),
    );
  });
});
