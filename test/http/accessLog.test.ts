import { afterEach, describe, expect, test } from '@jest/globals';
import {
  caller,
  goodKey,
  type LogLine,
  startTestServer,
  type TestServer,
} from './startTestServer.ts';

let server: TestServer;
afterEach(() => server.stop());

/** The access log once every response is out. */
async function accessLog(): Promise<LogLine[]> {
  await server.stop();
  return server.log.filter(({ message }) => message === 'request');
}

describe('the access log', () => {
  test('names the client, the request and its result, and nothing secret', async () => {
    server = await startTestServer();
    await fetch(`${server.url}/v1/videos?token=hidden`, {
      method: 'POST',
      headers: { authorization: goodKey, 'content-type': 'application/json' },
      body: '{"prompt":"hidden"}',
    });
    const response = await fetch(`${server.url}/v1/generations/gen_hidden`, {
      headers: { authorization: goodKey },
    });
    await fetch(`${server.url}/v1/models`, { headers: { authorization: 'Bearer hidden' } });
    await fetch(`${server.url}/hidden`);
    await fetch(`${server.url}/media/outputs/gen_1/0.mp4?signature=hidden`);
    const lines = await accessLog();
    expect(
      lines.map(({ fields: { method, route, status, code } }) => [method, route, status, code]),
    ).toEqual([
      ['POST', '/v1/videos', 202, undefined],
      ['GET', '/v1/generations/:id', 404, 'generation_not_found'],
      ['GET', '/v1/models', 401, 'invalid_api_key'],
      ['GET', 'none', 404, 'not_found'],
      ['GET', '/media/outputs/*', 404, 'not_found'],
    ]);
    expect(lines[1]?.fields).toEqual({
      requestId: response.headers.get('x-request-id'),
      method: 'GET',
      route: '/v1/generations/:id',
      from: '127.0.0.1',
      status: 404,
      code: 'generation_not_found',
      ms: 0,
      accountId: caller.accountId,
      keyId: caller.keyId,
    });
    expect(JSON.stringify(server.log)).not.toContain('hidden');
  });

  test('names the trace of the client, and ignores an invalid one', async () => {
    server = await startTestServer();
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    for (const traceparent of [`00-${traceId}-00f067aa0ba902b7-00`, `00-${traceId}-1-00`]) {
      const response = await fetch(`${server.url}/v1`, { headers: { traceparent } });
      expect(response.headers.has('traceparent')).toBe(false);
    }
    const lines = await accessLog();
    expect(lines.map(({ fields }) => fields['trace_id'])).toEqual([traceId, undefined]);
  });

  test('probes are logged at debug level only', async () => {
    server = await startTestServer();
    await fetch(`${server.url}/healthz`);
    await fetch(`${server.url}/readyz`);
    expect((await accessLog()).map(({ level }) => level)).toEqual(['debug', 'debug']);
  });
});
