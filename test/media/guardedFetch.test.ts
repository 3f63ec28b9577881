import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createGuardedFetch,
  type GuardedFetchOptions,
} from '../../gateway/src/adapters/net/guardedFetch.ts';
import { TransferFailure } from '../../gateway/src/application/ports/media.ts';
import { hostileUrls } from './hostileUrls.ts';
import { createTlsAuthority } from './tlsAuthority.ts';

const host = 'media.example';
const authority = createTlsAuthority();
let server: Server;
let override = { address: '127.0.0.1', port: 0 };
let requests: IncomingMessage[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let folder = '';

beforeAll(async () => {
  server = createServer(authority.issue(host), (request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  override = { address: '127.0.0.1', port: (server.address() as AddressInfo).port };
  folder = await mkdtemp(join(tmpdir(), 'framegate-bundled-'));
  await writeFile(join(folder, 'harbour.jpg'), 'a picture');
  await writeFile(join(folder, 'secret'), 'a secret');
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  requests = [];
  answer = (_, response) => response.end('hello');
});

const clientWith = (options: Partial<GuardedFetchOptions> = {}) =>
  createGuardedFetch({
    hostOverrides: new Map([[host, override]]),
    bundledHosts: new Map(),
    extraCa: [authority.cert],
    ...options,
  });
const fetchFrom = async (
  options: Partial<GuardedFetchOptions> = {},
  { url = `https://${host}/x`, maxBytes = 100_000, signal = new AbortController().signal } = {},
) => buffer(await clientWith(options)(url, { maxBytes, signal }));
/** What a fetch failed with; a fetch that succeeds fails the test. */
const failureOf = async (fetched: Promise<Buffer>): Promise<TransferFailure> => {
  const error: unknown = await fetched.then(
    (got) => new Error(`got ${got.length} bytes`),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TransferFailure);
  return error as TransferFailure;
};

describe('the guarded client fetches', () => {
  test('a file over verified TLS, with a plain request', async () => {
    expect((await fetchFrom({}, { url: `https://${host}:443/a/b.png?c=d'` })).toString()).toBe(
      'hello',
    );
    expect(requests).toHaveLength(1);
    const { method, url, headers } = requests[0] as IncomingMessage;
    expect([method, url]).toEqual(['GET', '/a/b.png?c=d%27']);
    expect(headers).toEqual({
      accept: 'image/*, video/*, audio/*',
      'accept-encoding': 'identity',
      connection: 'close',
      host,
      'user-agent': expect.stringMatching(/^Framegate-Inputs\//),
    });
  });

  test('a host in capitals by the same override, on a connection of its own each time', async () => {
    await fetchFrom({}, { url: `HTTPS://MEDIA.Example/x` });
    await fetchFrom();
    expect(requests).toHaveLength(2);
    expect(requests[0]?.socket).not.toBe(requests[1]?.socket);
  });

  test('exactly the most bytes, in pieces too', async () => {
    answer = (_, response) => {
      response.write(Buffer.alloc(60_000));
      response.end(Buffer.alloc(40_000));
    };
    expect(await fetchFrom()).toHaveLength(100_000);
  });
});

describe('the guarded client takes no other answer than 200', () => {
  test.each([201, 204, 206, 301, 302, 303, 307, 308, 304, 400, 401, 404, 410, 429, 500, 503])(
    'status %i is unreachable, and is not followed',
    async (status) => {
      answer = (_, response) =>
        response.writeHead(status, { location: `https://${host}/other` }).end();
      const failure = await failureOf(fetchFrom());
      expect(failure).toMatchObject({ kind: 'unreachable', message: `status ${status}` });
      expect(requests).toHaveLength(1);
    },
  );

  test('content coding is refused, not undone', async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000));
    answer = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    expect(await failureOf(fetchFrom())).toMatchObject({
      kind: 'unreachable',
      message: 'content coding gzip',
    });
    answer = (_, response) =>
      response.writeHead(200, { 'content-encoding': 'identity' }).end('plain');
    expect((await fetchFrom()).toString()).toBe('plain');
  });

  test.each([
    ['no HTTP', 'SSH-2.0-x\r\n'],
    ['a closed connection', ''],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    [
      'length and chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\na',
    ],
    ['endless headers', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['too little for its length', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'],
    ['chunks cut short', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nhalf'],
    [
      'chunks without their end',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n',
    ],
  ])('%s is unreachable', async (_, raw) => {
    answer = (request) => request.socket.end(raw);
    expect(await failureOf(fetchFrom())).toMatchObject({ kind: 'unreachable' });
  });
});

describe('the guarded client counts', () => {
  test('a told length beyond the limit is too large before a byte of it is read', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': 100_001 });
      response.flushHeaders();
    };
    expect(await failureOf(fetchFrom())).toMatchObject({ kind: 'too_large' });
  });

  test('an endless body is cut at the limit, and its connection closed', async () => {
    const closed = new Promise<void>((done) => {
      answer = (_, response) => {
        const write = () => {
          while (!response.destroyed && response.write(Buffer.alloc(16_384)));
        };
        response.on('drain', write).on('close', done);
        write();
      };
    });
    expect(await failureOf(fetchFrom())).toMatchObject({ kind: 'too_large' });
    await closed;
  });

  test('headers that do not come', async () => {
    answer = () => undefined;
    const failure = await failureOf(fetchFrom({ patience: { headersMs: 50 } }));
    expect(failure).toMatchObject({ kind: 'unreachable' });
    expect(failure.message).toMatch(/HEADERS_TIMEOUT/);
  });

  test('a body that stops coming', async () => {
    answer = (_, response) => response.write('a part');
    const failure = await failureOf(fetchFrom({ patience: { bodyMs: 50 } }));
    expect(failure).toMatchObject({ kind: 'unreachable' });
    expect(failure.message).toMatch(/BODY_TIMEOUT/);
  });

  test('a body that trickles for ever: the whole has its time, too', async () => {
    answer = (_, response) => {
      const timer = setInterval(() => response.write('.'), 10);
      response.on('close', () => {
        clearInterval(timer);
      });
    };
    const failure = await failureOf(fetchFrom({ patience: { totalMs: 200, bodyMs: 100 } }));
    expect(failure).toMatchObject({ kind: 'unreachable' });
    expect(failure.message).toMatch(/timeout/);
  });

  test('a connection that is not answered', async () => {
    const never = () => new Promise<string[]>(() => undefined);
    const failure = await failureOf(
      fetchFrom({ hostOverrides: new Map(), resolveHost: never, patience: { connectMs: 50 } }),
    );
    expect(failure).toMatchObject({ kind: 'unreachable' });
  });

  test("its caller's abort is no failure of the host", async () => {
    const stop = new AbortController();
    answer = (_, response) => {
      response.write('a part');
      stop.abort(new Error('lease lost'));
    };
    await expect(fetchFrom({}, { signal: stop.signal })).rejects.toThrow('lease lost');
    await expect(fetchFrom({}, { signal: stop.signal })).rejects.toThrow('lease lost');
  });

  test('a stream that nobody wants closes its connection', async () => {
    const closed = new Promise<void>((done) => {
      answer = (_, response) => {
        response.on('close', done);
        response.write('a part');
      };
    });
    const { signal } = new AbortController();
    const stream = await clientWith()(`https://${host}/x`, { maxBytes: 10, signal });
    stream.destroy();
    await closed;
    expect(requests).toHaveLength(1);
  });
});

describe('the guarded client verifies TLS', () => {
  test('an authority that is not trusted', async () => {
    expect(await failureOf(fetchFrom({ extraCa: [] }))).toMatchObject({ kind: 'unreachable' });
    const other = createTlsAuthority().cert;
    expect(await failureOf(fetchFrom({ extraCa: [other] }))).toMatchObject({ kind: 'unreachable' });
    expect(requests).toHaveLength(0);
  });

  test('a certificate for another name, also where the operator set the address', async () => {
    const hostOverrides = new Map([['other.example', override]]);
    const failure = await failureOf(
      fetchFrom({ hostOverrides }, { url: 'https://other.example/x' }),
    );
    expect(failure).toMatchObject({ kind: 'unreachable' });
    expect(failure.message).toMatch(/ALTNAME/);
    expect(requests).toHaveLength(0);
  });
});

describe('the guarded client connects to public addresses only', () => {
  const noOverride = { hostOverrides: new Map() };

  test.each([
    ['127.0.0.1'],
    ['169.254.169.254'],
    ['10.0.0.1'],
    ['100.64.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::7f00:1'],
    ['2002:7f00:1::'],
    ['fe80::1'],
    ['93.184.215.14', '127.0.0.1'],
    ['::1', '93.184.215.14'],
  ])('a name that leads to %s %s', async (...addresses) => {
    const asked: string[] = [];
    const failure = await failureOf(
      fetchFrom({
        ...noOverride,
        resolveHost: async (name) => {
          asked.push(name);
          return addresses;
        },
      }),
    );
    expect(failure.message).toMatch(/is not public/);
    expect(asked).toEqual([host]);
  });

  test('a name that leads elsewhere each time it is asked (rebinding)', async () => {
    const answers = [['127.0.0.1'], ['93.184.215.14', '10.0.0.1'], ['::ffff:169.254.169.254']];
    let asked = 0;
    const resolveHost = async () => answers[asked++] ?? [];
    for (const addresses of answers) {
      // What the check saw is what the socket would use: each connection asks once, and no more.
      const failure = await failureOf(fetchFrom({ ...noOverride, resolveHost }));
      expect(failure.message).toContain(`address ${addresses.at(-1)} is not public`);
    }
    expect(asked).toBe(answers.length);
    expect(requests).toHaveLength(0);
  });

  test('a name without an address, and one that DNS does not know', async () => {
    const none = await failureOf(fetchFrom({ ...noOverride, resolveHost: async () => [] }));
    expect(none).toMatchObject({ kind: 'unreachable', message: 'no address' });
    const unknown = async () =>
      Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
    const failure = await failureOf(fetchFrom({ ...noOverride, resolveHost: unknown }));
    expect(failure.message).toMatch(/ENOTFOUND/);
  });

  test('no URL that the rules refuse gets as far as a name or a connection', async () => {
    const asked: string[] = [];
    const resolveHost = async (name: string) => {
      asked.push(name);
      return ['127.0.0.1'];
    };
    for (const { url } of hostileUrls) {
      expect(await failureOf(fetchFrom({ resolveHost }, { url }))).toMatchObject({
        kind: 'unreachable',
      });
    }
    expect(asked).toEqual([]);
    expect(requests).toHaveLength(0);
  });
});

describe('a bundled host', () => {
  const samples = 'samples.framegate.example';
  const fetchSample = (path: string, maxBytes = 100) =>
    fetchFrom(
      { bundledHosts: new Map([[samples, folder]]), hostOverrides: new Map([[samples, override]]) },
      { url: `https://${samples}${path}`, maxBytes },
    );

  test('is answered from its folder, without the network', async () => {
    expect((await fetchSample('/harbour.jpg')).toString()).toBe('a picture');
    expect((await fetchSample('/harbour.jpg?x=1')).toString()).toBe('a picture');
    expect(requests).toHaveLength(0);
  });

  test('holds the limit', async () => {
    expect(await failureOf(fetchSample('/harbour.jpg', 8))).toMatchObject({ kind: 'too_large' });
  });

  test.each([
    '/',
    '/none.jpg',
    '/secret',
    '/%68arbour.jpg',
    '/..%2fsecret.jpg',
    '//harbour.jpg',
    '/harbour.jpg/',
    '/a/harbour.jpg',
    '/Harbour.jpg',
    '/harbour.jpg%00',
  ])('has nothing at %s', async (path) => {
    expect(await failureOf(fetchSample(path))).toMatchObject({ kind: 'unreachable' });
    expect(requests).toHaveLength(0);
  });
});
