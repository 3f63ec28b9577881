import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../support/freePort.ts';
import { until } from '../support/until.ts';
import { type Caddy, startCaddy } from './support/startCaddy.ts';

/* Requests that real Caddy passes on with the file of compose.yaml, except for certificates. */
const heard: IncomingHttpHeaders[] = [];
let upstream: Server;
let caddy: Caddy;
let port: number;

interface Asked {
  host: string;
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: Buffer;
  /** Announced length of an incomplete body, whose rest never arrives. */
  announcedBytes?: number;
}

function ask(asked: Asked): Promise<number> {
  const { host, method = 'GET', path = '/', body, announcedBytes } = asked;
  const length = announcedBytes === undefined ? {} : { 'content-length': String(announcedBytes) };
  const headers = { ...asked.headers, ...length };
  return new Promise((resolve, reject) => {
    const all = { ...headers, host: `${host}:${String(port)}` };
    const sent = request({ host: '127.0.0.1', port, method, path, headers: all }, (response) => {
      response.resume().once('end', () => {
        resolve(response.statusCode ?? 0);
        if (announcedBytes !== undefined) sent.destroy();
      });
    });
    sent.once('error', reject);
    if (announcedBytes === undefined) sent.end(body);
    else sent.write(body);
  });
}

beforeAll(async () => {
  upstream = createServer((incoming, response) => {
    heard.push(incoming.headers);
    const status = incoming.headers.range === undefined ? 200 : 206;
    void buffer(incoming).then(
      () => response.writeHead(status).end(),
      () => response.destroy(),
    );
  });
  const upstreamPort = await freePort();
  await new Promise<void>((resolve) => upstream.listen(upstreamPort, '127.0.0.1', resolve));
  port = await freePort();
  caddy = await startCaddy({
    SITE_HOST: `http://video.test:${String(port)}`,
    MEDIA_HOST: `http://files.test:${String(port)}`,
    UPSTREAM_HOST: '127.0.0.1',
    UPSTREAM_PORT: String(upstreamPort),
  });
  const isAnswering = () => ask({ host: 'video.test' }).then((status) => status === 200);
  await until(() => isAnswering().catch(() => false));
});

afterAll(async () => {
  await caddy.close();
  upstream.closeAllConnections();
  await new Promise((resolve) => upstream.close(resolve));
});

test('the gateway learns the true caller, whatever the caller sends', async () => {
  const headers = {
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'gopher',
  };
  expect(await ask({ host: 'video.test', headers })).toBe(200);
  expect(heard.at(-1)).toMatchObject({
    host: `video.test:${String(port)}`,
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-host': `video.test:${String(port)}`,
    'x-forwarded-proto': 'http',
  });
});

test('the proxy passes a body that the gateway accepts, and refuses a far larger one', async () => {
  const post = { host: 'video.test', method: 'POST' };
  expect(await ask({ ...post, body: Buffer.alloc(256 * 1024) })).toBe(200);
  // Without the rest, which would come after the connection is closed: the response could be lost to a reset.
  const begun = Buffer.alloc(512_001);
  expect(await ask({ ...post, body: begun, announcedBytes: 2_000_000 })).toBe(413);
  expect(await ask({ host: 'video.test' })).toBe(200);
  // The studio takes files.
  expect(await ask({ ...post, path: '/studio', body: Buffer.alloc(600_000) })).toBe(200);
});

test('parts of files can be requested, and the host of files serves nothing else', async () => {
  expect(await ask({ host: 'files.test', headers: { range: 'bytes=0-9' } })).toBe(206);
  expect(heard.at(-1)).toMatchObject({ range: 'bytes=0-9' });
  expect(await ask({ host: 'files.test', method: 'POST' })).toBe(405);
});

test('people are redirected from http to https, and a client of the API is refused', async () => {
  const at = async (path: string) => {
    const options = { headers: { host: 'video.test' }, redirect: 'manual' } as const;
    const response = await fetch(`http://127.0.0.1:${String(caddy.httpPort)}${path}`, options);
    return [response.status, response.headers.get('location')];
  };
  expect(await at('/studio')).toEqual([301, expect.stringMatching(/^https:.*\/studio$/)]);
  for (const path of ['/v1/videos', '/v1', '/mcp']) expect(await at(path)).toEqual([403, null]);
});
