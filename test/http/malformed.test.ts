import { connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { expectRefusal, readRawRefusal } from './expectRefusal.ts';
import { rawRequest } from './rawRequest.ts';
import { goodKey, startTestServer, type TestServer } from './startTestServer.ts';

let server: TestServer;
afterEach(() => server.stop());

const close = 'Host: x\r\nConnection: close\r\n';
const create = `POST /v1/videos HTTP/1.1\r\nHost: x\r\nAuthorization: ${goodKey}\r\nContent-Type: application/json\r\n`;

describe('requests that are not HTTP', () => {
  const unreadable: [string, string | Uint8Array][] = [
    ['no request line', 'hello\r\n\r\n'],
    ['an unknown method', `FOO / HTTP/1.1\r\n${close}\r\n`],
    ['two lengths', `${create}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a negative length', `${create}Content-Length: -1\r\n\r\n`],
    ['a broken chunk', `${create}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ['a header without a name', `GET / HTTP/1.1\r\n: x\r\n${close}\r\n`],
    ['a NUL in a header', `GET / HTTP/1.1\r\nX-A: \0\r\n${close}\r\n`],
    ['bytes beyond ASCII', Buffer.from(`GET /\xe9 HTTP/1.1\r\n${close}\r\n`, 'latin1')],
    ['TLS', Buffer.from('16030100f1010000ed0303', 'hex')],
  ];
  const unlawful: [string, string][] = [
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two Hosts', `GET /healthz HTTP/1.1\r\nHost: y\r\n${close}\r\n`],
    ['the same Host twice', `GET /healthz HTTP/1.1\r\nhost: x\r\n${close}\r\n`],
    ['two Hosts in HTTP/1.0', 'GET /healthz HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n'],
    ['an empty Host before another', `GET /healthz HTTP/1.1\r\nHost:\r\n${close}\r\n`],
    ['no version (HTTP/0.9)', `GET /healthz\r\n${close}\r\n`],
    ['HTTP/2.0 in clear text', `GET /healthz HTTP/2.0\r\n${close}\r\n`],
    ['a fragment', `GET /healthz#x HTTP/1.1\r\n${close}\r\n`],
    ['half an address', `GET http://[::1 HTTP/1.1\r\n${close}\r\n`],
    ['user info', `GET http://a@b/healthz HTTP/1.1\r\n${close}\r\n`],
    ['a wrong port', `GET http://x:99999999 HTTP/1.1\r\n${close}\r\n`],
  ];
  test.each([...unreadable, ...unlawful])('400 invalid_request: %s', async (_name, bytes) => {
    server = await startTestServer();
    expectRefusal(readRawRefusal(await rawRequest(server.port, bytes)), 'invalid_request');
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('431 invalid_request: headers beyond 16 KiB', async () => {
    server = await startTestServer();
    const bytes = `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(200_000)}\r\n\r\n`;
    expectRefusal(readRawRefusal(await rawRequest(server.port, bytes)), 'invalid_request', 431);
  });

  test('405 method_not_allowed: CONNECT', async () => {
    server = await startTestServer();
    const bytes = `CONNECT a.b:443 HTTP/1.1\r\n${close}\r\n`;
    const refused = readRawRefusal(await rawRequest(server.port, bytes));
    expectRefusal(refused, 'method_not_allowed');
    expect(refused.headers.get('allow')).toBe('GET, HEAD, POST');
  });

  test('the server keeps serving others', async () => {
    server = await startTestServer();
    for (const [, bytes] of [...unreadable, ...unlawful]) await rawRequest(server.port, bytes);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

describe('odd but valid requests', () => {
  test.each([
    ['the form that proxies are sent', `GET http://a.b/healthz HTTP/1.1\r\n${close}\r\n`, 200],
    ['HTTP/1.0 without Host', 'GET /healthz HTTP/1.0\r\n\r\n', 200],
    ['an unknown Expect', `GET /healthz HTTP/1.1\r\n${close}Expect: more\r\n\r\n`, 200],
    ['an upgrade', `GET /healthz HTTP/1.1\r\nUpgrade: h2c\r\n${close}\r\n`, 200],
    ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${close}\r\n`, 405],
    ['TRACE', `TRACE /healthz HTTP/1.1\r\n${close}\r\n`, 405],
    ['two slashes', `GET //healthz HTTP/1.1\r\n${close}\r\n`, 404],
    ['a bracket', `GET //[x HTTP/1.1\r\n${close}\r\n`, 404],
    ['userinfo in Host', 'GET /healthz HTTP/1.1\r\nHost: a@[b\r\nConnection: close\r\n\r\n', 200],
  ])('%s', async (_name, bytes, status) => {
    server = await startTestServer();
    const response = await rawRequest(server.port, bytes);
    expect(response.status).toBe(status);
    expect(response.headers['x-request-id']).toMatch(/^req_/);
  });
});

describe('requests that do not arrive whole', () => {
  test.each([
    ['head', 'GET /healthz HTTP/1.1\r\nHost:'],
    ['body', `${create}Content-Length: 10\r\n\r\n{`],
    ['compressed body', `${create}Content-Encoding: gzip\r\nContent-Length: 10\r\n\r\n{`],
  ])('408 invalid_request: the %s never arrives', async (_name, bytes) => {
    server = await startTestServer({ times: { requestMs: 50, checkMs: 20 } });
    expectRefusal(readRawRefusal(await rawRequest(server.port, bytes)), 'invalid_request', 408);
  });

  test('a client that disconnects within its compressed body is dropped', async () => {
    server = await startTestServer();
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`${create}Content-Encoding: gzip\r\nContent-Length: 10\r\n\r\n{`);
    const { promise: logged, resolve } = Promise.withResolvers<true>();
    const { log } = server;
    log.push = (...lines) => {
      if (lines.some(({ message }) => message === 'client disconnected')) resolve(true);
      return Array.prototype.push.apply(log, lines);
    };
    socket.end();
    await logged;
    expect(server.commands).toEqual([]);
  });

  test('413: the rest of a large body does not block the next request', async () => {
    server = await startTestServer();
    const body = 'a'.repeat(400_000);
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const next = `GET /healthz HTTP/1.1\r\n${close}\r\n`;
    const bytes = `${create}Transfer-Encoding: chunked\r\n\r\n${chunk}${next}`;
    const response = await rawRequest(server.port, bytes);
    expect(response.status).toBe(413);
    expect(response.body).toContain('body_too_large');
    expect(response.body).toContain('HTTP/1.1 200 OK');
  });
});
